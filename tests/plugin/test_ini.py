"""What the ini file sets: limits for all tests, whether times fail tests, and where the budget file lies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")

from pytest_overhead.budget_file import BudgetFile, write

Run = Callable[..., pytest.RunResult]

DEFAULTS = "overhead_budget_defaults="


def test_defaults_hold_where_neither_marker_nor_file_limits_and_something_is_measured(
    run: Run, pytester: pytest.Pytester
) -> None:
    write(pytester.path / "overhead-budget.toml", BudgetFile({"test_it.py::test_filed": {"guards": 29}}, {}))
    text = """
def test_over(model): model(X)

def test_filed(model): model(X)

@pytest.mark.overhead_budget(guards=29)
def test_marked(model): model(X)

def test_eager(): X + 1
"""
    result = run(text, "--overhead-budget", "-o", f"{DEFAULTS}guards <= 28\nrecompiles == 0")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["OVER BUDGET test_it.py::test_over - *guards 29 > 28"])
    run(text, "-o", f"{DEFAULTS}guards=28").assert_outcomes(passed=4)


def test_defaults_hold_without_a_file_and_the_header_says_so(run: Run) -> None:
    result = run("def test_over(model): model(X)\n", "--overhead-budget", "-o", f"{DEFAULTS}guards = 28")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*enforcing markers, fixtures and ini defaults only",
            "*but markers, fixtures and ini defaults. Next:",
        ]
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("gaurds <= 3", "unknown metric 'gaurds'; did you mean 'guards'?"),
        ("guards", "'guards': write for instance guards <= 40"),
        ("guards >= 3", "guards='>= 3': write a number or text such as '40'"),
        ("guards <= 3\nguards <= 4", "'guards <= 4': another line limits guards already"),
    ],
)
def test_a_senseless_default_is_a_usage_error(run: Run, line: str, message: str) -> None:
    result = run("def test_a(): pass\n", "--overhead-budget", "-o", DEFAULTS + line, model=False)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert f"overhead_budget_defaults: {message}" in result.stderr.str()
    assert "Traceback" not in result.stderr.str()


@pytest.mark.parametrize("name", ["overhead_gate_foreign", "overhead_gate_times"])
def test_what_is_neither_true_nor_false_is_a_usage_error(run: Run, name: str) -> None:
    result = run("def test_a(): pass\n", "--overhead-budget", "-o", f"{name}=maybe", model=False)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: *: {name}: invalid truth value 'maybe'; write true or false"])


def test_a_time_to_wait_for_ranks_that_makes_no_sense_is_told_without_ranks_too(run: Run) -> None:
    marked = "import pytest\n@pytest.mark.overhead_budget(dispatches=1)\ndef test_a(): pass\n"
    for args in (["--overhead-budget"], []):
        result = run(marked, *args, "-o", "overhead_rank_timeout=soon", model=False)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["ERROR: *: overhead_rank_timeout: 'soon': write a number of seconds*"])


def test_a_pytest_that_is_too_old_is_refused_where_something_is_asked_of_the_plugin(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pytest, "version_tuple", (7, 4, 4))
    plain = "def test_a(): pass\n"
    run(plain, model=False).assert_outcomes(passed=1)
    marked = f"import pytest\n@pytest.mark.overhead_budget(dispatches=1)\n{plain}"
    for text, args in ((plain, ["--overhead-budget"]), (marked, [])):
        result = run(text, *args, model=False)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["ERROR: overhead: needs pytest 8 or newer, not *"])


def test_times_over_their_limits_warn_and_fail_only_when_they_gate(run: Run) -> None:
    text = """
@pytest.mark.overhead_budget(guard_time_hot=0, guards=29)
def test_slow(model): model(X)

@pytest.mark.overhead_budget(guard_time_hot=0, guards=28)
def test_count(model): model(X)

@pytest.mark.overhead_budget(guard_time_hot=1)
def test_unmeasured(): X + 1
"""
    result = run(text, "-W", "default::pytest_overhead.OverheadWarning")
    result.assert_outcomes(passed=1, failed=2, warnings=2)
    result.stdout.fnmatch_lines(
        [
            "*OverheadWarning: test_it.py::test_slow: guard_time_hot * > 0 *",
            "OVER BUDGET test_it.py::test_count - *guards 29 > 28",
            "NOT MEASURED test_it.py::test_unmeasured*",
        ]
    )
    result = run(text, "-W", "error::pytest_overhead.OverheadWarning")
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(
        [
            "*_ test_slow _*",
            "OverheadWarning: test_it.py::test_slow: guard_time_hot * > 0 *",
            "*_ test_count _*",
            "guards 29 > 28",
            "OverheadWarning: test_it.py::test_count: guard_time_hot * > 0 *",
        ]
    )
    result.stdout.no_fnmatch_line("*pytest_overhead/*")
    result = run(text, "-o", "overhead_gate_times=true", "-k", "slow")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["OVER BUDGET test_it.py::test_slow - *guard_time_hot * > 0 *"])


def test_a_root_that_was_guessed_below_the_file_is_refused(
    native_cache: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    budgets = pytester.path / "overhead-budget.toml"
    below = pytester.mkdir("below")
    (below / "test_it.py").write_text("def test_plain(): pass\n")
    write(budgets, BudgetFile({"below/test_it.py::test_plain": {"guards": 3}}, {}))
    monkeypatch.chdir(below)
    options = ("-p", "no:cacheprovider", "-p", "no:asyncio", "-p", "no:hypothesispytest")
    for option in ("--overhead-budget", "--overhead-update"):
        result = pytester.runpytest_inprocess(*options, option)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        told = f"ERROR: {budgets}: is not that of {below}, * --rootdir={budgets.parent}"
        result.stderr.fnmatch_lines([told])
    pytester.runpytest_inprocess(*options).assert_outcomes(passed=1)
    held = pytester.runpytest_inprocess(*options, f"--rootdir={budgets.parent}", "--overhead-budget")
    held.stdout.fnmatch_lines(["1 of 1 budgets of overhead-budget.toml checked, 1 not kept"])
    (below / ".git").touch()
    pytester.runpytest_inprocess(*options, "--overhead-budget").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("entry", "refused"),
    [
        ("below/test_it.py::test_plain", True),
        ("below/test_it.py::*", True),
        ("bel*", True),
        ("below_it/test_it.py::test_plain", False),
        ("other/*", False),
    ],
)
def test_a_root_with_an_ini_file_below_the_file_that_has_its_budgets_is_refused(
    native_cache: Path, pytester: pytest.Pytester, entry: str, refused: bool
) -> None:
    budgets = pytester.path / "overhead-budget.toml"
    pytester.makeini("[pytest]\n")
    below = pytester.mkdir("below")
    (below / "pytest.ini").write_text("[pytest]\n")
    (below / "test_it.py").write_text("def test_plain(): pass\n")
    write(budgets, BudgetFile({entry: {"guards": 3}}, {}))
    options = (
        "-p",
        "no:cacheprovider",
        "-p",
        "no:asyncio",
        "-p",
        "no:hypothesispytest",
        "--overhead-budget",
        "below",
    )
    result = pytester.runpytest_inprocess(*options)
    assert result.ret == (pytest.ExitCode.USAGE_ERROR if refused else pytest.ExitCode.OK)
    if refused:
        told = (
            f"ERROR: {budgets}: has budgets for tests in below, and is not read, since {below}/pytest.ini *"
        )
        result.stderr.fnmatch_lines([told])
        held = pytester.runpytest_inprocess(*options, "-c", str(pytester.path / "tox.ini"))
        held.stdout.fnmatch_lines(["1 of 1 budgets of overhead-budget.toml checked, 1 not kept"])
        (below / budgets.name).write_text("schema = 1\n")
        assert pytester.runpytest_inprocess(*options).ret == pytest.ExitCode.OK


def test_tests_that_are_only_collected_have_no_summary(run: Run, pytester: pytest.Pytester) -> None:
    write(pytester.path / "overhead-budget.toml", BudgetFile({"test_it.py::test_one": {"guards": 3}}, {}))
    result = run("def test_one(): pass\n", "--overhead-budget", "--collect-only", model=False)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.no_fnmatch_line("*= overhead =*")
