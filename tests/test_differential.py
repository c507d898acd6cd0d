"""The differential tests of the core: what is recorded, what is told to be different, and what was read."""

from __future__ import annotations

import functools
import gzip
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any

import differential
import differential_answers
import differential_findings
import differential_records
import pytest
from corpus_files import CorpusError
from differential_linter import Linter, copied
from differential_records import Difference, Recorded, kept, mark, note, recorded, write
from differential_subjects import SAMPLE, Subject, packages, sampled

STEPS = """\
import torch
from work.losses import loss_of


def train(model, loader, optimizer, verbose=False):
    for batch in loader:
        loss = loss_of(model(batch))
        loss.backward()
        optimizer.step()
        if verbose:
            print(loss.item())
        torch.cuda.is_available()
"""
LOSSES = """\
import torch


def loss_of(output):
    return torch.nan_to_num(output).sum().item()
"""


@pytest.fixture(scope="module")
def once() -> Iterator[Callable[[Path], Linter]]:
    """Copy the linter of a checkout once for all tests: they do not change it."""
    with ExitStack() as copies:
        yield functools.cache(lambda checkout: copies.enter_context(copied(checkout)))


@pytest.fixture(autouse=True)
def _copied_once(once: Callable[[Path], Linter], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(differential, "copied", lambda checkout: nullcontext(once(checkout)))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    work = tmp_path / "corpus" / "work" / "work"
    work.mkdir(parents=True)
    (work / "__init__.py").touch()
    (work / "steps.py").write_text(STEPS)
    (work / "losses.py").write_text(LOSSES)
    return tmp_path / "corpus"


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of differences that were read, in place of the project's own."""
    folder = tmp_path / "differences"
    monkeypatch.setattr(differential, "READ", folder)
    monkeypatch.setattr(differential, "kept", lambda: kept(folder))
    return folder


def run(*arguments: object) -> int:
    return differential.main([*map(str, arguments)])


def changed(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change each line of a recording, as if the linter of then had said something else."""
    with gzip.open(path, "rt") as file:
        lines = [json.loads(line) for line in file]
    for line in lines[1:]:
        change(line)
    with gzip.open(path, "wt") as file:
        file.write("".join(f"{json.dumps(line)}\n" for line in lines))


@pytest.mark.parametrize("kind", ["findings", "answers"])
def test_the_same_linter_finds_and_answers_the_same(
    kind: str, corpus: Path, read: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(kind, "--record", tmp_path / "then.jsonl.gz", corpus) == 0
    assert run(kind, "--against", tmp_path / "then.jsonl.gz") == 0
    assert "0 differences" in capsys.readouterr().out


def test_a_recording_holds_findings_with_the_text_of_their_fixes(corpus: Path, tmp_path: Path) -> None:
    run("findings", "--record", tmp_path / "then.jsonl.gz", corpus)
    (project,) = recorded(tmp_path / "then.jsonl.gz", "findings").projects()
    found = {one["path"]: one["findings"] for one in project.files}
    assert [one["code"] for one in found["work/losses.py"]] == ["OVH404"]
    codes = {one["code"]: one for one in found["work/steps.py"]}
    assert "_CUDA_IS_AVAILABLE" in json.dumps(codes["OVH602"]["fix"]["edits"])


def test_differences_are_told_kept_and_read(
    corpus: Path, read: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    then = tmp_path / "then.jsonl.gz"
    run("findings", "--record", then, corpus)

    def otherwise(line: dict[str, Any]) -> None:
        if line["path"] == "work/losses.py":
            line["findings"][0]["heat"] = "presumed"

    changed(then, otherwise)
    assert run("findings", "--against", then, "--note", "step.jsonl") == 1
    out = capsys.readouterr().out
    assert "unread" in out
    assert "changed work work/losses.py:5:12 OVH404 heat: presumed -> step" in out
    assert run("mark", "step.jsonl", "wrong", "--reason", "no", "--code", "OVH404") == 0
    assert run("findings", "--against", then, "--note", "step.jsonl") == 1, "more wrong than right"
    assert run("mark", "step.jsonl", "right", "--reason", "a loop calls it", "--again") == 0
    assert run("findings", "--against", then, "--note", "step.jsonl") == 0
    assert "1 differences: 0 unread, 1 right" in capsys.readouterr().out
    (row,) = kept(read).values()
    assert (row["verdict"], row["reason"]) == ("right", "a loop calls it")


def test_what_is_answered_otherwise_is_told_by_what_is_asked_most(
    corpus: Path, read: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    then = tmp_path / "then.jsonl.gz"
    run("answers", "--record", then, corpus)

    def otherwise(line: dict[str, Any]) -> None:
        for question in ("kind", "qualified_name"):
            for row in line["answers"].get(question, ()):
                if row[0] == 5 and row[7] in ("TENSOR", "torch.nan_to_num"):
                    row[7] = "something else"
                    row[5:7] = [1, 0] if question == "kind" else [5, 5]
        for function in line["functions"].values():
            function[2] = "cold"

    changed(then, otherwise)
    assert run("answers", "--against", then) == 1
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("unread")]
    assert "qualified_name answer: something else -> torch.nan_to_num" in told[0]
    assert any("kind answer: something else -> TENSOR" in line for line in told)
    assert "work/losses.py:4:1 heat of function heat: cold -> step" in "\n".join(told)


def test_a_question_that_was_recorded_is_asked_though_nobody_asks_it_now(
    corpus: Path, read: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    then = tmp_path / "then.jsonl.gz"
    run("answers", "--record", then, corpus)

    def more(line: dict[str, Any]) -> None:
        if line["path"] == "work/steps.py":
            line["answers"]["qualified_name"] = [[12, 9, 12, 18, "Attribute", 1, 0, "torch.cpu"]]

    changed(then, more)
    assert run("answers", "--against", then) == 1
    assert "answer: torch.cpu -> torch.cuda" in capsys.readouterr().out


def test_other_sources_than_were_recorded_are_refused(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("findings", "--record", tmp_path / "then.jsonl.gz", corpus)
    (corpus / "work" / "work" / "losses.py").write_text("x = 1\n")
    assert run("findings", "--against", tmp_path / "then.jsonl.gz") == 2
    assert "work: its sources are not those of" in capsys.readouterr().err


def test_wrong_use_is_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.jsonl.gz").write_text("{}")
    (tmp_path / "empty").mkdir()
    write(tmp_path / "answers.jsonl.gz", "answers", "1", {}, [])
    for arguments, said in (
        (["--against", tmp_path / "bad.jsonl.gz"], "bad.jsonl.gz: no recording"),
        (["--against", tmp_path / "answers.jsonl.gz"], "no recording of findings"),
        (["--record", tmp_path / "new.jsonl.gz", tmp_path / "gone"], "gone: no such folder"),
        (["--record", tmp_path / "new.jsonl.gz", tmp_path / "empty"], "no folder in it holds Python"),
        (["--record", tmp_path / "new.jsonl.gz"], "nothing to look at"),
    ):
        assert run("findings", *arguments) == 2
        *_, line = capsys.readouterr().err.splitlines()
        assert said in line
    assert not (tmp_path / "new.jsonl.gz").exists()


FIX = {"applicability": "unsafe", "message": "do not", "edits": [{"line": 3, "text": "y"}]}
FINDING: dict[str, Any] = {
    "line": 3,
    "column": 5,
    "end_line": 3,
    "end_column": 9,
    "code": "OVH404",
    "name": "sync-in-step",
    "message": "reads x",
    "heat": "step",
    "why": "a loop",
    "also": [],
    "fix": FIX,
}


@pytest.mark.parametrize(
    ("now", "what", "parts"),
    [
        ({**FINDING, "heat": "loop", "why": "two"}, "changed", ["heat", "reason"]),
        ({**FINDING, "message": "reads y"}, "changed", ["message"]),
        ({**FINDING, "end_column": 10}, "changed", ["end"]),
        ({**FINDING, "also": [4]}, "changed", ["also"]),
        ({**FINDING, "fix": None}, "changed", ["applicability", "fix message", "fix"]),
        ({**FINDING, "fix": {**FIX, "applicability": "safe"}}, "changed", ["applicability"]),
        ({**FINDING, "fix": {**FIX, "edits": [{"line": 3, "text": "z"}]}}, "changed", ["fix"]),
        (None, "gone", []),
    ],
)
def test_each_part_of_a_finding_is_compared(now: Any, what: str, parts: list[str]) -> None:
    before, after = ([{"path": "a.py", "findings": [one] if one else []}] for one in (FINDING, now))
    (one,) = differential_findings.differences("work", before, after)
    assert (one.what, list(one.parts)) == (what, parts)
    if now is None:
        (new,) = differential_findings.differences("work", after, before)
        assert new.what == "new"


def test_two_findings_of_a_rule_at_a_place_are_two() -> None:
    before = [{"path": "a.py", "findings": [FINDING, FINDING]}]
    (one,) = differential_findings.differences("work", before, [{"path": "a.py", "findings": [FINDING]}])
    assert one.what == "gone"


def test_a_file_that_cannot_be_checked_any_more_is_a_difference() -> None:
    said = [{"path": "", "findings": [], "said": ["a.py:1:1: rule OVH404 failed"]}]
    (one,) = differential_findings.differences("work", [], said)
    assert (one.what, one.code, one.shown) == ("new", "stderr", "a.py:1:1: rule OVH404 failed")


def test_functions_that_come_go_or_change_their_reason_are_told() -> None:
    functions = {".f": [1, 1, "step", "a loop"], ".g": [5, 1, "cold", ""], ".h": [9, 1, "step", "a"]}
    other = {".f": [1, 1, "step", "a hook"], ".i": [7, 1, "cold", ""], ".h": [9, 1, "step", "a"]}
    told = differential_answers.differences(
        "work", [{"path": "a.py", "functions": functions}], [{"path": "a.py", "functions": other}]
    )
    assert [(one.what, one.shown, dict(one.parts)) for one in told] == [
        ("changed", ".f", {"reason": ("a loop", "a hook")}),
        ("gone", ".g cold", {}),
        ("new", ".i cold", {}),
    ]


def test_the_digest_of_a_difference_does_not_depend_on_how_often_it_was_asked() -> None:
    one = Difference("changed", "work", "a.py", 1, 2, "kind", {"answer": ("A", "B")}, "Name", 3)
    assert one.id == one._replace(weight=4).id
    assert one.id != one._replace(parts={"answer": ("A", "C")}).id


def test_projects_come_back_as_they_were_recorded_also_without_findings(tmp_path: Path) -> None:
    projects = [Recorded("a", "1", []), Recorded("b", "2", [{"path": "x.py", "findings": []}])]
    write(tmp_path / "r.gz", "findings", "1", {"a": "/a", "b": ""}, projects)
    assert list(recorded(tmp_path / "r.gz", "findings").projects()) == projects


def test_a_difference_that_is_kept_is_not_noted_twice(tmp_path: Path) -> None:
    one = Difference("gone", "work", "a.py", 1, 2, "OVH404", {}, "a finding")
    assert note(tmp_path / "a.jsonl", [one]) == 1
    assert note(tmp_path / "b.jsonl", [one]) == 0
    assert mark(tmp_path / "a.jsonl", "neutral", "why", [], {"what": "ne*"}, again=False) == 0
    assert mark(tmp_path / "a.jsonl", "neutral", "why", [one.id], {"what": "go*"}, again=False) == 1
    (tmp_path / "c.jsonl").write_text('{"id": "x", "verdict": "maybe"}\n')
    with pytest.raises(CorpusError, match=r"c\.jsonl:1: the verdict is none of"):
        kept(tmp_path)


def test_a_sample_takes_the_smallest_packages_and_one_commit_a_repository(corpus: Path) -> None:
    found = [*packages([corpus]), Subject("large", corpus / "large"), Subject("huge", corpus / "huge")]
    git = corpus / "git"
    found += [Subject(f"commit {number}", None, ("a.py",), (git, str(number))) for number in range(3)]
    sizes = {"work": SAMPLE / 4, "large": SAMPLE / 2, "huge": SAMPLE}
    names = [one.name for one in sampled(found, lambda one: sizes[one.name])]
    assert names == ["work", "large", "commit 0"]


def test_what_is_kept_in_the_project_can_be_read() -> None:
    assert all(row["verdict"] for row in kept(differential_records.READ).values())
