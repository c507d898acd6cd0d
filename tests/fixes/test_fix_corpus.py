"""The check of fixes on real packages: it counts what was done, and sees what must not be."""

from __future__ import annotations

import json
from pathlib import Path

import fix_checks
import fix_corpus
import fix_format
import pytest
from fix_checks import Round

from overhead_lint.fixing.fixer import FixResult, fix_file
from overhead_lint.rule import Heat
from overhead_lint.syntax.source import Source

CODE = """import torch


class Net(torch.nn.Module):
    def forward(self, x):
        with torch.autocast("cuda"):  # kept
            return self.layer(x)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A package of three files, one of which does not parse."""
    package = tmp_path / "net"
    package.mkdir()
    (package / "model.py").write_text(CODE)
    (package / "other.py").write_text("x = 1\n")
    (package / "broken.py").write_text("import torch\ntorch.autocast(\n")
    return package


def test_fixes_are_counted_and_nothing_is_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fix_corpus.main([str(folder), "--show", "OVH101"]) == 0
    out = capsys.readouterr().out
    assert "+        with runtime.autocast" in out
    rows = [line.split() for line in out.splitlines()]
    assert ["package", "files", "changed", "fixes", "refused", "violations"] in rows
    assert rows.count(["net", "3", "1", "1", "0", "0"]) == 2  # safe fixes, then all
    assert ["OVH101", "1", "1"] in rows
    assert (folder / "model.py").read_text() == CODE


@pytest.mark.parametrize("code", [CODE, f"{CODE}\n"], ids=["even", "odd"])
def test_notebook_is_checked_too(tmp_path: Path, capsys: pytest.CaptureFixture[str], code: str) -> None:
    cell = {"cell_type": "code", "source": code.splitlines(keepends=True), "metadata": {}, "outputs": []}
    text = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
    (tmp_path / "look.ipynb").write_text(text)
    assert fix_corpus.main([str(tmp_path)]) == 0
    assert "1 files, 1 changed, 1 fixes, 0 violations" in capsys.readouterr().out


def test_new_undefined_name_is_a_violation(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def spoiled(*args: object, **options: object) -> FixResult:
        result = fix_file(*args, **options)  # type: ignore[arg-type]
        text = result.after_text.replace("import runtime", "import nothing")
        return FixResult(result.before, text, result.applied, (), ())

    monkeypatch.setattr(fix_corpus, "fix_file", spoiled)
    assert fix_corpus.main([str(folder)]) == 1
    assert "F821 Undefined name `runtime`" in capsys.readouterr().out


def spoil(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    """Let the fixer give back its text with one more change."""

    def spoiled(*args: object, **options: object) -> FixResult:
        result = fix_file(*args, **options)  # type: ignore[arg-type]
        text = result.after_text.replace(old, new)
        lint = options.get("lint") or args[1]
        lint(Source.from_bytes(result.before.path, text.encode()))  # type: ignore[operator]
        return FixResult(result.before, text, result.applied, (), ())

    monkeypatch.setattr(fix_corpus, "fix_file", spoiled)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("self.layer(x)", "self.layer( x)", "is not what was fixed"),
        ("class Net", "return\nclass Net", "does not compile"),
        ("import torch", "import torch\r", "line ends that it had not"),
        ("  # kept", "", "lost the comment # kept"),
    ],
)
def test_what_must_not_be_is_a_violation(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    old: str,
    new: str,
    said: str,
) -> None:
    spoil(monkeypatch, old, new)
    assert fix_corpus.main([str(folder)]) == 1
    assert said in capsys.readouterr().out


WIDE = """\
import torch


def forward(inputs: torch.Tensor, number_of_columns: int):
    weights = torch.ones(number_of_columns, number_of_columns).to(inputs.device)
    return inputs @ weights
"""


def test_a_formatted_file_that_does_not_stay_so_is_a_violation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ruff.toml").write_text("line-length = 80\n")
    (tmp_path / "net.py").write_text(WIDE)
    assert fix_corpus.main([str(tmp_path)]) == 0
    assert "1 fixes, 0 violations" in capsys.readouterr().out
    monkeypatch.setattr(fix_format, "laid_out", lambda before, after, command: after)
    assert fix_corpus.main([str(tmp_path)]) == 1
    assert "is changed by ruff format, which left it alone before" in capsys.readouterr().out


def test_two_findings_of_one_are_a_violation(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = Source.read(folder / "model.py")
    lint = fix_corpus.everywhere()
    (one,) = lint(source)
    more = list(fix_checks._more_than_before(Round(source, [one]), Round(source, [one, one]), [one]))
    assert more == ["1 findings became 2, by fixes of ['OVH101']: more of OVH101 (1)"]
    assert list(fix_checks._more_than_before(Round(source, [one]), Round(source, [one]), [one])) == []


def test_a_fixed_finding_that_comes_back_is_a_violation(folder: Path) -> None:
    source = Source.read(folder / "model.py")
    (one,) = fix_corpus.everywhere()(source)
    again, other = one._replace(confidence=0.0), one._replace(message="waits once for all of them")
    assert list(fix_checks._still_there(Round(source, [one]), Round(source, [again]), [one])) == [
        "OVH101: 1 findings, 1 fixed, 1 left"
    ]
    assert list(fix_checks._still_there(Round(source, [one]), Round(source, [other]), [one])) == []
    assert list(fix_checks._still_there(Round(source, [one]), Round(source, []), [one])) == []
    assert one.warmth.heat > Heat.COLD
    hoisted = one._replace(warmth=one.warmth._replace(heat=Heat.COLD))
    assert list(fix_checks._still_there(Round(source, [one]), Round(source, [hoisted]), [one])) == []


def test_crash_is_a_violation(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def crash(*_: object, **__: object) -> FixResult:
        raise KeyError("what")

    monkeypatch.setattr(fix_corpus, "fix_file", crash)
    assert fix_corpus.main([str(folder)]) == 1
    assert "model.py: crash" in capsys.readouterr().out


def test_missing_folder_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fix_corpus.main([str(tmp_path / "none")]) == 2
    assert "none: no such folder" in capsys.readouterr().err
