"""The budget file: first use, writing, enforcing, and what is wrong with a damaged one."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

pytest.importorskip("torch")

from pytest_overhead.bad_file import BadFile
from pytest_overhead.budget_file import BudgetFile, read, write
from pytest_overhead.budgets import Exactly

Run = Callable[..., pytest.RunResult]

TWO = """
def test_one(model): model(X)

def test_two(model):
    torch.compile(Model(5), backend="eager")(X)

def test_plain(): pass
"""


@pytest.fixture
def budgets(pytester: pytest.Pytester) -> Path:
    """Where the budget file of the project under test is."""
    return pytester.path / "overhead-budget.toml"


def test_first_use_shows_costs_and_next_steps_and_enforces_nothing(run: Run, budgets: Path) -> None:
    result = run(TWO, "--overhead-budget")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(
        [
            "overhead: no overhead-budget.toml: measuring, enforcing markers and fixtures only",
            "*= overhead =*",
            "test *graph_breaks  guards  recompiles",
            "test_it.py::test_two * 0 * 37 * 0",
            "test_it.py::test_one * 0 * 29 * 0",
            "  pytest --overhead-update * writes these counts to overhead-budget.toml; commit it",
        ]
    )
    result.stdout.no_fnmatch_line("*test_plain*")
    assert not budgets.exists()


@pytest.mark.parametrize(("meanwhile", "kept"), [("31", 31), ('"== 31"', 31), ("3", 29)])
def test_an_update_keeps_the_larger_count_that_another_session_wrote_meanwhile(
    run: Run, budgets: Path, meanwhile: str, kept: int
) -> None:
    table = 'schema = 1\n[tests."test_it.py::test_one"]\nguards = {}\n'
    budgets.write_text(table.format(50))
    text = table.format(meanwhile)
    body = f"model(X); __import__('pathlib').Path('overhead-budget.toml').write_text({text!r})"
    run(f"def test_one(model): {body}\n", "--overhead-update").assert_outcomes(passed=1)
    file = read(budgets)
    assert file is not None and file.tests["test_it.py::test_one"]["guards"] == kept


def test_update_writes_sorted_counts_that_the_next_run_enforces(run: Run, budgets: Path) -> None:
    run(TWO, "--overhead-update").assert_outcomes(passed=3)
    text = budgets.read_text()
    assert text.endswith(
        "[fingerprint]\n"
        f'device = "cpu"\npython = "{".".join(map(str, __import__("sys").version_info[:2]))}"\n'
        f'torch = "{metadata.version("torch")}"\n'
        '\n[tests."test_it.py::test_one"]\ngraph_breaks = 0\nguards = 29\nrecompiles = 0\n'
        '\n[tests."test_it.py::test_two"]\ngraph_breaks = 0\nguards = 37\nrecompiles = 0\n'
    )
    assert "schema = 1\n" in text
    result = run("", "--overhead-budget")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["2 of 2 budgets of overhead-budget.toml checked, 0 not kept"])
    result = run(TWO.replace("Model(5)", "Model(6)"), "--overhead-budget")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            "guards 41 > 37: *, was *, and 2 more changes",
            "2 of 2 budgets * checked, 1 not kept",
            "OVER BUDGET *",
        ]
    )
    assert budgets.read_text() == text


def test_budgets_of_tests_that_are_gone_are_named(run: Run, budgets: Path) -> None:
    entries = ("gone.py::test_x", "test_it.py::test_one", "test_it.py::test_old[3]", "test_it.py::*gone")
    write(budgets, BudgetFile({entry: {"guards": 1000} for entry in entries}, {}))
    told = "overhead-budget.toml has budgets without a test: rename or remove these entries:"
    gone = [told, "  gone.py::test_x", "  test_it.py::test_old[[]3]"]
    result = run(TWO, "--overhead-budget")
    result.stdout.fnmatch_lines(["1 of 4 budgets * checked, 0 not kept", *gone])
    result.stdout.no_fnmatch_line("  test_it.py::test_one")
    result.stdout.no_fnmatch_line("  test_it.py::?gone")
    # Where tests are chosen, only what is there can be told.
    run(TWO, "--overhead-budget", "-k", "plain").stdout.fnmatch_lines(gone)
    result = run(TWO, "--overhead-budget", "test_it.py::test_two")
    result.stdout.fnmatch_lines(gone[:2])
    result.stdout.no_fnmatch_line(gone[2])


def test_without_the_flag_the_file_is_not_even_read(run: Run, budgets: Path) -> None:
    budgets.write_text("damaged [")
    run(TWO).assert_outcomes(passed=3)


def test_update_leaves_tests_alone_that_did_not_run_or_failed(run: Run, budgets: Path) -> None:
    tests: dict[str, dict[str, float]] = {
        "test_it.py::test_one": {"guards": 1000},
        "test_it.py::test_two": {"guards": 1000},
        "test_it.py::test_fails": {"guards": 1000},
        "elsewhere.py::test_gone": {"guard_time_hot": 1e-5},
    }
    write(budgets, BudgetFile(tests, {}))
    result = run(
        TWO + "\ndef test_fails(model):\n    model(X)\n    assert False\n",
        "--overhead-update",
        "-k",
        "one or fails",
    )
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["lowered  test_it.py::test_one guards 1000 -> 29"])
    written = read(budgets)
    assert written is not None
    tests["test_it.py::test_one"] = {"graph_breaks": 0, "guards": 29, "recompiles": 0}
    assert written.tests == tests


def test_update_keeps_enforcing_markers_and_does_not_write_what_they_fail(run: Run, budgets: Path) -> None:
    result = run(
        """
@pytest.mark.overhead_budget(guards=3)
def test_marked(model): model(X)
""",
        "--overhead-update",
    )
    result.assert_outcomes(failed=1)
    assert not budgets.exists()


def test_a_metric_of_the_file_that_cannot_be_measured_fails_the_test(run: Run, budgets: Path) -> None:
    write(budgets, BudgetFile({"test_it.py::test_eager": {"guards": 3}}, {}))
    result = run("def test_eager(): X.neg()\n", "--overhead-budget")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["NOT MEASURED test_it.py::test_eager*"])


def test_a_marker_wins_over_the_file(run: Run, budgets: Path) -> None:
    write(budgets, BudgetFile({"test_it.py::test_marked": {"guards": 3, "recompiles": 0}}, {}))
    result = run(
        "@pytest.mark.overhead_budget(guards=29)\ndef test_marked(model): model(X)\n", "--overhead-budget"
    )
    result.assert_outcomes(passed=1)


def test_the_summary_parts_budgets_of_the_file_from_others(run: Run, budgets: Path) -> None:
    write(budgets, BudgetFile({"test_it.py::test_one": {"guards": 29}}, {}))
    text = """
def test_one(model): model(X)

@pytest.mark.overhead_budget(guards=3)
def test_marked(model): model(X)

def test_free(model): model(X)
"""
    result = run(text, "--overhead-strict")
    result.assert_outcomes(passed=1, failed=2)
    told = "1 test failed by budgets that are not in it"
    result.stdout.fnmatch_lines(["1 of 1 budgets * checked, 0 not kept", told])


def test_an_id_without_parameters_holds_for_all_of_them_and_is_not_written_over(
    run: Run, budgets: Path
) -> None:
    text = """
@pytest.mark.parametrize("n", [3, 4])
def test_size(n):
    torch.compiler.reset()
    torch.compile(Model(n), backend="eager")(X)
"""
    limits: dict[str, dict[str, float]] = {
        "test_it.py::test_size": {"guards": 29},
        "test_it.py::test_size[4]": {"recompiles": 0},
    }
    write(budgets, BudgetFile(limits, {}))
    result = run(text, "--overhead-budget")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["guards 33 > 29*", "2 of 2 budgets * checked, 1 not kept"])
    run(text, "--overhead-update").assert_outcomes(passed=2)
    written = read(budgets)
    assert written is not None
    assert written.tests == {
        "test_it.py::test_size": {"guards": 29},
        "test_it.py::test_size[3]": {"graph_breaks": 0, "recompiles": 0},
        "test_it.py::test_size[4]": {"graph_breaks": 0, "recompiles": 0},
    }


def test_patterns_hold_below_ids_and_longer_ones_overrule_shorter_ones() -> None:
    file = BudgetFile(
        {
            "*": {"guards": 1, "recompiles": 1, "event_record": 1, "event_wait": 1},
            "a.py::*": {"guards": 2, "recompiles": 2, "event_record": 2},
            "a.py::t": {"guards": 3, "recompiles": 3},
            "a.py::t[x*]": {"guards": 4},
        }
    )
    assert file.limits_of("a.py::t[x*]") == {"guards": 4, "recompiles": 3, "event_record": 2, "event_wait": 1}
    assert file.limits_of("a.py::t[xy]") == {"guards": 3, "recompiles": 3, "event_record": 2, "event_wait": 1}
    assert file.limits_of("a.py::C::u[1]") == {
        "guards": 2,
        "recompiles": 2,
        "event_record": 2,
        "event_wait": 1,
    }
    assert file.limits_of("ba.py::u") == file.tests["*"]
    assert file.entries_of("a.py::t[xy]") == {"*", "a.py::*", "a.py::t"}


def test_a_pattern_is_enforced_and_updates_leave_it_and_its_metrics_alone(run: Run, budgets: Path) -> None:
    limits: dict[str, dict[str, float]] = {
        "test_it.py::test_*o*": {"guards": 29},
        "test_it.py::test_one": {"graph_breaks": Exactly(0)},
    }
    write(budgets, BudgetFile(limits, {}))
    result = run(TWO, "--overhead-budget", "-k", "one or two")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["guards 37 > 29*", "2 of 2 budgets * checked, 1 not kept"])
    run(TWO, "--overhead-update").assert_outcomes(passed=3)
    written = read(budgets)
    assert written is not None
    assert written.tests == {
        "test_it.py::test_*o*": {"guards": 29},
        "test_it.py::test_one": {"graph_breaks": 0, "recompiles": 0},
        "test_it.py::test_two": {"graph_breaks": 0, "recompiles": 0},
    }
    assert budgets.read_text().count('graph_breaks = "== 0"\n') == 1


def test_where_there_is_no_file_nothing_is_said_to_be_as_it_was(run: Run, pytester: pytest.Pytester) -> None:
    result = run("def test_eager(): X + 1\n", "--overhead-update")
    result.stdout.fnmatch_lines(["*.toml: nothing to write, no test that ran has a count to record"])
    assert not (pytester.path / "overhead-budget.toml").exists()


def test_the_fingerprint_keeps_the_device_of_tests_that_did_not_run(run: Run, budgets: Path) -> None:
    write(budgets, BudgetFile({"test_it.py::test_gone": {"event_record": 0}}, {"device": "simulated"}))
    run(TWO, "--overhead-update").assert_outcomes(passed=3)
    written = read(budgets)
    assert written is not None
    assert written.fingerprint["device"] == "cpu+simulated"


@pytest.mark.parametrize(("key", "before"), [("torch", "1.0"), ("python", "3.0"), ("device", "simulated")])
def test_counts_that_are_the_same_elsewhere_hold_there_after_an_update(
    run: Run, budgets: Path, key: str, before: str
) -> None:
    run(TWO, "--overhead-update").assert_outcomes(passed=3)
    here = read(budgets)
    assert here is not None
    write(budgets, BudgetFile(here.tests, {**here.fingerprint, key: before}))
    told = "overhead-budget.toml: every count is as it was; written that they hold here, too"
    run("", "--overhead-update", "-k", "test_plain").stdout.no_fnmatch_line(told)
    run("", "--overhead-update").stdout.fnmatch_lines([told])
    written = read(budgets)
    assert written is not None
    assert written.tests == here.tests
    assert written.fingerprint == {
        **here.fingerprint,
        "device": "cpu+simulated" if key == "device" else "cpu",
    }
    run("", "--overhead-update").stdout.fnmatch_lines(["*: nothing to write, every count is as it was"])


EAGER = """
def test_eager(): X.neg()

def test_other(): X.neg()
"""


def eager(**limits: float) -> BudgetFile:
    return BudgetFile({"test_it.py::test_eager": limits}, {"torch": "1.0"})


@pytest.mark.parametrize(
    ("limit", "told"), [(9, "lowered *dispatches 9 -> 1"), (0, "RAISED *dispatches 0 -> 1")]
)
def test_a_count_that_was_written_by_hand_is_recorded_anew(
    run: Run, budgets: Path, limit: int, told: str
) -> None:
    write(budgets, eager(dispatches=limit, python_calls=Exactly(7)))
    result = run(EAGER, "--overhead-update")
    result.stdout.fnmatch_lines([told, "*: written, 1 test"])
    result.stdout.no_fnmatch_line("left*")
    written = read(budgets)
    assert written is not None
    assert written.tests == {"test_it.py::test_eager": {"dispatches": 1, "python_calls": 1}}
    assert isinstance(written.tests["test_it.py::test_eager"]["python_calls"], Exactly)
    assert written.fingerprint["torch"] == metadata.version("torch")
    run(EAGER, "--overhead-budget").assert_outcomes(passed=2)


def test_a_file_of_nothing_but_hand_written_counts_is_confirmed(run: Run, budgets: Path) -> None:
    tests = {"test_it.py::test_eager": {"dispatches": 1}, "*::test_*": {"autograd_nodes": 2}}
    write(budgets, BudgetFile(tests, {"torch": "1.0"}))
    result = run(EAGER, "--overhead-update")
    result.stdout.fnmatch_lines(
        [
            "left as they were, though the file now says torch *:",
            "  [*]::test_[*] autograd_nodes: its entry is for several tests",
            "*: every count that was measured is as it was; written that they hold here, too",
        ]
    )
    written = read(budgets)
    assert written is not None
    assert written.tests == tests
    assert written.fingerprint["torch"] == metadata.version("torch")


def test_an_update_says_which_counts_it_left_and_why(run: Run, budgets: Path) -> None:
    tests: dict[str, dict[str, float]] = {
        "test_it.py::test_eager": {"dispatches": 5, "event_record": 2, "cuda.dispatches": 4},
        "test_it.py::test_gone": {"guards": 3, "guard_time_hot": 1.0},
    }
    write(budgets, BudgetFile(tests, {"torch": "1.0"}))
    run(EAGER, "--overhead-update").stdout.fnmatch_lines(
        [
            "lowered *test_eager dispatches 5 -> 1",
            "left as they were, though the file now says torch *:",
            "  test_it.py::test_eager cuda.dispatches: its test ran on cpu",
            "  test_it.py::test_eager event_record: it could not be measured",
            "  test_it.py::test_gone guards: its test was not run",
            "*: written, 2 tests",
        ]
    )
    run(EAGER, "--overhead-update").stdout.fnmatch_lines_random(
        [
            "left as they were:",
            "  test_it.py::test_eager event_record: it could not be measured",
            "*: nothing to write, every count that was measured is as it was",
        ]
    )


def test_an_update_that_measures_none_of_the_files_counts_leaves_it_and_says_so(
    run: Run, budgets: Path
) -> None:
    write(budgets, eager(dispatches=1))
    before = budgets.read_bytes()
    run(EAGER, "--overhead-update", "-k", "other").stdout.fnmatch_lines(
        ["*: nothing to write, none of its counts was measured; they stay those of torch 1.0"]
    )
    assert budgets.read_bytes() == before


def test_tightening_lowers_counts_that_were_written_by_hand(run: Run, budgets: Path) -> None:
    write(budgets, eager(dispatches=9))
    run(EAGER, "--overhead-budget").stdout.fnmatch_lines(["1 limit is higher than needed *"])
    run(EAGER, "--overhead-tighten").stdout.fnmatch_lines(["lowered *dispatches 9 -> 1"])
    written = read(budgets)
    assert written is not None
    assert written.tests == {"test_it.py::test_eager": {"dispatches": 1}}


def test_times_keep_their_spelling(tmp_path: Path) -> None:
    path = tmp_path / "b.toml"
    path.write_text('schema = 1\n[tests.a]\nguard_time_hot = "5 us"\nguard_time_cold = "1 ms"\n')
    content = read(path)
    assert content is not None
    assert content.tests == {"a": {"guard_time_hot": 5e-6, "guard_time_cold": 1e-3}}
    write(path, BudgetFile({"a": {"guard_time_hot": 5e-6, "guard_time_cold": 2e-3}}))
    assert path.read_text().endswith('guard_time_cold = 0.002\nguard_time_hot = "5 us"\n')


def test_another_torch_is_named(run: Run, budgets: Path) -> None:
    write(budgets, BudgetFile({"test_it.py::test_one": {"guards": 29}}, {"torch": "1.0"}))
    result = run(TWO, "--overhead-budget", "-k", "one")
    result.stdout.fnmatch_lines(
        ["counts were recorded with torch 1.0, this is *: they may differ, so they warn*"]
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('schema = 1\n[tests."a"\n', ":2: no TOML: *; mend the line*"),
        (f"schema = {'9' * 5000}\n", ": nested too deeply, or with a number too long, to be read; *"),
        (f"schema = {'[' * 5000}\n", ": nested too deeply, or with a number too long, to be read; *"),
        ("", ":1: no valid `schema`; write `schema = 1`*"),
        ('schema = 2\n[tests."a"]\nguards = 1\n', ":1: schema 2 is newer than 1; upgrade overhead-lint*"),
        ("schema = 1\n\ntest = 3\n", ":3: unknown key 'test'*"),
        (
            'schema = 1\n[tests."a"]\nguards = 1\n[tests."b"]\ngaurds = 1\n',
            ":5: unknown metric 'gaurds'; did you mean 'guards'*of b",
        ),
        (
            'schema = 1\n[tests."a[1]"]\nguards = -1\n',
            ":3: guards=-1: a limit is 0 or more; correct the limit of a[[]1]",
        ),
        ("schema = 1\ntests = 3\n", ":2: 'tests' is no table*"),
        (
            "schema = 1\n[fingerprint]\npython = 3.11\n",
            ':3: python=3.11 of the fingerprint is no text; write it in quotes, as in python = "3.11", *',
        ),
        ("schema = 1\n[tests]\na = 3\n", ":3: 'a' is no table*"),
        (
            "schema = 1\n[fingerprint]\ndevice = 'cpu+gpu'\n",
            ":3: device 'gpu' is no kind of device; write cpu, cuda, simulated, *",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_a_usage_error_naming_line_and_cure(
    run: Run, budgets: Path, text: str, message: str
) -> None:
    budgets.write_text(text)
    result = run("def test_a(): pass", "--overhead-budget", model=False)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {budgets}{message}"])
    assert "Traceback" not in result.stderr.str()
    assert budgets.read_text() == text


def test_what_cannot_be_read_is_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "b.toml"
    path.write_bytes(b"schema = 1 # \xff\n")
    endless = tmp_path / "endless.toml"
    endless.symlink_to("/dev/zero")
    dangling = tmp_path / "dangling.toml"
    dangling.symlink_to("nowhere.toml")
    for what, why in (
        (path, "is not UTF-8"),
        (endless, "is a device"),
        (dangling, "is a link to a file that is not there"),
        (tmp_path, "Is a directory"),
    ):
        with pytest.raises(BadFile) as refused:
            read(what)
        assert str(refused.value) == f"{what}: cannot be read: {why}"


def test_entries_of_which_nothing_holds_here_are_not_counted_as_checked(
    run: Run, pytester: pytest.Pytester
) -> None:
    (pytester.path / "overhead-budget.toml").write_text(
        'schema = 1\n[tests."test_it.py::test_a"]\nmachine.elsewhere.guard_time_hot = 3\n'
        '[tests."test_it.py::test_b"]\ncuda.guards = 3\n'
    )
    result = run("def test_a(): pass\ndef test_b(): pass", "--overhead-budget", model=False)
    result.stdout.fnmatch_lines(["0 of 2 budgets of overhead-budget.toml checked, 0 not kept"])


def test_node_ids_with_any_character_survive(tmp_path: Path) -> None:
    path = tmp_path / "b.toml"
    tests: dict[str, dict[str, float]] = {
        'a.py::t[x"y\\z\n\t\x7f\x01 é €]': {"guards": 1},
        "a.py::t": {"guard_time_hot": 1.25e-06},
    }
    write(path, BudgetFile(tests, {"torch": "2"}))
    assert read(path) == BudgetFile(tests, {"torch": "2"})


def test_comments_survive_and_a_second_writing_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "b.toml"
    path.write_text(
        "# ours\n\n# about the schema\nschema = 1 # one\n[fingerprint]\n# why b is dear\n"
        '[tests."b#1"] # head\n# a count\nguards = 3  # was 5\n[tests.a]\nguards = 1\n# the end\n'
    )
    content = read(path)
    assert content is not None
    write(path, BudgetFile({**content.tests, "b#1": {"event_wait": 0, "guards": 2}}, {"torch": "2"}))
    text = path.read_text()
    assert text.partition("\n")[2] == (
        "# ours\n# about the schema\nschema = 1  # one\n\n[fingerprint]\n"
        'torch = "2"\n\n[tests."a"]\nguards = 1\n\n# why b is dear\n[tests."b#1"]  # head\n'
        "event_wait = 0\n# a count\nguards = 2  # was 5\n\n# the end\n"
    )
    content = read(path)
    assert content is not None
    write(path, content)
    assert path.read_text() == text


def test_writing_keeps_mode_and_link_and_leaves_nothing_behind(tmp_path: Path) -> None:
    real, link = tmp_path / "real.toml", tmp_path / "link.toml"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write(link, BudgetFile({"a": {"guards": 1}}, {}))
    assert link.is_symlink()
    assert "guards = 1" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640
    assert sorted(tmp_path.iterdir()) == [link, real]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "b.toml"
    path.write_text("old")
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(OSError):
            write(path, BudgetFile())
    finally:
        tmp_path.chmod(0o700)
    assert path.read_text() == "old"


def test_workers_measure_and_the_controller_writes_and_enforces(
    pytester: pytest.Pytester, run: Run, budgets: Path
) -> None:
    pytest.importorskip("xdist")
    run(TWO, "--co")
    done = pytester.runpytest_subprocess("-p", "no:hypothesispytest", "-n1", "--overhead-update")
    done.assert_outcomes(passed=3)
    done.stdout.fnmatch_lines(["overhead-budget.toml: written, 2 tests"])
    budgets.write_text(budgets.read_text().replace("guards = 37", "guards = 36"))
    done = pytester.runpytest_subprocess("-p", "no:hypothesispytest", "-n1", "--overhead-budget")
    done.assert_outcomes(passed=2, failed=1)
    done.stdout.fnmatch_lines(["guards 37 > 36*", "2 of 2 budgets * checked, 1 not kept"])
