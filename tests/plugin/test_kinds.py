"""Limits for one kind of device, and bodies that are measured several times."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")

from overhead_lint.probes import Measurement
from pytest_overhead.budgets import BadBudget, Budget, Exactly, parse_defaults, parse_marker
from pytest_overhead.file import BadFile, BudgetFile, read, write
from pytest_overhead.merge import merged
from pytest_overhead.repeats import combined
from pytest_overhead.session import Options, Result, Session

Run = Callable[..., pytest.RunResult]

TEST = "test_it.py::test_one"


def test_a_limit_of_the_device_wins_over_the_one_for_all() -> None:
    budget = parse_marker((), {"guards": 40, "cuda": {"guards": 30, "event_record": "== 2"}, "repeat": 3})
    assert budget.metrics == {"guards", "event_record"}
    assert budget.on("cuda").limits == {"guards": 30, "event_record": 2}
    assert budget.on("simulated").limits == {"guards": 40}
    assert (budget.repeat, budget.warmup) == (3, 0)


@pytest.mark.parametrize(
    ("declared", "complaint"),
    [
        ({"tpu": {"guards": 3}}, "'tpu' is no kind of device (cpu, cuda, simulated)"),
        ({"cuda": {"gards": 3}}, "gards"),
        ({"cuda": {"guards": -1}}, "0 or more"),
        ({"guards": 1, "repeat": 0}, "repeat=0: a number of calls, 1 or more"),
    ],
)
def test_what_makes_no_sense_is_refused(declared: dict[str, object], complaint: str) -> None:
    with pytest.raises(BadBudget, match=re.escape(complaint)):
        parse_marker((), declared)


def test_a_nearer_limit_for_all_devices_wins_over_a_farther_one_for_a_device() -> None:
    file = BudgetFile({"test_it.py::*": {"cuda.guards": 30, "cuda.event_record": 1}, TEST: {"guards": 50}})
    session = Session(Path("b.toml"), Options(enforce=True), file, parse_defaults(["cuda.recompiles <= 2"]))
    plan = session.plan(TEST, Budget({"cuda.event_record": 5}), fixture=False)
    assert plan is not None
    assert plan.budget.limits == {"cuda.recompiles": 2, "guards": 50, "cuda.event_record": 5}
    assert plan.budget.on("cuda").defaults == {"recompiles"}


def test_the_file_keeps_both_spellings_with_comments(tmp_path: Path) -> None:
    path = tmp_path / "overhead-budget.toml"
    path.write_text(
        'schema = 1\n[tests."a.py::b"]\nguards = 3\n# why\n[tests."a.py::b".cuda]  # of a device\n'
        'event_record = 2  # two\n[tests."a.py::c"]\ncuda.guards = "== 4"\n'
    )
    content = read(path)
    assert content is not None
    assert content.tests["a.py::b"] == {"guards": 3, "cuda.event_record": 2}
    assert isinstance(content.tests["a.py::c"]["cuda.guards"], Exactly)
    write(path, content)
    assert path.read_text().partition("[tests")[2] == (
        '."a.py::b"]\nguards = 3\n# why\n# of a device\ncuda.event_record = 2  # two\n\n'
        '[tests."a.py::c"]\ncuda.guards = "== 4"\n'
    )
    written = path.read_text()
    write(path, content)
    assert path.read_text() == written


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ("tpu.guards = 3", ":3: 'tpu' is no kind of device"),
        ("cuda.guards = -3", ":3: guards=-3: a limit is 0 or more"),
        ('"cuda.guards" = 3', ":3: 'cuda.guards': leave the quotes out"),
    ],
)
def test_errors_in_the_file_name_the_line(tmp_path: Path, entry: str, complaint: str) -> None:
    path = tmp_path / "overhead-budget.toml"
    path.write_text(f'schema = 1\n[tests."a.py::b"]\n{entry}\n')
    with pytest.raises(BadFile) as caught:
        read(path)
    assert complaint in str(caught.value)


def test_merging_takes_each_device_by_itself() -> None:
    base = BudgetFile({TEST: {"guards": 9, "cuda.guards": 9}})
    ours = BudgetFile({TEST: {"guards": 9, "cuda.guards": 7}})
    theirs = BudgetFile({TEST: {"guards": 8, "cuda.guards": 5}})
    assert merged(base, ours, theirs) == (BudgetFile({TEST: {"guards": 8, "cuda.guards": 5}}), [])


@pytest.mark.parametrize("writing", ["update", "tighten"])
def test_counts_go_to_the_limit_of_the_device_they_were_measured_on(writing: str) -> None:
    old = BudgetFile({TEST: {"guards": 9, "cuda.guards": 9, "simulated.guards": 9}})
    session = Session(Path("b.toml"), Options(update=writing == "update", tighten=writing == "tighten"), old)
    session.results[TEST] = Result({"guards": 4}, passed=True, device="simulated")
    assert session.updated(old).tests[TEST] == {"guards": 9, "cuda.guards": 9, "simulated.guards": 4}
    session.results[TEST] = Result({"guards": 4}, passed=True, device="cpu")
    assert session.updated(old).tests[TEST] == {"guards": 4, "cuda.guards": 9, "simulated.guards": 9}


def test_a_test_is_held_to_the_limits_of_its_device(run: Run) -> None:
    result = run(
        "@pytest.mark.overhead_budget(guards=3, cpu={'guards': 29})\ndef test_kept(model): model(X)\n"
        "@pytest.mark.overhead_budget(guards=29, cpu={'guards': 3})\ndef test_over(model): model(X)\n"
        "@pytest.mark.overhead_budget(cuda={'guards': 3})\ndef test_elsewhere(model): model(X)\n"
    )
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["guards 29 > 3", "test_it.py::test_over"])


def test_repeats_agree_on_counts_and_take_the_least_time() -> None:
    runs = [
        Measurement({"guards": 3, "recompiles": count, "guard_time_hot": time}, {}, {"alloc": "no device"})
        for count, time in ((1, 3e-6), (0, 1e-6), (0, 2e-6))
    ]
    measurement, differing = combined(runs)
    assert measurement.values == {"guards": 3, "guard_time_hot": 1e-6}
    assert measurement.unavailable == {
        "alloc": "no device",
        "recompiles": "differs between 3 repeats: 1, 0, 0",
    }
    assert differing == {"recompiles"}


def test_a_count_that_differs_between_repeats_fails_the_test(run: Run) -> None:
    result = run(
        "Y = [torch.ones(2), torch.ones(2, dtype=torch.int), torch.ones(2)]\n"
        "@pytest.mark.overhead_budget(recompiles=1, guards=10**6, repeat=3)\n"
        "def test_differs(model):\n    model(Y.pop())\n"
        "@pytest.mark.overhead_budget(recompiles=0, warmup=1, repeat=3)\n"
        "def test_agrees(model):\n    model(X)\n"
    )
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*recompiles differs between 3 repeats: 0, 1, 0*",
            "test_it.py::test_differs",
            "NOT REPEATABLE test_it.py::test_differs*",
        ]
    )
