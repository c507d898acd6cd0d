"""What keeps budgets alive: tightening, strictness, reports, CI."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

torch = pytest.importorskip("torch")

from pytest_overhead import reports  # noqa: E402
from pytest_overhead.budget_file import BudgetFile, read, write  # noqa: E402
from pytest_overhead.verdict import without_trace_logs  # noqa: E402

Run = Callable[..., pytest.RunResult]

ONE = "def test_one(model): model(X)\n"


@pytest.fixture
def budgets(pytester: pytest.Pytester) -> Path:
    """Where the budget file of the project under test is."""
    return pytester.path / "overhead-budget.toml"


def limits(path: Path) -> dict[str, dict[str, float]]:
    content = read(path)
    assert content is not None
    return {test: dict(limits) for test, limits in content.tests.items()}


def test_tighten_lowers_counts_raises_none_and_adds_none(run: Run, budgets: Path) -> None:
    write(
        budgets,
        BudgetFile(
            {
                "test_it.py::test_one": {"guards": 40, "recompiles": 0, "guard_time_hot": 1.0},
                "test_it.py::test_over": {"guards": 3},
            },
            {},
        ),
    )
    result = run(
        ONE + "def test_over(model): model(X)\ndef test_new(model): model(X)\n", "--overhead-tighten"
    )
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["lowered  test_it.py::test_one guards 40 -> 29"])
    assert limits(budgets) == {
        "test_it.py::test_one": {"guards": 29, "recompiles": 0, "guard_time_hot": 1.0},
        "test_it.py::test_over": {"guards": 3},
    }


def test_tightening_and_updating_at_once_is_refused(run: Run, budgets: Path) -> None:
    write(budgets, BudgetFile({"test_it.py::test_one": {"guards": 3}}, {}))
    result = run(ONE, "--overhead-tighten", "--overhead-update")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --overhead-update and --overhead-tighten: one raises limits, *"])
    assert limits(budgets) == {"test_it.py::test_one": {"guards": 3}}


@pytest.mark.parametrize("option", ["--overhead-update", "--overhead-tighten"])
def test_ci_writes_only_when_asked_twice(
    run: Run, budgets: Path, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    monkeypatch.setenv("CI", "true")
    write(budgets, BudgetFile({"test_it.py::test_one": {"guards": 40}}, {}))
    before = budgets.read_text()
    result = run(ONE, option)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        [f"CI is set, so nothing is written; to write all the same, give {option} twice"]
    )
    assert budgets.read_text() == before
    run(ONE, option, option).assert_outcomes(passed=1)
    assert limits(budgets)["test_it.py::test_one"]["guards"] == 29


def test_strict_fails_costs_without_a_budget_and_nothing_else(run: Run, budgets: Path) -> None:
    write(budgets, BudgetFile({"test_it.py::test_one": {"guards": 29}}, {}))
    result = run(
        ONE
        + """
def test_free(model): model(X)

@pytest.mark.overhead_budget(guards=29)
def test_marked(model): model(X)

def test_block(model, overhead_budget):
    with overhead_budget(guards=29):
        model(X)

def test_eager(): X + 1
""",
        "--overhead-strict",
    )
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(
        ["no budget for guards 29", "test_it.py::test_free", "NO BUDGET test_it.py::test_free*"]
    )


def test_an_update_records_what_strictness_has_no_budget_for(run: Run, budgets: Path) -> None:
    write(budgets, BudgetFile({"test_it.py::test_one": {"guards": 3}}, {}))
    result = run(ONE + "def test_free(model): model(X)\n", "--overhead-strict", "--overhead-update")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["RAISED   test_it.py::test_one guards 3 -> 29"])
    assert limits(budgets)["test_it.py::test_free"]["guards"] == 29


def test_a_report_holds_values_limits_and_lines(run: Run, pytester: pytest.Pytester) -> None:
    result = run(
        ONE + "\n@pytest.mark.overhead_budget(guards=3)\ndef test_over(model): model(X)\n",
        "--overhead-report=out/numbers.json",
    )
    result.assert_outcomes(passed=1, failed=1)
    content = json.loads((pytester.path / "out" / "numbers.json").read_text())
    assert content["schema"] == 1
    over = content["tests"]["test_it.py::test_over"]
    assert (over["passed"], over["verdict"], over["limits"]) == (False, "over budget", {"guards": 3})
    assert over["values"]["guards"] == sum(cause["amount"] for cause in over["causes"]["guards"]) == 29
    assert content["tests"]["test_it.py::test_one"]["verdict"] == ""


@pytest.mark.skipif(torch.version.cuda is not None, reason="the simulated device is for a CPU-only torch")
def test_a_report_says_when_events_and_waits_happened(run: Run, pytester: pytest.Pytester) -> None:
    text = "import torch\n\ndef test_moves(simulated_cuda):\n    torch.ones(2).cuda().sum().item()\n"
    run(text, "--overhead-report=numbers.json", model=False).assert_outcomes(passed=1)
    (test,) = json.loads((pytester.path / "numbers.json").read_text())["tests"].values()
    assert ("stream_sync", 4) in [(one["metric"], one["line"]) for one in test["moments"]]


def test_junit_gets_the_numbers_and_not_the_lines_of_a_report(run: Run, pytester: pytest.Pytester) -> None:
    run(ONE, "--overhead-report=numbers.json", "--junitxml=junit.xml").assert_outcomes(passed=1)
    (test,) = json.loads((pytester.path / "numbers.json").read_text())["tests"].values()
    assert test["causes"]["guards"]
    names = [one.get("name") for one in ElementTree.parse(pytester.path / "junit.xml").iter("property")]
    assert names == [f"overhead:{one}" for one in ("graph_breaks", "guards", "recompiles", "device")]


def test_a_report_names_tests_that_measured_only_blocks(run: Run, pytester: pytest.Pytester) -> None:
    text = "def test_block(model, overhead_budget):\n    with overhead_budget(guards=3):\n        model(X)\n"
    run(text, "--overhead-report=numbers.json").assert_outcomes(failed=1)
    (test,) = json.loads((pytester.path / "numbers.json").read_text())["tests"].values()
    assert (test["verdict"], test["limits"], test["causes"]) == ("over budget", {}, {})
    blame = {"path": "test_it.py", "line": 17}
    assert test["faults"] == [
        {"metric": "guards", "verdict": "over budget", "message": "guards 29 > 3", "limit": 3, "value": 29}
        | blame
    ]


def test_a_report_names_the_metrics_that_did_not_keep_their_limits(
    run: Run, pytester: pytest.Pytester
) -> None:
    text = """
@pytest.mark.overhead_budget(guards=3, graph_breaks=0, recompiles="==1", copies_h2d=0)
def test_it(model): model(X)

@pytest.mark.xfail(strict=True)
@pytest.mark.overhead_budget(guards=3)
def test_expected(model): model(X)
"""
    result = run(text, "--overhead-report=numbers.json", "--junitxml=junit.xml")
    result.assert_outcomes(failed=1, xfailed=1)
    tests = json.loads((pytester.path / "numbers.json").read_text())["tests"]
    faults = {fault.pop("metric"): fault for fault in tests["test_it.py::test_it"]["faults"]}
    path, line = faults["guards"].pop("path"), faults["guards"].pop("line")
    assert (path, type(line)) == ("test_it.py", int)
    assert faults == {
        "guards": {"verdict": "over budget", "message": "guards 29 > 3", "limit": 3, "value": 29},
        "recompiles": {"verdict": "over budget", "message": "recompiles 0 != 1", "limit": 1, "value": 0},
        "copies_h2d": {
            "verdict": "not measured",
            "message": "copies_h2d could not be measured",
            "limit": 0,
            "value": None,
        },
    }
    assert tests["test_it.py::test_expected"]["faults"] == []
    names = {one.get("name") for one in ElementTree.parse(pytester.path / "junit.xml").iter("property")}
    assert "overhead:verdict" in names and "overhead:faults" not in names


def test_github_gets_annotations_and_a_step_summary(
    run: Run, budgets: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = pytester.path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    tests: dict[str, dict[str, float]] = {
        "test_it.py::test_one": {"guards": 29},
        "test_it.py::test_over": {"guards": 3},
    }
    write(budgets, BudgetFile(tests, {}))
    result = run(ONE + "\n\ndef test_over(model): model(X)\n", "--overhead-budget")
    result.stdout.fnmatch_lines(
        ["::error file=test_it.py,line=*,title=over budget::test_it.py::test_over: guards 29 > 3"]
    )
    assert summary.read_text() == (
        "before\n### Host overhead\n\n| test | guards | budget |\n| --- | ---: | --- |\n"
        "| `test_it.py::test_one` | 29 | kept |\n| `test_it.py::test_over` | 29 | over budget |\n\n"
    )


def test_github_gets_no_annotation_for_a_failure_that_is_expected(
    run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = pytester.path / "summary.md"
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    text = "@pytest.mark.xfail\n@pytest.mark.overhead_budget(guards=3)\ndef test_over(model): model(X)\n"
    result = run(text, "--overhead-budget")
    result.assert_outcomes(xfailed=1)
    result.stdout.no_fnmatch_line("::error *")
    (row,) = [line for line in summary.read_text().splitlines() if "test_over" in line]
    assert row.endswith("|  |")


def test_a_report_of_another_format_is_refused(run: Run) -> None:
    result = run(ONE, "--overhead-report=numbers.xml")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --overhead-report=numbers.xml: name it [*].json, [*].html or [*].md"]
    )


def test_a_report_without_a_name_is_refused(run: Run) -> None:
    result = run(ONE, "--overhead-report=")
    assert result.ret == pytest.ExitCode.USAGE_ERROR


@pytest.mark.parametrize("option", ["--overhead-report=taken.json", "--overhead-update"])
def test_a_file_that_cannot_be_written_does_not_hide_what_failed(
    run: Run, pytester: pytest.Pytester, option: str
) -> None:
    (pytester.path / "taken.json").mkdir()
    text = "import pathlib\n" + ONE + "\ndef test_own():\n    "
    text += "pathlib.Path('overhead-budget.toml').mkdir()\n    assert not 'of its own'\n"
    result = run(text, option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*assert not 'of its own'", "ERROR: *: cannot be *: *Is a directory*"])


def test_collecting_only_writes_nothing(run: Run, budgets: Path) -> None:
    write(budgets, BudgetFile({"test_it.py::test_one": {"guards": 40}}, {}))
    before = budgets.read_text()
    run(ONE, "--overhead-update", "--collect-only")
    assert budgets.read_text() == before


def test_torch_trace_records_do_not_bury_the_message() -> None:
    sections = [
        (
            "Captured log setup",
            "DEBUG    torch.__trace:utils.py:2350 \nDEBUG    torch.__trace:utils.py:2350 ",
        ),
        ("Captured log call", "DEBUG    torch.__trace:utils.py:2350 \nWARNING  mine:a.py:1 kept"),
        ("Captured stdout call", "printed"),
    ]
    report = pytest.TestReport("a", ("a.py", 1, "a"), {}, "failed", None, "call", sections)
    without_trace_logs(report)
    assert report.sections == [
        ("Captured log call", "WARNING  mine:a.py:1 kept"),
        ("Captured stdout call", "printed"),
    ]


def test_a_report_named_html_is_a_page(run: Run, pytester: pytest.Pytester) -> None:
    run(ONE, "--overhead-report=out/numbers.html").assert_outcomes(passed=1)
    text = (pytester.path / "out" / "numbers.html").read_text()
    assert '<h2 id="guards">Guard families</h2>' in text
    assert 'aria-label="guards by source line. Bar chart' in text
    assert "test_it.py::test_one: 29" in text


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("import pytest\n@pytest.mark.overhead_budget\ndef test_a(): pass\n", pytest.ExitCode.USAGE_ERROR),
        ("import nothing_of_this_name\n", pytest.ExitCode.INTERRUPTED),
        ("import pytest\ndef test_a(): pytest.exit('enough')\n", pytest.ExitCode.INTERRUPTED),
    ],
)
def test_a_session_that_ends_early_leaves_the_files_of_before(
    run: Run, pytester: pytest.Pytester, text: str, status: pytest.ExitCode
) -> None:
    files = [pytester.path / "numbers.json", pytester.path / "overhead-budget.toml"]
    run(ONE, f"--overhead-report={files[0]}", "--overhead-update").assert_outcomes(passed=1)
    before = [file.read_bytes() for file in files]
    result = run(text, f"--overhead-report={files[0]}", "--overhead-update", model=False)
    assert result.ret == status
    for file in files:
        result.stdout.fnmatch_lines([f"{file.name}: not written, the session ended early"])
    assert [file.read_bytes() for file in files] == before


def test_ctrl_c_while_files_are_written_ends_the_session_without_a_traceback(
    run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = pytester.path / "numbers.json"
    report.write_text("before")

    def interrupted(session: object, root: Path) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(reports, "report_json", interrupted)
    result = run("def test_a(): pass\n", f"--overhead-report={report}", model=False)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["interrupted; files that were not written yet are as they were"])
    assert report.read_text() == "before"


EAGER = "import torch\n\ndef test_eager(): assert torch.ones(2).sum() == 2\n"


@pytest.mark.parametrize("option", ["--overhead-budget", "--overhead-update", "--overhead-report=all.html"])
def test_a_suite_that_ran_torch_eagerly_is_told_how_to_count_it(
    run: Run, pytester: pytest.Pytester, option: str
) -> None:
    result = run(EAGER, option, model=False)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["torch was there, but no test ran compiled code*", '*overhead_budget(metrics=[[]"dispatches"])*']
    )
    result.stdout.no_fnmatch_line("*could be measured*")
    told = "*pytest --overhead-device=simulated *"
    if torch.version.cuda is None:
        result.stdout.fnmatch_lines([told])
    else:
        result.stdout.no_fnmatch_line(told)
    if option.endswith(".html"):
        page = (pytester.path / "all.html").read_text()
        assert "No test ran compiled code" in page and "--overhead-device=simulated" in page


def test_what_an_eager_suite_is_told_counts_it(run: Run) -> None:
    mark = 'import pytest\npytestmark = pytest.mark.overhead_budget(metrics=["dispatches"])\n'
    result = run(mark + EAGER, "--overhead-budget", model=False)
    result.stdout.fnmatch_lines(["test *dispatches", "test_it.py::test_eager *[1-9]"])


def test_a_suite_without_torch_is_not_told_of_devices(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="def test_it(): pass\n")
    result = pytester.runpytest_subprocess(
        "-p", "no:asyncio", "-p", "no:hypothesispytest", "--overhead-budget"
    )
    result.stdout.fnmatch_lines(["no test that passed had torch imported"])
