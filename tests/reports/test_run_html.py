"""Evidence of runs as a page: the recorded step as pictures, comparisons, and bad input."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from overhead_lint.cli.main import main
from overhead_lint.measure import evidence as evidence_file
from overhead_lint.measure.evidence import Cause, Evidence, Observed, Steps
from overhead_lint.measure.host_time import by_kind, by_line, segments
from overhead_lint.measure.trace import Instant, Span, Trace
from overhead_lint.report.html.flame import calls, flame
from overhead_lint.report.html.run_page import render
from overhead_lint.report.html.run_report import Run
from overhead_lint.report.html.timeline import timeline

from .pages import check, shown

if TYPE_CHECKING:
    from pathlib import Path

AUTOCAST = Observed(
    path="train.py", line=5, code="OVH101", name="autocast-per-step", function="train", text="autocast()",
    number=0, message="built <each> time", heat="step", fix="safe", executions=100, total=103,
    before_seconds=4e-6, after_seconds=1e-6,
)  # fmt: skip
WAIT = replace(
    AUTOCAST, line=9, code="OVH404", name="sync-in-step", text="item()", before_seconds=None, fix=""
)
COLD = replace(AUTOCAST, line=99, text="cold", executions=0, total=0)
TRACE = Trace(
    5,
    1_000_000,
    (
        Span(0, 1_000_000, -1, 0, "python", "train", "train.py", 1),
        Span(100_000, 200_000, 0, 0, "torch", "Module.<call>", "train.py", 6),
        Span(150_000, 100_000, 1, 0, "operator", "aten::mm", "model.py", 3),
        Span(400_000, 500_000, 0, 0, "backward", "Tensor.backward", "train.py", 7),
        Span(500_000, 300_000, 3, 1, "backward", "MmBackward0", "model.py", 3),
        Span(920_000, 50_000, 0, 0, "wait", "aten::item", "train.py", 9),
    ),
    (Instant(930_000, "stream_sync", 5), Instant(5_000, "event_record", -1)),
    7,
)
EVIDENCE = Evidence(
    ("train.py", "--lr", "<1>"),
    0,
    0.1,
    machine={"python": "3.11", "torch": "2.13.0", "device": "cpu"},
    steps=Steps("optimizer steps", 100, 3, 1.1e-3, 1e-3, 0.9e-3),
    findings=(AUTOCAST, WAIT, COLD),
    metrics={"guards": 12.0, "stream_sync": 1.0, "guard_time_hot": 3e-6},
    causes=(Cause("guards", "OVH307", "model.py", 3, "guard on <self>", 12.0),
            Cause("stream_sync", "OVH404", "train.py", 9, "forward", 1.0)),
    compiled=({"file": "model.py", "line": 3, "function": "forward", "guards": 12, "calls_per_step": 1.0,
               "hot_seconds": 3e-6, "cold_seconds": 1e-4},),
    unavailable={"copies_d2h": "no CUDA device"},
    trace=TRACE,
)  # fmt: skip


def test_each_moment_of_a_step_counts_once() -> None:
    found = segments(TRACE)
    assert sum(one.length for one in found) == TRACE.length
    assert all(one.end == after.start for one, after in itertools.pairwise(found))
    assert by_kind(found) == {
        "python": 250_000, "torch": 100_000, "operator": 100_000, "backward": 500_000, "wait": 50_000,
    }  # fmt: skip
    lines = {key: sum(kinds.values()) for key, kinds in by_line(found).items()}
    assert lines == {
        ("model.py", 3): 400_000,  # the operator, and its node in another thread
        ("train.py", 6): 200_000,  # 100 us of Python before it
        ("train.py", 7): 300_000,  # backward without that node, and Python before it
        ("train.py", 9): 100_000,  # the wait, Python before it and after the last call
    }


def test_threads_that_work_at_the_same_time_do_not_count_twice() -> None:
    both = Trace(1, 100, (
        Span(0, 100, -1, 0, "backward", "backward", "a.py", 1),
        Span(10, 60, 0, 1, "backward", "one", "a.py", 2),
        Span(20, 70, 0, 2, "copy", "two", "a.py", 3),
        Span(95, 50, 0, 2, "copy", "later", "a.py", 3),
    ))  # fmt: skip
    found = segments(both)
    assert by_kind(found) == {"backward": 75, "copy": 25}
    root = calls(both, found)
    assert (root.total, root.own) == (100, 0)


def test_calls_of_one_line_are_one_box() -> None:
    spans = [Span(0, 900, -1, 0, "python", "step", "a.py", 1)]
    spans += [Span(100 * n, 50, 0, 0, "operator", "aten::mul", "a.py", 2) for n in range(8)]
    trace = Trace(1, 1000, tuple(spans))
    root = calls(trace, segments(trace))
    (step,) = root.parts.values()
    (mul,) = step.parts.values()
    assert (mul.times, mul.total, step.total, step.own, root.own) == (8, 400, 900, 500, 100)
    assert "aten::mul, a.py:2: operator, 400 ns (40.0%), own 400 ns, 8 times" in flame("Calls", root)


def test_a_deep_recursion_is_drawn() -> None:
    spans = [Span(n, 10_000 - 2 * n, n - 1, 0, "python", f"f{n}", "a.py", n) for n in range(3000)]
    trace = Trace(1, 10_000, tuple(spans))
    found = segments(trace)
    assert sum(one.length for one in found) == 10_000
    assert "f20" in flame("Calls", calls(trace, found))


def test_a_part_of_the_step_is_drawn_by_itself() -> None:
    picture = timeline("Backward", TRACE, segments(TRACE), 400_000, 900_000)
    assert "500 us of host time" in picture
    assert "By kind: backward 100%" in picture
    assert "aten::item" not in picture
    assert "stream_sync" not in picture


def test_a_page_of_a_run() -> None:
    page = check(render([Run("now", EVIDENCE)]))
    text = shown(page)
    assert "train.py --lr <1> , ended with status 0" in text
    assert "median step 1 ms" in text
    assert "train.py:5 OVH101 autocast-per-step micro 1 3 us 0.30% case step safe" in text
    assert "train.py:99 OVH101 autocast-per-step never executed" in text
    assert "7 short spans are part of what is around them" in text
    assert "copies_d2h no CUDA device" in text
    assert "model.py:3 forward 1 12 3 us 100 us" in text
    labels = [str(svg["aria-label"]) for svg in page.all("svg") if "aria-label" in svg]
    by_line_and_kind = next(label for label in labels if label.startswith("Host time by source line"))
    assert "By kind: backward 50%, python 25%" in by_line_and_kind
    assert "model.py:3 400 us" in by_line_and_kind
    assert any(label.startswith("Calls of one step. 1 ms at the top") for label in labels)
    assert any(label.startswith("guards by source line, a step.") for label in labels)
    assert "stream_sync at 930 us, train.py:9" in text


@pytest.mark.parametrize(
    ("evidence", "why"),
    [
        (replace(EVIDENCE, trace=None), "the fifth step after the warm-up"),
        (replace(EVIDENCE, trace=None, steps=None), "no steps were found"),
        (replace(EVIDENCE, trace=None, unavailable={"trace": "no compiler: install g++"}), "install g++"),
        (Evidence(("a.py",), None, 0.0), "no steps were found"),
    ],
)
def test_a_run_without_a_recorded_step_says_why(evidence: Evidence, why: str) -> None:
    assert why in shown(check(render([Run("now", evidence)], Run("old", evidence))))


def test_before_and_after() -> None:
    assert EVIDENCE.steps is not None
    slower = replace(
        EVIDENCE,
        steps=replace(EVIDENCE.steps, median_seconds=2e-3),
        findings=(replace(AUTOCAST, executions=300), replace(AUTOCAST, line=70, text="gone"), COLD),
        metrics={"guards": 20.0},
        machine={"torch": "2.12.0"},
        trace=replace(TRACE, spans=TRACE.spans[:3]),
    )
    page = check(render([Run("new", EVIDENCE)], Run("old", slower)))
    text = shown(page)
    assert "median step 2 ms 1 ms 1 ms less (50%)" in text
    assert "backward 0 ns 500 us 500 us more" in text
    assert "Tensor.backward in train.py 0 ns 200 us 200 us more" in text
    assert "guards 20 12 8 less (40%)" in text
    assert "torch 2.12.0 before, 2.13.0 after" in text
    assert "train.py:9 OVH404 sync-in-step new not there 1 a step" in text
    assert "train.py:70 OVH101 autocast-per-step gone 1 a step, 0.30% of host time not there" in text
    assert "Findings that are new, gone or executed otherwise (3)" in text
    assert "train.py:5 OVH101 autocast-per-step changed 3 a step, 0.90% of host time 1 a step" in text


def test_a_run_of_pytest_shows_its_tests() -> None:
    tests = {"test_a.py::test_<b>": {"guards": 29.0, "guard_time_hot": 2e-6}, "test_a.py::test_free": {}}
    page = check(render([Run("now", Evidence(("-m", "pytest"), 0, 1.0, tests=tests))]))
    assert "test_a.py::test_<b> 2 us 29" in shown(page)
    labels = [str(svg.get("aria-label")) for svg in page.all("svg")]
    assert any(label.startswith("Tests by guards. Bar chart of 1 of 1") for label in labels)


def test_several_runs_are_a_history() -> None:
    assert EVIDENCE.steps is not None
    first = replace(EVIDENCE, steps=replace(EVIDENCE.steps, median_seconds=4e-3), metrics={"guards": 40.0})
    text = shown(check(render([Run("a", first), Run("b", EVIDENCE)])))
    assert "median time of a step: 4 ms to 1 ms, lower" in text
    assert "guards a step: 40 to 12, lower" in text


def test_the_command_takes_evidence_of_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("old", "new"):
        evidence_file.write(tmp_path / f"{name}.json", EVIDENCE)
    out = tmp_path / "out.html"
    new, old = tmp_path / "new.json", tmp_path / "old.json"
    assert main(["report", str(new), "--against", str(old), "-o", str(out)]) == 0
    assert "3 findings" in capsys.readouterr().out
    page = check(out.read_text())
    titles = [str(a["href"]) for a in page.all("a")]
    assert titles == [
        "#content", "#changes", "#findings", "#step", "#flame", "#guards", "#events", "#missing",
    ]  # fmt: skip


def test_what_is_read_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    for path in (old, new):
        evidence_file.write(path, EVIDENCE)
    before = old.read_text()
    for output in (old, new):
        assert main(["report", str(new), "--against", str(old), "-o", str(output)]) == 2
        error = capsys.readouterr().err
        assert error == f"overhead-lint: {output}: is read, and the page would take its place\n"
    assert old.read_text() == new.read_text() == before


def test_files_of_the_same_name_go_by_their_paths(tmp_path: Path) -> None:
    paths = [tmp_path / name / "overhead.json" for name in ("old", "new")]
    for path in paths:
        path.parent.mkdir()
        evidence_file.write(path, EVIDENCE)
    assert main(["report", str(paths[1]), "--against", str(paths[0]), "-o", str(tmp_path / "out.html")]) == 0
    assert f"{paths[0]} before, {paths[1]} after" in shown(check((tmp_path / "out.html").read_text()))


@pytest.mark.parametrize("swapped", [False, True])
def test_runs_and_tests_are_not_one_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], swapped: bool
) -> None:
    evidence_file.write(tmp_path / "run.json", EVIDENCE)
    (tmp_path / "tests.json").write_text(json.dumps({"schema": 1, "fingerprint": {}, "tests": {}}))
    paths = [str(tmp_path / "run.json"), str(tmp_path / "tests.json")]
    if swapped:
        paths.reverse()
    assert main(["report", *paths, "-o", str(tmp_path / "out.html")]) == 2
    assert main(["report", paths[0], "--against", paths[1], "-o", str(tmp_path / "out.html")]) == 2
    error = capsys.readouterr().err
    assert error.count(f"overhead-lint: {paths[1]}: is no ") == error.count("\n") == 2


def test_reasons_and_machines_that_are_no_text_are_shown_as_such(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    evidence_file.write(path, EVIDENCE)
    change = {"unavailable": {"alloc": 3.5}, "machine": {"processor": 86, "cores": 2}}
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    assert main(["report", str(path), "-o", str(tmp_path / "out.html")]) == 0
    assert "3.5" in (tmp_path / "out.html").read_text()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"schema": 5}, "newer overhead-lint (schema 5)"),
        ({"trace": {"spans": []}}, "is damaged: KeyError"),
        ({"trace": None, "findings": [{}]}, "is damaged: KeyError"),
        ({"compiled": [3]}, "is damaged: TypeError"),
        ({"unavailable": 3}, "is damaged: AttributeError"),
    ],
)
def test_bad_evidence_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, object], complaint: str
) -> None:
    path = tmp_path / "run.json"
    evidence_file.write(path, EVIDENCE)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    assert main(["report", str(path), "-o", str(tmp_path / "out.html")]) == 2
    error = capsys.readouterr().err
    assert f"overhead-lint: {path}: " in error and complaint in error and error.count("\n") == 1
    assert not (tmp_path / "out.html").exists()
