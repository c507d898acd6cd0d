"""Findings ranked by what a run measured; no run is needed for that."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from overhead_lint.cli import check
from overhead_lint.cli.evidence import Measured
from overhead_lint.measure.evidence import Evidence, Observed, Steps, read, write
from overhead_lint.support.versioned_json import UnusableFile

if TYPE_CHECKING:
    from overhead_lint.rule import Finding
    from overhead_lint.syntax.source import Source

SOURCE = """\
import torch

def train(loader, model, optimizer):
    for batch in loader:
        with torch.autocast("cuda"):
            loss = model(batch)
        loss.backward()
        optimizer.step()
        print(loss.item())

def set_up(flag):
    with torch.autocast("cuda"):
        return flag
"""

AUTOCAST = Observed(
    path="train.py",
    line=5,
    code="OVH101",
    name="autocast-per-step",
    function="train",
    text='torch.autocast("cuda")',
    number=0,
    message="built each time",
    heat="step",
    fix="safe",
    executions=100,
    total=103,
    before_seconds=4e-6,
    after_seconds=1e-6,
)
ITEM = replace(
    AUTOCAST, line=9, code="OVH404", text="loss.item()", fix="", before_seconds=None, after_seconds=None
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "train.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def measured(folder: Path, *findings: Observed, seconds: float = 0.1) -> None:
    steps = Steps("optimizer steps", 100, 3, seconds / 100, seconds / 100, seconds / 100)
    write(folder / "overhead.json", Evidence(("train.py",), 0, seconds, steps=steps, findings=findings))


def lint(capsys: pytest.CaptureFixture[str], *options: str) -> list[tuple[int, str, str, str]]:
    check.run([".", "--isolated", "--evidence", "overhead.json", "--output-format", "json", *options])
    found = json.loads(capsys.readouterr().out)
    return [(one["line"], one["code"], one["heat"], one["why"]) for one in found]


def test_the_dearest_comes_first_and_what_never_ran_last(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measured(project, replace(AUTOCAST, executions=0, total=0), ITEM)
    assert [one[:2] for one in lint(capsys)] == [(9, "OVH404"), (5, "OVH101")]
    measured(project, AUTOCAST, ITEM)
    assert [one[:2] for one in lint(capsys)] == [(5, "OVH101"), (9, "OVH404")]


def test_heat_is_the_measured_one(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cold = replace(AUTOCAST, function="set_up", heat="cold", executions=250, total=250)
    measured(project, cold, replace(AUTOCAST, executions=0, total=0))
    assert lint(capsys)[0] == (12, "OVH101", "loop", "measured: 2.5 times a step, about 0.75% of host time")
    assert (5, "OVH101", "step", "measured: never executed") in lint(capsys)


def test_full_output_tells_measured_heat_also_where_it_is_cold(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measured(project, replace(AUTOCAST, executions=3, total=3))
    check.run([".", "--isolated", "--evidence", "overhead.json"])
    assert "= heat: cold: measured: 0.03 times a step" in capsys.readouterr().out


def test_findings_keep_their_evidence_when_lines_move(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measured(project, AUTOCAST)
    (project / "train.py").write_text("# moved\n\n" + SOURCE)
    assert lint(capsys)[0][:3] == (7, "OVH101", "step")


@pytest.mark.parametrize(("share", "kept"), [("0.2%", True), ("0.3%", True), ("0.4 %", False)])
def test_min_cost_drops_what_costs_less_or_never_ran(
    project: Path, capsys: pytest.CaptureFixture[str], share: str, kept: bool
) -> None:
    measured(project, AUTOCAST, ITEM)
    codes = [code for _, code, _, _ in lint(capsys, "--min-cost", share)]
    assert codes == (["OVH101", "OVH404"] if kept else ["OVH404"])


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--min-cost", "1%"], "--min-cost with a part of the host time goes with --evidence"),
        (["--evidence", "overhead.json", "--min-cost", "a lot"], "such as 0.5%"),
        (["--evidence", "overhead.json", "--min-cost", "101%"], "such as 0.5%"),
    ],
)
def test_wrong_options_end_with_status_2(
    project: Path, capsys: pytest.CaptureFixture[str], options: list[str], complaint: str
) -> None:
    with pytest.raises(SystemExit) as raised:
        check.run([".", *options])
    assert raised.value.code == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (None, "cannot be read: No such file"),
        ("{", "is damaged: no JSON"),
        ("[]", "is no evidence of `overhead-lint run`"),
        ('{"schema": true}', "is no evidence of `overhead-lint run`"),
        ('{"schema": 99, "program": []}', "was written by a newer overhead-lint (schema 99)"),
        ('{"schema": 1, "program": []}', "is damaged: KeyError"),
        (
            '{"schema": 1, "steps": null, "program": [], "status": "a"}',
            "is damaged: TypeError: 'a' is no int",
        ),
    ],
)
def test_a_file_that_is_no_evidence_is_one_line(
    project: Path, capsys: pytest.CaptureFixture[str], text: str | None, complaint: str
) -> None:
    if text is not None:
        (project / "overhead.json").write_text(text)
    assert check.run([".", "--isolated", "--evidence", "overhead.json"]) == 2
    error = capsys.readouterr().err
    assert complaint in error and error.count("\n") == 1


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "overhead.json"
    measured(tmp_path, AUTOCAST, ITEM)
    evidence = read(path)
    assert evidence.findings == (AUTOCAST, ITEM)
    assert evidence.per_step(AUTOCAST) == 1.0
    assert evidence.share(AUTOCAST) == pytest.approx(0.003)
    assert evidence.share(ITEM) is None
    content = json.loads(path.read_text())
    older = {key: value for key, value in content.items() if key != "trace"} | {"schema": 1}
    path.write_text(json.dumps(older))
    assert read(path) == evidence, "schema 1 has no trace"
    content["findings"][0]["total"] = "many"
    path.write_text(json.dumps(content))
    with pytest.raises(UnusableFile, match="total is 'many'"):
        read(path)
    content["findings"][0]["total"] = 1
    path.write_text(json.dumps(content | {"seconds": "NaN"}))
    with pytest.raises(UnusableFile, match="'NaN' is no number"):
        read(path)
    path.write_text(json.dumps(content | {"tests": {"test_a.py::test": {"guards": "3"}}}))
    with pytest.raises(UnusableFile, match="'3' is no number"):
        read(path)


def test_files_that_the_run_says_nothing_of_keep_their_findings_but_for_the_least_cost(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "more.py").write_text(SOURCE)
    (project / "clean.py").write_text("import torch\n\ndef set_up(flag):\n    return torch.autocast\n")
    measured(project, AUTOCAST, ITEM)
    first = lint(capsys)
    linted: list[Path] = []
    judged = Measured.judged

    def noting(self: Measured, found: Any, anywhere: Any, source: Source, linter: Any) -> list[Finding]:
        linted.append(source.path)
        return judged(self, found, anywhere, source, linter)

    monkeypatch.setattr(Measured, "judged", noting)
    assert lint(capsys) == first
    assert "train.py" in {path.name for path in linted}
    assert "clean.py" not in {path.name for path in linted}
    assert {code for _, code, *_ in first} == {"OVH101", "OVH404"}
    assert len(lint(capsys, "--min-cost", "0.1%")) < len(first)
