"""Limits of times as multiples of one small operator: ``"3x"``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")

from pytest_overhead.budget_file import BudgetFile, read, write
from pytest_overhead.budgets import Multiple, parse_defaults
from pytest_overhead.merge import merged

Run = Callable[..., pytest.RunResult]
GATE = ("-o", "overhead_gate_times=true")


def one(limit: float) -> BudgetFile:
    return BudgetFile({"t": {"guard_time_hot": limit}})


def test_a_time_may_be_limited_in_times_of_an_operator(run: Run) -> None:
    text = """
@pytest.mark.overhead_budget(guard_time_hot="<= 0.001x")
def test_over(model): model(X)

@pytest.mark.overhead_budget(guard_time_hot="100000x")
def test_kept(model): model(X)
"""
    result = run(text, *GATE)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "guard_time_hot * > *",
            "  guard_time_hot: limit * value * excess *",
            "    (the limit is 0.001x one small operator, which took * here)",
        ]
    )


def test_the_ini_file_and_the_budget_file_may_say_it_too(run: Run, tmp_path: Path) -> None:
    limits = parse_defaults(["guard_time_hot <= 3x", "cuda.guard_time_cold <= 80 x"])
    assert limits == {"guard_time_hot": 3, "cuda.guard_time_cold": 80}
    assert {type(limit) for limit in limits.values()} == {Multiple}
    path = tmp_path / "b.toml"
    path.write_text('schema = 1\n[tests.t]\nguard_time_hot = "3 x"\n')
    content = read(path)
    assert content == one(3.0)
    assert content is not None
    write(path, content)
    assert path.read_text().endswith('guard_time_hot = "3 x"\n')
    write(path, one(Multiple(2.5)))
    assert path.read_text().endswith('guard_time_hot = "2.5x"\n')


def test_updating_leaves_it_as_it_is(run: Run, pytester: pytest.Pytester) -> None:
    path = pytester.path / "overhead-budget.toml"
    test = "test_it.py::test_one"
    write(path, BudgetFile({test: {"guard_time_hot": Multiple(90_000)}}))
    text = "def test_one(model): model(X)\n"
    run(text, "--overhead-tighten").assert_outcomes(passed=1)
    run(text, "--overhead-update").assert_outcomes(passed=1)
    content = read(path)
    assert content is not None
    assert content.tests[test]["guard_time_hot"] == Multiple(90_000)
    assert content.tests[test]["guards"] == 29
    result = run(text, "--overhead-budget", *GATE)
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*higher than needed*")


def test_of_two_multiples_the_lesser_is_the_stricter_and_seconds_are_a_conflict() -> None:
    found, conflicts = merged(one(Multiple(9)), one(Multiple(5)), one(Multiple(4)))
    assert (found, conflicts) == (one(Multiple(4)), [])
    found, conflicts = merged(one(Multiple(9)), one(Multiple(5)), one(1e-6))
    assert found == one(Multiple(5))
    assert conflicts == ["t: guard_time_hot is to be <= 5x and <= 1e-06"]
    found, conflicts = merged(one(Multiple(3)), one(Multiple(3)), one(3.0))
    assert (type(found.tests["t"]["guard_time_hot"]), conflicts) == (float, [])
