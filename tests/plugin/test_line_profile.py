"""The profile beside the budget file: the lines that made each count, and which came and went since."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")

from overhead_lint.probes.counted_lines import CountedLine
from pytest_overhead import line_profile
from pytest_overhead.bad_file import BadFile
from pytest_overhead.budget_file import BudgetFile, read, write
from pytest_overhead.line_profile import LineProfile

Run = Callable[..., pytest.RunResult]

WAITS = """
import torch

def step(x):
    x = x + 1
    return x.item()

def test_it(simulated_cuda):
    x = torch.ones(2, device="cuda").sum()
    for _ in range(3):
        step(x)
"""
HAS_MORE = WAITS.replace("    return x.item()", "    if bool(x > 0):\n        return x.item()")


@pytest.fixture
def budgets(pytester: pytest.Pytester) -> Path:
    """Where the budget file of the project under test is."""
    return pytester.path / "overhead-budget.toml"


@pytest.fixture
def lines(budgets: Path) -> Path:
    """Where the lines of its counts are."""
    return budgets.with_name("overhead-budget.lines.jsonl")


def test_an_update_writes_the_lines_of_each_count(run: Run, budgets: Path, lines: Path) -> None:
    run(WAITS, "--overhead-update", model=False).assert_outcomes(passed=1)
    found = line_profile.read(lines)
    (line,) = found.lines_of("test_it.py::test_it", "stream_sync")
    assert line == CountedLine("test_it.py", "return x.item()", "forward", 3, operators=(("item", 3),))
    text = lines.read_text()
    assert text == line_profile.as_text(found)
    run(WAITS, "--overhead-update", model=False).assert_outcomes(passed=1)
    assert lines.read_text() == text
    # Lines above it move a line, and do not change what is kept of it.
    run("\n\n\n" + WAITS, "--overhead-update", model=False).assert_outcomes(passed=1)
    assert lines.read_text() == text


def test_a_failure_names_what_came_first(run: Run, budgets: Path) -> None:
    run(WAITS, "--overhead-update", model=False)
    result = run(HAS_MORE, "--overhead-budget", model=False)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "stream_sync 6 > 3: +3 at test_it.py:5 (is_nonzero), was 0",
            "test_it.py::test_it",
            "  stream_sync: limit 3, value 6, excess 3",
            "    since it was recorded:",
            "      +3 at test_it.py:5 `if bool(x > 0):` forward (is_nonzero), was 0",
            "    all lines:",
            "    test_it.py:5  3 x forward (is_nonzero)",
            "    test_it.py:6  3 x forward (item)",
        ]
    )


def test_a_count_that_was_zero_has_known_lines(run: Run, budgets: Path) -> None:
    run(WAITS.replace("x.item()", "x"), "--overhead-update", model=False)
    result = run(WAITS, "--overhead-budget", model=False)
    result.stdout.fnmatch_lines(["stream_sync 3 > 0: +3 at test_it.py:5 (item), was 0"])


def test_what_went_stands_behind_what_came(run: Run, budgets: Path) -> None:
    run(WAITS, "--overhead-update", model=False)
    tests = HAS_MORE.replace("        return x.item()", "        return float(x) + bool(x)")
    result = run(tests, "--overhead-budget", model=False)
    result.stdout.fnmatch_lines(
        [
            "    since it was recorded:",
            "      +6 at test_it.py:6 `return float(x) + bool(x)` forward (3 is_nonzero, 3 item), was 0",
            "      +3 at test_it.py:5 `if bool(x > 0):` forward (is_nonzero), was 0",
            "      -3 at test_it.py `return x.item()` forward (item), was 3, is gone",
        ]
    )


def test_guards_are_told_by_line_too(run: Run, budgets: Path) -> None:
    test = "\ndef test_it(model): model(X)\n"
    run(test, "--overhead-update").assert_outcomes(passed=1)
    grown = test + "\n@pytest.fixture\ndef model():\n    torch._dynamo.reset()\n"
    grown += '    return torch.compile(Model(5), backend="eager")\n'
    result = run(grown, "--overhead-budget")
    result.stdout.fnmatch_lines(["guards 37 > 29: +* at test_it.py:*, was *"])


def test_github_annotates_the_line_that_came(
    run: Run, budgets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(WAITS, "--overhead-update", model=False)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    result = run(HAS_MORE, "--overhead-budget", model=False)
    told = "test_it.py::test_it: stream_sync 6 > 3: +3 at test_it.py:5 (is_nonzero), was 0"
    result.stdout.fnmatch_lines([f"::error file=test_it.py,line=5,title=over budget::{told}"])


def test_github_says_at_each_line_what_that_line_did(
    run: Run, budgets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    test = """
import pytest
import torch

@pytest.mark.overhead_budget(stream_sync=0, event_record=0)
def test_it(simulated_cuda):
    x = torch.ones(2, device="cuda").sum()
    x.item()
    torch.cuda.Event().record()
"""
    result = run(test, "--overhead-budget", model=False)
    result.assert_outcomes(failed=1)
    assert [line for line in result.outlines if line.startswith("::error ")] == [
        "::error file=test_it.py,line=7,title=over budget::test_it.py::test_it: stream_sync 1 > 0",
        "::error file=test_it.py,line=8,title=over budget::test_it.py::test_it: event_record 1 > 0",
    ]


def test_an_update_names_the_line_that_raised_a_count(run: Run, budgets: Path) -> None:
    run(WAITS, "--overhead-update", model=False)
    result = run(HAS_MORE, "--overhead-update", model=False)
    result.stdout.fnmatch_lines(
        ["RAISED   test_it.py::test_it stream_sync 3 -> 6: +3 at test_it.py:5 (is_nonzero), was 0"]
    )


def test_lines_of_tests_that_did_not_run_stay_and_those_of_entries_that_are_gone_go(
    run: Run, budgets: Path, lines: Path
) -> None:
    kept = (CountedLine("a.py", "a.item()", "forward", 2),)
    write(budgets, BudgetFile({"t.py::other": {"stream_sync": 2}}, {}))
    line_profile.write(
        lines, LineProfile({"t.py::other": {"stream_sync": kept}, "t.py::gone": {"alloc": kept}})
    )
    run(WAITS, "--overhead-update", model=False).assert_outcomes(passed=1)
    assert line_profile.read(lines).tests.keys() == {"t.py::other", "test_it.py::test_it"}
    assert line_profile.read(lines).lines_of("t.py::other", "stream_sync") == kept


def test_tightening_keeps_the_lines_that_are_left(run: Run, budgets: Path, lines: Path) -> None:
    run(HAS_MORE, "--overhead-update", model=False)
    run(WAITS, "--overhead-tighten", model=False).assert_outcomes(passed=1)
    found = line_profile.read(lines).lines_of("test_it.py::test_it", "stream_sync")
    assert [(line.text, line.amount) for line in found] == [("return x.item()", 3)]


def test_a_damaged_profile_is_one_line_and_hides_no_failure(run: Run, budgets: Path, lines: Path) -> None:
    run(WAITS, "--overhead-update", model=False)
    text = budgets.read_text()
    lines.write_text(lines.read_text() + "<<<<<<< ours\n")
    result = run(HAS_MORE, "--overhead-budget", model=False)
    result.assert_outcomes(failed=1)
    number = len(lines.read_text().splitlines())
    why = f"{lines}:{number}: no line of a profile; remove the file, and write it anew with --overhead-update"
    result.stdout.fnmatch_lines(["stream_sync 6 > 3", f"    ({why})"])
    result = run(HAS_MORE, "--overhead-update", model=False)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines([f"ERROR: {why}"])
    assert budgets.read_text() == text


def test_a_newer_schema_is_refused(lines: Path) -> None:
    lines.write_text('{"lines_of": "overhead-budget.toml", "schema": 2}\n')
    with pytest.raises(BadFile, match="schema 2 is newer than 1"):
        line_profile.read(lines)


def test_a_budget_without_a_profile_fails_as_ever(run: Run, budgets: Path, lines: Path) -> None:
    run(WAITS, "--overhead-update", model=False)
    lines.unlink()
    result = run(HAS_MORE, "--overhead-budget", model=False)
    result.stdout.fnmatch_lines(["stream_sync 6 > 3", "test_it.py::test_it"])
    result.stdout.no_fnmatch_line("*since it was recorded*")
    assert read(budgets) is not None
