"""A step as spans: what is recorded, of which kind it is, and how it is kept."""

from __future__ import annotations

import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from overhead_lint.dynamic import trace as trace_module
from overhead_lint.dynamic.ranks import merged
from overhead_lint.dynamic.span_kinds import RawSpan, kinds_of
from overhead_lint.dynamic.trace import StepTrace
from overhead_lint.measure.evidence import Evidence
from overhead_lint.measure.trace import Instant, Span, Trace, as_json, unpacked

torch = pytest.importorskip("torch")
PyCodeCache = pytest.importorskip("torch._inductor.codecache").PyCodeCache


def recorded(work: Any) -> Trace:
    step = StepTrace()
    assert step.begin(5), step.unavailable
    work()
    step.end()
    trace = step.trace()
    assert trace is not None
    return trace


def check(trace: Trace) -> None:
    """Spans lie within those that they are a part of."""
    for number, span in enumerate(trace.spans):
        assert -1 <= span.parent < number
        assert span.start + span.length <= trace.length
        if span.parent >= 0:
            around = trace.spans[span.parent]
            assert around.start <= span.start
            assert span.start + span.length <= around.start + around.length


def line_of(text: str) -> int:
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.strip().startswith(text))


def named(method: str) -> str:
    """What a method's code is called: before Python 3.11 it does not know its class."""
    return method if sys.version_info >= (3, 11) else method.rpartition(".")[2]


def training_step() -> None:
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = model(torch.ones(2, 4)).sigmoid().sum()
    loss.backward()
    optimizer.step()


def test_a_step_is_recorded_by_line_and_kind() -> None:
    training_step()  # the first one imports
    trace = recorded(training_step)
    check(trace)
    assert (trace.step, trace.left_out) == (5, 0)
    assert all(span.thread == 0 for span in trace.spans)
    found = {(span.label, span.kind, span.line) for span in trace.spans if span.path == __file__}
    forward = line_of("loss = model(")
    assert (named("autocast.__enter__"), "context", line_of("with torch.autocast(")) in found
    assert (named("Tensor.backward"), "backward", line_of("loss.backward()")) in found
    assert ("aten::addmm", "operator", forward) in found
    assert ("SigmoidBackward0", "backward", forward) in found, "nodes belong to the line of their operator"
    names = {span.label for span in trace.spans}
    assert not any(name.startswith("autograd::engine") for name in names)
    assert any(span.kind == "optimizer" and span.label.startswith("aten::") for span in trace.spans)


def test_calls_that_end_by_exceptions_and_in_the_middle_of_a_block_keep_the_order() -> None:
    def broken(depth: int) -> None:
        if depth:
            broken(depth - 1)
        raise ValueError("broken")

    def work() -> None:
        for _ in range(3):
            with pytest.raises(ValueError, match="broken"):
                broken(2)
        list(number for number in range(3) if sorted([number], key=lambda n: -n))  # noqa: C400

    trace = recorded(work)
    check(trace)
    depths = [span for span in trace.spans if span.label.endswith("broken")]
    assert len(depths) == 9
    assert sum(trace.spans[span.parent].label.endswith("broken") for span in depths) == 6
    assert any(span.label.endswith("<lambda>") for span in trace.spans)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    def work() -> None:
        for _ in range(200):
            torch.ones(2).add(1).mul(2)

    monkeypatch.setattr(trace_module, "_MOST", 300)
    monkeypatch.setattr(trace_module, "_MOST_KEPT", 100)
    trace = recorded(work)
    check(trace)
    assert len(trace.spans) <= 100
    assert trace.left_out > 200


class Clock:
    """Stands for the native core: steps that take what they are told to."""

    def __init__(self, *lengths: int) -> None:
        self._lengths = iter(lengths)

    def start_spans(self, *_: object) -> None:
        """Nothing to start."""

    def stop_spans(self) -> dict[str, object]:
        """A step without spans."""
        length = next(self._lengths)
        times = {"kept": True, "lost": 0, "begun": 0, "ended": length}
        return {**times, "spans": [], "instants": [], "calls": [], "lines": []}

    start = stop = start_spans


@pytest.mark.parametrize(
    ("lengths", "shown"), [([300, 200, 100, 250], 250), ([300, 200, 100, 900, 250], 250), ([7, 9], 7)]
)
def test_the_median_of_the_whole_steps_is_shown(
    monkeypatch: pytest.MonkeyPatch, lengths: list[int], shown: int
) -> None:
    clock = Clock(*lengths)
    monkeypatch.setattr(trace_module, "load", lambda name: clock)
    step = StepTrace()
    for number, length in enumerate(lengths):
        assert step.begin(number)
        step.end(whole=length != 100)
    trace = step.trace()
    assert trace is not None
    assert (trace.step, trace.length) == (lengths.index(shown), shown)
    assert trace.recorded == tuple(sorted(length for length in lengths if length != 100))
    assert unpacked(json.loads(as_json(trace))) == trace


def test_other_profilers_are_left_alone() -> None:
    step = StepTrace()

    def profiler(*_: object) -> None:
        """Stands for one of the user's."""

    sys.setprofile(profiler)
    try:
        assert not step.begin(9)
        assert sys.getprofile() is profiler
    finally:
        sys.setprofile(None)
    assert "another profiler" in step.unavailable


def test_a_step_that_another_thread_breaks_off_leaves_its_thread_alone() -> None:
    begun, broken_off, step = threading.Event(), threading.Event(), StepTrace()

    def work() -> object:
        assert step.begin(1)
        begun.set()
        broken_off.wait(30)
        total = sum(len(str(number)) for number in range(100))
        return total, sys.getprofile()

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(work)
        begun.wait(30)
        step.end(whole=False)
        broken_off.set()
        assert done.result(30) == (190, None)
    assert recorded(training_step).spans


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_a_process_that_is_forked_in_a_step_is_not_recorded() -> None:
    def work() -> None:
        child = os.fork()
        if child == 0:
            torch.ones(2).add(1)
            os._exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7

    assert any(span.label.endswith("work") for span in recorded(work).spans)


def raw(what: str, name: str, parent: int = -1, code_path: str | None = None) -> RawSpan:
    return RawSpan(0, 1, parent, 0, what, name, code_path, 1, "train.py", 1)


@pytest.mark.parametrize(
    ("spans", "kinds"),
    [
        ([raw("function", "step", -1, "/a/train.py")], ["python"]),
        ([raw("builtin", "len"), raw("builtin", "relu"), raw("operation", "aten::relu", 1)],
         ["python", "torch", "operator"]),
        ([raw("library", "Module._wrapped_call_impl", -1, "/x/torch/nn/modules/module.py")], ["torch"]),
        ([raw("library", "_BaseDataLoaderIter.__next__", -1, "/x/torch/utils/data/dataloader.py")], ["data"]),
        ([raw("library", "loads", -1, "/usr/lib/python3.11/json/__init__.py")], ["python"]),
        ([raw("library", "autocast.__init__", -1, "/x/torch/amp/autocast_mode.py")], ["context"]),
        ([raw("library", "step", -1, "/x/torch/optim/sgd.py"), raw("operation", "aten::add_", 0),
          raw("function", "closure", 0, "/a/train.py"), raw("operation", "aten::mul", 2)],
         ["optimizer", "optimizer", "python", "operator"]),
        ([raw("library", "Tensor.backward", -1, "/x/torch/_tensor.py"), raw("node", "MulBackward0", 0),
          raw("operation", "aten::copy_", 1)], ["backward", "backward", "copy"]),
        ([raw("generated", "call", -1, "/x/ab/cab.py"), raw("builtin", "kernel", 0)],
         ["compiled", "compiled"]),
    ],
)  # fmt: skip
def test_kinds(spans: list[RawSpan], kinds: list[str]) -> None:
    assert kinds_of(spans, []) == kinds


def test_what_waits_is_a_wait_even_in_backward() -> None:
    spans = [raw("node", "MulBackward0"), raw("operation", "aten::item", 0)]
    assert kinds_of(spans, [(5, "stream_sync", 1), (6, "event_record", 0)]) == ["backward", "wait"]


def test_what_inductor_wrote_runs_for_the_line_that_calls_it() -> None:
    call = PyCodeCache.load("def call(x):\n    return helper(x)\ndef helper(x):\n    return x.neg()\n").call
    x = torch.ones(2)
    neg = x.neg

    def step() -> None:
        call(x)
        neg()

    trace = recorded(step)
    check(trace)
    around = next(number for number, span in enumerate(trace.spans) if span.label == "call")
    inside = [span for span in trace.spans[around:] if span.line == line_of("call(x)")]
    assert [(span.label, span.kind) for span in inside] == [
        ("call", "compiled"), ("helper", "compiled"), ("Tensor.neg", "compiled"), ("aten::neg", "compiled")
    ]  # fmt: skip
    assert {span.path for span in inside} == {__file__}


TRACE = Trace(
    7,
    900,
    (Span(0, 900, -1, 0, "python", "step", "train.py", 3), Span(5, 80, 0, 1, "wait", "item", "", 0)),
    (Instant(9, "stream_sync", 1),),
    2,
)


def test_a_trace_is_read_as_it_was_written() -> None:
    assert unpacked(json.loads(as_json(TRACE))) == TRACE
    assert json.loads(as_json(None)) is None
    empty = Trace(1, 1, ())
    assert unpacked(json.loads(as_json(empty))) == empty


def test_of_several_ranks_the_first_recorded_step_is_kept() -> None:
    without = Evidence(("train.py",), 0, 1.0)
    parts = [without, replace(without, trace=TRACE), replace(without, trace=replace(TRACE, step=8))]
    assert merged(parts).trace == TRACE
    assert merged([without, without]).trace is None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("spans", [[0, 1, 0, 0, 0, 0, 0, 1]]),
        ("spans", [[0, -1, -1, 0, 0, 0, 0, 1]]),
        ("spans", [[0, 1, -1, 0, 0, 0]]),
        ("spans", [[0, 1.5, -1, 0, 0, 0, 0, 1]]),
        ("kinds", ["magic"]),
        ("labels", []),
        ("instants", [[0, "event_record", 9]]),
        ("step", None),
        ("length_ns", 0),
    ],
)
def test_a_damaged_trace_is_refused(key: str, value: object) -> None:
    content = json.loads(as_json(TRACE))
    content[key] = value
    with pytest.raises((LookupError, TypeError, ValueError)):
        unpacked(content)
