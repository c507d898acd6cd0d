"""What is counted while a test runs and is not its own: other threads, and garbage collections."""

from __future__ import annotations

import gc
import json
import threading
from collections.abc import Callable

import pytest

pytest.importorskip("torch")

import torch

from overhead_lint.probes import Measurement, measure
from overhead_lint.probes.bystanders import GARBAGE

Run = Callable[..., pytest.RunResult]
X = torch.ones(2)

THREAD = """
import gc, threading
import pytest, torch

X = torch.ones(2)

def work(times):
    for _ in range(times): X.neg()

def elsewhere(times, name="prefetch"):
    thread = threading.Thread(target=work, args=(times,), name=name)
    thread.start()
    thread.join()
"""


class Dispatching:
    """Calls an operator when it is finalized, as a part of a cycle that only a collection finds."""

    def __init__(self) -> None:
        self.me = self

    def __del__(self) -> None:
        X.neg()


def watched(block: Callable[[], None]) -> Measurement:
    with measure({"dispatches", "python_calls"}, attribute=False, watch=True) as found:
        block()
    return found


def test_operators_of_another_thread_are_counted_and_named() -> None:
    x, go, done, over = torch.ones(2), threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        go.wait()
        x.neg().neg().neg()
        done.set()
        over.wait()

    thread = threading.Thread(target=work, name="prefetch", daemon=True)
    thread.start()

    def block() -> None:
        x.neg()
        go.set()
        done.wait()

    found = watched(block)
    over.set()
    thread.join()
    assert found.values["dispatches"] == 4
    assert found.others == {"dispatches": {"thread 'prefetch'": 3}}


def test_the_thread_of_the_block_is_none_of_the_others_also_where_blocks_nest() -> None:
    x = torch.ones(2, requires_grad=True)

    def block() -> None:
        inner = watched(lambda: (x * 2).sum().backward())
        assert inner.others == {}
        x.neg()

    assert watched(block).others == {}


def test_finalizers_that_a_collection_runs_are_named_and_its_time_is_taken() -> None:
    gc.collect()
    gc.freeze()  # what other tests left behind, and what its finalizers left, is no part of this
    before = list(gc.callbacks)
    gc.callbacks.clear()  # Hypothesis has one from its first test on, which a collection calls as well

    def block() -> None:
        Dispatching()
        X.neg()
        gc.collect()

    try:
        found = watched(block)
        assert gc.callbacks == []
    finally:
        gc.unfreeze()
        gc.callbacks[:] = before
    assert found.garbage["collections"] == 1
    assert 0 < found.garbage["seconds"] < 10
    of_garbage = found.others["dispatches"][GARBAGE]
    assert of_garbage == found.values["dispatches"] / 2
    assert found.others["python_calls"] == {GARBAGE: 1}


def test_a_block_without_either_notes_nothing() -> None:
    gc.disable()
    try:
        found = watched(lambda: None)
    finally:
        gc.enable()
    assert (found.others, found.garbage) == ({}, {})


def test_a_block_that_removes_the_callbacks_is_left_alone() -> None:
    before = list(gc.callbacks)
    try:
        watched(gc.callbacks.clear)
        assert gc.callbacks == []
    finally:
        gc.callbacks[:] = before


@pytest.mark.skipif(torch.version.cuda is not None, reason="the simulated device is for a CPU-only torch")
def test_autograd_in_its_device_threads_is_the_tests_own(run: Run) -> None:
    text = """
import torch

def test_step(simulated_cuda, overhead_budget):
    x = torch.ones(2, device="cuda", requires_grad=True)
    with overhead_budget(metrics=["dispatches", "event_record"]) as found:
        (x * 2).sum().backward()
    assert found.values["dispatches"] > 2
    assert found.others == {}
"""
    run(text, model=False).assert_outcomes(passed=1)


def test_a_failure_and_the_summary_say_whose_counts_they_are(run: Run, pytester: pytest.Pytester) -> None:
    text = """
@pytest.mark.overhead_budget(dispatches=1)
def test_two():
    work(2)
    elsewhere(3)
"""
    result = run(THREAD + text, "--overhead-budget", "--overhead-report", "report.json", model=False)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "  dispatches: limit 1, value 5, excess 4",
            "    (not the test's own: 3 in threads that have ended)",
            "counted while tests ran, and not by their own thread:",
            "  test_it.py::test_two: dispatches 3 in threads that have ended",
        ]
    )
    report = json.loads((pytester.path / "report.json").read_text())
    assert report["tests"]["test_it.py::test_two"]["others"] == {"dispatches": {"threads that have ended": 3}}


def test_repeats_that_differ_by_a_collection_say_so(run: Run) -> None:
    text = """
class Late:
    def __init__(self): self.me = self
    def __del__(self): X.neg()

calls = []

@pytest.mark.overhead_budget(dispatches=1, repeat=2)
def test_twice():
    work(1)
    calls.append(1)
    if len(calls) == 2:
        Late()
        gc.collect()
"""
    result = run(THREAD + text, model=False)
    result.stdout.fnmatch_lines(
        [
            "dispatches differs between 2 repeats: 1, 2 (1 in garbage collections in repeat 2)",
            "NOT REPEATABLE*",
        ]
    )
