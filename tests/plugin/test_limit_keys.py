"""Limits for one kind of device, and bodies that are measured several times."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from overhead_lint.probes import Measurement  # noqa: E402
from pytest_overhead.bad_file import BadFile  # noqa: E402
from pytest_overhead.budget_file import BudgetFile, read, write  # noqa: E402
from pytest_overhead.budget_update import updated  # noqa: E402
from pytest_overhead.budgets import BadBudget, Budget, Exactly, parse_defaults, parse_marker  # noqa: E402
from pytest_overhead.merge import merged  # noqa: E402
from pytest_overhead.repeats import combined  # noqa: E402
from pytest_overhead.session import Options, Result, Session  # noqa: E402

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
        ({"cuda": 3}, "'cuda' holds limits by metric, as in cuda.guard_time_hot; not 3"),
        ({"machine": "x"}, "'machine' holds limits by metric, as in machine.CLASS.guard_time_hot; not 'x'"),
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
    assert updated(session, old).tests[TEST] == {"guards": 9, "cuda.guards": 9, "simulated.guards": 4}
    session.results[TEST] = Result({"guards": 4}, passed=True, device="cpu")
    assert updated(session, old).tests[TEST] == {"guards": 4, "cuda.guards": 9, "simulated.guards": 9}


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


def test_times_are_kept_by_class_of_machines(tmp_path: Path) -> None:
    path = tmp_path / "overhead-budget.toml"
    path.write_text(
        'schema = 1\n[tests."a.py::b"]\nguard_time_hot = "9 us"\n'
        '# the runners\nmachine.ci-large.guard_time_hot = "5 us"  # of March\n'
    )
    content = read(path)
    assert content is not None
    budget = Budget(content.tests["a.py::b"])
    assert budget.on("cpu", "ci-large").limits == {"guard_time_hot": 5e-6}
    assert budget.on("cuda", "laptop").limits == {"guard_time_hot": 9e-6}
    write(path, content)
    assert path.read_text().endswith(
        'guard_time_hot = "9 us"\n# the runners\nmachine.ci-large.guard_time_hot = "5 us"  # of March\n'
    )
    with pytest.raises(BadBudget, match=r"machine.ci.guards: a count is the same on all machines"):
        parse_marker((), {"machine": {"ci": {"guards": 3}}})
    with pytest.raises(BadBudget, match=r"write machine.CLASS.METRIC"):
        parse_marker((), {"machine": {"guard_time_hot": 3}})


def test_times_are_written_with_a_margin_for_this_machine_only() -> None:
    old = BudgetFile({TEST: {"guards": 9, "machine.other.guard_time_hot": 7e-6}})
    options = Options(update=True, times=True)
    session = Session(Path("b.toml"), options, old, machine="mine")
    session.results[TEST] = Result({"guards": 9, "guard_time_hot": 2e-6}, passed=True, device="cpu")
    assert updated(session, old).tests[TEST] == {
        "guards": 9,
        "machine.mine.guard_time_hot": 2.5e-6,
        "machine.other.guard_time_hot": 7e-6,
    }


def test_times_come_into_the_file_where_that_is_asked_for(
    run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERHEAD_MACHINE", "runner-2")
    text = "def test_one(model): model(X)\n"
    run(text, "--overhead-update", "--overhead-times").assert_outcomes(passed=1)
    content = read(pytester.path / "overhead-budget.toml")
    assert content is not None
    timed = {"machine.runner-2.guard_time_hot", "machine.runner-2.guard_time_cold"}
    assert content.tests[TEST].keys() >= timed | {"guards"}
    tight = {**content.tests[TEST], "machine.runner-2.guard_time_hot": 1e-12}
    write(pytester.path / "overhead-budget.toml", BudgetFile({TEST: tight}))
    result = run(text, "--overhead-budget", "-o", "overhead_gate_times=true")
    result.assert_outcomes(failed=1)
    monkeypatch.setenv("OVERHEAD_MACHINE", "elsewhere")
    run(text, "--overhead-budget", "-o", "overhead_gate_times=true").assert_outcomes(passed=1)
    monkeypatch.setenv("OVERHEAD_MACHINE", "no name")
    result = run(text, "--overhead-budget")
    result.stderr.fnmatch_lines(["ERROR: OVERHEAD_MACHINE='no name': name a class with letters*"])
    for options in (["--overhead-times", "--overhead-budget"], ["--overhead-times"]):
        result = run(text, *options)
        result.stderr.fnmatch_lines(["ERROR: --overhead-times goes with --overhead-update"])


def test_counts_that_were_recorded_with_another_torch_only_warn(run: Run, pytester: pytest.Pytester) -> None:
    path = pytester.path / "overhead-budget.toml"
    text = "def test_one(model): model(X)\n"
    write(path, BudgetFile({TEST: {"guards": 3}}, {"torch": "1.0"}))
    result = run(text, "--overhead-budget", "-W", "default::pytest_overhead.OverheadWarning")
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(["*guards 29 > 3; recorded with other versions, so this only warns"])
    run(text, "--overhead-budget", "-o", "overhead_gate_foreign=true").assert_outcomes(failed=1)
    write(
        path, BudgetFile({TEST: {"guards": 3}}, {"torch": __import__("torch").__version__.partition("+")[0]})
    )
    run(text, "--overhead-budget").assert_outcomes(failed=1)


def test_counts_of_the_file_warn_on_a_device_that_it_was_not_recorded_on(
    run: Run, pytester: pytest.Pytester
) -> None:
    path = pytester.path / "overhead-budget.toml"
    text = "def test_one(model): model(X)\n"
    write(path, BudgetFile({TEST: {"guards": 3}}, {"device": "simulated"}))
    result = run(text, "--overhead-budget", "-W", "default::pytest_overhead.OverheadWarning")
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(
        [
            "*guards 29 > 3; recorded on simulated, this is cpu, so this only warns",
            "counts were recorded on simulated, 1 test ran on cpu: they may differ, so they warn; *",
        ]
    )
    run(text, "--overhead-budget", "-o", "overhead_gate_foreign=true").assert_outcomes(failed=1)
    for fingerprint, limits in (
        ({"device": "cpu+simulated"}, {"guards": 3}),
        ({}, {"guards": 3}),
        ({"device": "simulated"}, {"cpu.guards": 3}),
    ):
        write(path, BudgetFile({TEST: limits}, fingerprint))
        run(text, "--overhead-budget").assert_outcomes(failed=1)


@pytest.mark.skipif(torch.version.cuda is not None, reason="the simulated device is for a CPU-only torch")
def test_updates_note_each_kind_of_device(run: Run, pytester: pytest.Pytester) -> None:
    def recorded() -> str:
        content = read(pytester.path / "overhead-budget.toml")
        assert content is not None
        return content.fingerprint["device"]

    text = """
def test_one(model): model(X)
def test_two(simulated_cuda): torch.ones(1, device="cuda")
"""
    run(text, "--overhead-update", "-k", "two").assert_outcomes(passed=1)
    assert recorded() == "simulated"
    run(text, "--overhead-update").assert_outcomes(passed=2)
    assert recorded() == "cpu+simulated"
    run(text, "--overhead-budget").assert_outcomes(passed=2)
