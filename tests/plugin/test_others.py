"""Works with other plugins, with doctests and subtests, and with tests that are left out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")

from pytest_overhead.budget_file import BudgetFile, read, write

Run = Callable[..., pytest.RunResult]


@pytest.fixture
def budgets(pytester: pytest.Pytester) -> Path:
    """Where the budget file of the project under test is."""
    return pytester.path / "overhead-budget.toml"


def limits(path: Path) -> dict[str, dict[str, float]]:
    content = read(path)
    return {} if content is None else {test: dict(limits) for test, limits in content.tests.items()}


def test_rerunfailures_the_last_run_counts(run: Run, budgets: Path) -> None:
    pytest.importorskip("pytest_rerunfailures", reason="needs pytest-rerunfailures")
    text = """
calls = []

def test_flaky(model):
    calls.append(model(X))
    if len(calls) == 1:
        model(X.int())
        raise AssertionError("the first time")

@pytest.mark.overhead_budget(guards=3)
def test_over(model): model(X)
"""
    result = run(text, "--overhead-update", "--reruns=1")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*, 2 rerun in *"])
    assert limits(budgets).keys() == {"test_it.py::test_flaky"}
    assert limits(budgets)["test_it.py::test_flaky"]["guards"] == 29
    assert limits(budgets)["test_it.py::test_flaky"]["recompiles"] == 0


def test_rerunfailures_a_block_that_was_over_before_is_forgotten(run: Run, budgets: Path) -> None:
    pytest.importorskip("pytest_rerunfailures", reason="needs pytest-rerunfailures")
    text = """
calls = []

def test_flaky(overhead_budget):
    calls.append(1)
    with overhead_budget(dispatches=99 * (len(calls) - 1)):
        X + 1
"""
    write(budgets, BudgetFile({"test_it.py::test_other": {"guards": 3}}, {}))
    result = run(text, "--overhead-budget", "--reruns=1")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["0 of 1 budgets of overhead-budget.toml checked, 0 not kept", "*, 1 rerun in *"]
    )


def test_timeout_ends_a_test_and_not_the_measuring(run: Run) -> None:
    pytest.importorskip("pytest_timeout", reason="needs pytest-timeout")
    result = run("""
import time

@pytest.mark.timeout(0.2, method="signal")
@pytest.mark.overhead_budget(guards=0, repeat=2)
def test_late(model):
    time.sleep(20)
    model(X)

@pytest.mark.timeout(300)
@pytest.mark.overhead_budget(guards=28)
def test_over(model): model(X)
""")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        ["FAILED test_it.py::test_late - *Timeout*", "OVER BUDGET test_it.py::test_over - *guards 29 > 28"]
    )


def test_hypothesis_the_marker_takes_all_examples_and_the_fixture_each_block(run: Run) -> None:
    pytest.importorskip("hypothesis")
    text = """
import pytest, torch
from hypothesis import HealthCheck, given, settings, strategies

allowed = [HealthCheck.function_scoped_fixture]
once = settings(max_examples=5, database=None, derandomize=True, suppress_health_check=allowed)
examples = 0

@pytest.mark.overhead_budget(dispatches="== 5")
@once
@given(strategies.integers(0, 100))
def test_all(n): torch.empty(1)

@once
@given(strategies.integers(0, 100))
def test_each(overhead_budget, n):
    global examples
    examples += 1
    with overhead_budget(dispatches="== 1") as m:
        torch.empty(1)

def test_examples(): assert examples == 5

@settings(database=None)
@given(strategies.integers(0, 100))
def test_unasked(overhead_budget, n): pass
"""
    result = run(text, "-p", "hypothesispytest", model=False)
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["*FailedHealthCheck: *uses a function-scoped fixture 'overhead_budget'*"])


def test_asyncio_coroutines_are_measured(run: Run) -> None:
    pytest.importorskip("pytest_asyncio", reason="needs pytest-asyncio")
    result = run(
        """
import asyncio

@pytest.mark.asyncio
@pytest.mark.overhead_budget(guards=29, warmup=1, repeat=2)
async def test_kept(model):
    await asyncio.sleep(0)
    model(X)

@pytest.mark.asyncio
@pytest.mark.overhead_budget(guards=28)
async def test_over(model):
    await asyncio.sleep(0)
    model(X)
""",
        "-p",
        "pytest_asyncio.plugin",
        "-o",
        "asyncio_default_fixture_loop_scope=function",
    )
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["OVER BUDGET test_it.py::test_over - *guards 29 > 28"])


def test_subtests_are_parts_of_the_body(run: Run, budgets: Path) -> None:
    if not hasattr(pytest, "Subtests"):
        pytest.skip("needs pytest 9, which has subtests")
    text = """
import unittest

def test_kept(model, subtests):
    for size in (1, 2):
        with subtests.test(size=size):
            model(X)

def test_broken(model, subtests):
    with subtests.test("bad"):
        model(X)
        assert not "mine"

class TestCase(unittest.TestCase):
    def test_unit(self):
        torch._dynamo.reset()
        model = torch.compile(Model(3), backend="eager")
        for size in (1, 2):
            with self.subTest(size=size):
                model(X)
"""
    result = run(text, "--overhead-update")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert limits(budgets).keys() == {"test_it.py::test_kept", "test_it.py::TestCase::test_unit"}
    assert {test["guards"] for test in limits(budgets).values()} == {29}


def test_a_subtest_that_fails_fails_once(run: Run) -> None:
    if not hasattr(pytest, "Subtests"):
        pytest.skip("needs pytest 9, which has subtests")
    text = """
import unittest

@pytest.mark.overhead_budget(dispatches=0, warmup=1, repeat=2)
def test_broken(subtests):
    for size in (1, 2):
        with subtests.test(size=size):
            assert not (X + 1).numel()

class TestCase(unittest.TestCase):
    @pytest.mark.overhead_budget(dispatches=0)
    def test_unit(self):
        for size in (1, 2):
            with self.subTest(size=size):
                assert not (X + 1).numel()
"""
    result = run(text)
    told = [line for line in result.outlines if line.startswith("SUBFAIL")]
    assert len(told) == len(set(told)) == 4
    result.stdout.no_fnmatch_line("dispatches * > 0*")


def test_doctests_are_left_alone(run: Run, pytester: pytest.Pytester, budgets: Path) -> None:
    pytester.makepyfile(lib='def double(x):\n    """\n    >>> double(2)\n    4\n    """\n    return 2 * x\n')
    options = ("--doctest-modules", "lib.py", "test_it.py")
    run("def test_one(model): model(X)\n", "--overhead-update", *options).assert_outcomes(passed=2)
    assert limits(budgets).keys() == {"test_it.py::test_one"}
    run("", "--overhead-strict", *options).assert_outcomes(passed=2)
    write(budgets, BudgetFile({"lib.py::*": {"guards": 3}}))
    result = run("", "--overhead-budget", *options)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*guards: cannot be measured: only test functions can be measured"])


def test_tests_that_do_not_run_keep_their_entries(pytester: pytest.Pytester, run: Run, budgets: Path) -> None:
    entries: dict[str, dict[str, float]] = {
        f"test_it.py::test_{name}": {"guards": 9} for name in ("one", "two", "gone")
    }
    write(budgets, BudgetFile(entries))
    run("def test_one(model): model(X)\ndef test_two(model): model(X) + 1 / 0\n", "--co", "-q")
    pytester.makeini("[pytest]\naddopts = -p no:logging -p no:asyncio -p no:hypothesispytest")
    pytester.runpytest_inprocess("--overhead-update").assert_outcomes(passed=1, failed=1)
    assert limits(budgets)["test_it.py::test_one"]["guards"] == 29
    write(budgets, BudgetFile(entries))
    path = pytester.path / "test_it.py"
    path.write_text(path.read_text().replace(" + 1 / 0", ""))
    pytester.runpytest_inprocess("--overhead-update", "--lf").assert_outcomes(passed=1)
    after = limits(budgets)
    assert (after["test_it.py::test_two"]["guards"], after["test_it.py::test_one"]) == (29, {"guards": 9})
    assert after["test_it.py::test_gone"] == {"guards": 9}


def test_without_the_plugin_its_file_is_ignored(pytester: pytest.Pytester, run: Run, budgets: Path) -> None:
    write(budgets, BudgetFile({"test_it.py::test_one": {"guards": 1}}))
    run("def test_one(model): model(X)\n", "-p", "no:overhead").assert_outcomes(passed=1)


def test_fixtures_of_classes_and_modules_are_no_part_of_a_body(run: Run) -> None:
    result = run("""
@pytest.fixture(scope="module")
def shared():
    torch._dynamo.reset()
    call = torch.compile(Model(3), backend="eager")
    call(X)
    return call

@pytest.fixture(scope="class", autouse=True)
def busy():
    torch.compile(lambda x: x + 1, backend="eager")(X)
    yield
    X.neg()

@pytest.mark.overhead_budget(guards="== 29", recompiles=0)
class TestShared:
    def test_first(self, shared): shared(X)
    def test_second(self, shared): shared(X)

@pytest.mark.overhead_budget(dispatches=0)
class TestApart:
    def test_nothing(self, shared): pass
""")
    result.assert_outcomes(passed=3)


def test_a_marker_alone_has_its_letter_under_xdist_too(run: Run) -> None:
    pytest.importorskip("xdist")
    text = "@pytest.mark.overhead_budget(guards=3)\ndef test_over(model): model(X)\n"
    result = run(text, "-n", "1", "-p", "xdist")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["B*", "OVER BUDGET test_it.py::test_over*"])
