"""Operators, autograd nodes, copies, Python calls and contexts are counted exactly, by source line."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import runpy
import sys
import textwrap
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch
from torch import nn
from torch._inductor.codecache import PyCodeCache
from torch.utils._python_dispatch import TorchDispatchMode

from overhead_lint.probes import measure
from overhead_lint.probes.api import Cause, ProbeUnavailable, Reading
from overhead_lint.probes.attribution import folders
from overhead_lint.probes.dispatch_probe import METRICS, DispatchProbe

from .device_cases import line_of

ALL = frozenset(metric.name for metric in METRICS)
HOST = ALL - {"copies_h2d", "copies_d2h", "copies_pageable"}


def measured(
    block: Callable[[], object], metrics: frozenset[str] = HOST, *, attribute: bool = True
) -> Reading:
    probe = DispatchProbe(attribute=attribute)
    probe.start(metrics)
    block()
    return probe.stop()


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = layer(x).relu()
        return x


def test_operators_and_nodes_lie_at_their_lines() -> None:
    w = torch.ones(3, requires_grad=True)

    def block() -> None:
        y = w * 2
        y.sum().backward()

    reading = measured(block, frozenset({"dispatches", "autograd_nodes"}))
    assert reading.values["autograd_nodes"] == 3
    assert reading.causes["autograd_nodes"] == (
        Cause(1, __file__, line_of(block, "w * 2"), "backward of MulBackward0"),
        Cause(1, __file__, line_of(block, ".backward()"), "backward of SumBackward0"),
        Cause(1, __file__, line_of(block, ".backward()"), "gradient of a leaf tensor of shape (3,)"),
    )
    forward = {c.line: c for c in reading.causes["dispatches"] if c.label == "forward"}
    assert forward[line_of(block, "w * 2")].amount >= 1
    assert dict(forward[line_of(block, "w * 2")].operators)["mul"] == 1
    for cause in reading.causes["dispatches"]:
        assert sum(amount for _, amount in cause.operators) == cause.amount
    for metric, value in reading.values.items():
        assert sum(c.amount for c in reading.causes[metric]) == value


def test_operator_is_one_dispatch_and_python_arithmetic_none() -> None:
    x = torch.ones(3)
    assert measured(lambda: torch.neg(x)).values["dispatches"] == 1
    assert measured(lambda: 1 + 2).values["dispatches"] == 0


def test_generators_count_each_time_that_they_go_on_and_asynchronous_contexts_not_at_all() -> None:
    def numbers() -> Iterator[int]:
        yield 1
        yield 2

    @contextlib.asynccontextmanager
    async def entered() -> AsyncIterator[None]:
        yield

    async def main() -> None:
        async with entered():
            pass

    metrics = frozenset({"python_calls", "contexts"})
    reading = measured(lambda: (list(numbers()), asyncio.run(main())), metrics)
    assert {cause.label: cause.amount for cause in reading.causes["python_calls"]} == {
        "calls of <lambda>": 1,
        "calls of numbers": 3,
        "calls of main": 1,
        "calls of entered": 2,
    }
    assert reading.values["contexts"] == 0


def test_python_calls_are_those_of_functions_outside_torch_and_the_standard_library() -> None:
    def helper() -> None:
        textwrap.dedent("  x")

    def block() -> None:
        helper()
        helper()
        [i + 1 for i in range(3)]
        torch.ones(2)
        nn.Linear(2, 2)(torch.ones(1, 2))

    reading = measured(block)
    assert reading.values["python_calls"] == 3
    first = inspect.getsourcelines(helper)[1]
    assert Cause(2, __file__, first, "calls of helper") in reading.causes["python_calls"]


def enriched(net: nn.Module) -> nn.Module:
    """A graph whose code lies in a file that exists in name only, where this torch makes such."""
    config = pytest.importorskip("torch.fx.experimental._config")
    if not hasattr(config, "enrich_profiler_metadata"):
        pytest.skip("this torch names no files of graphs")
    with config.patch(enrich_profiler_metadata=True):
        return torch.fx.symbolic_trace(net)


@pytest.mark.parametrize(
    "made",
    [
        lambda net: PyCodeCache.load("def call(x):\n    return x.neg()\n").call,
        torch.fx.symbolic_trace,
        enriched,
    ],
    ids=["inductor", "fx", "fx with a file"],
)
def test_code_that_torch_wrote_is_no_function_and_no_line_of_the_user(
    made: Callable[[nn.Module], Callable[[torch.Tensor], object]],
) -> None:
    function, x = made(Net()), torch.ones(2, 4)

    def block() -> None:
        function(x)

    reading = measured(block, frozenset({"python_calls", "dispatches"}))
    first = inspect.getsourcelines(block)[1]
    assert reading.causes["python_calls"] == (Cause(1, __file__, first, "calls of block"),)
    assert {(c.path, c.line) for c in reading.causes["dispatches"]} == {
        (__file__, line_of(block, "function(x)"))
    }


def test_a_function_that_goes_on_after_a_graph_break_is_called_once() -> None:
    torch._dynamo.reset()

    def broken(x: torch.Tensor) -> torch.Tensor:
        y = x.neg()
        torch._dynamo.graph_break()
        return y.neg()

    compiled, x = torch.compile(broken, backend="aot_eager"), torch.ones(2)
    compiled(x)
    reading = measured(lambda: compiled(x), frozenset({"python_calls", "dispatches"}))
    calls = {c.label: c.amount for c in reading.causes["python_calls"]}
    assert calls == {"calls of <lambda>": 1, "calls of broken": 1}
    assert {c.path for c in reading.causes["dispatches"]} == {__file__}
    assert line_of(broken, "graph_break()") in {c.line for c in reading.causes["dispatches"]}


def test_triton_is_a_part_of_torch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "triton" / "__init__.py"
    package.parent.mkdir()
    package.write_text("def launch():\n    pass\n")
    names = runpy.run_path(str(package))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "triton", raising=False)  # torch that is built for GPUs loads its own
    folders.cache_clear()
    try:
        reading = measured(lambda: names["launch"](), frozenset({"python_calls"}))
    finally:
        monkeypatch.undo()
        folders.cache_clear()
    assert reading.values["python_calls"] == 1


def test_contexts_are_named_by_kind_at_the_line_that_enters_them() -> None:
    @contextlib.contextmanager
    def own() -> Iterator[None]:
        yield

    def block() -> None:
        with torch.no_grad(), torch.autocast("cpu"):
            pass
        with own():
            pass
        with contextlib.nullcontext(), torch.profiler.record_function("step"):
            pass
        with contextlib.suppress(RuntimeError), torch.cuda.nvtx.range("step"):  # not without CUDA
            pass

    reading = measured(block, frozenset({"contexts"}))
    assert reading.values == {"contexts": 6}
    assert {(c.label, c.line) for c in reading.causes["contexts"]} == {
        ("no_grad", line_of(block, "torch.no_grad()")),
        ("autocast", line_of(block, "torch.autocast")),
        ("generator-based", line_of(block, "own()")),
        ("nullcontext", line_of(block, "nullcontext")),
        ("record_function", line_of(block, "record_function")),
        ("nvtx", line_of(block, "nvtx.range")),
    }


def test_copies_between_host_and_device_are_counted_at_their_lines(one_device: None) -> None:
    x = torch.ones(4)

    def block() -> None:
        y = x.cuda()
        y.to("cuda", torch.float16)
        y.cpu()
        y.sum().item()

    reading = measured(block, ALL)
    assert (reading.values["copies_h2d"], reading.values["copies_d2h"]) == (1, 2)
    assert reading.causes["copies_h2d"] == (
        Cause(1, __file__, line_of(block, "x.cuda()"), "forward", (("to", 1),)),
    )
    assert {c.line for c in reading.causes["copies_d2h"]} == {
        line_of(block, "y.cpu()"),
        line_of(block, ".item()"),
    }


def test_looking_for_pinned_memory_counts_no_operator(one_device: None) -> None:
    x, y = torch.ones(4), torch.ones(4, device="cuda")
    both, alone = (
        measured(lambda: y.copy_(x, non_blocking=True), frozenset(names)).values
        for names in (("dispatches", "copies_pageable"), ("dispatches",))
    )
    assert both == {"copies_pageable": 1, **alone}


def test_counts_are_the_same_with_and_without_attribution() -> None:
    net, x = Net(), torch.ones(2, 4)

    def step() -> None:
        net(x).sum().backward()

    step()
    assert measured(step).values == measured(step, attribute=False).values


def test_nested_probes_count_for_themselves() -> None:
    x = torch.ones(2)
    outer, inner = DispatchProbe(), DispatchProbe()
    outer.start(HOST)
    torch.neg(x)
    inner.start(HOST)
    torch.neg(x)
    assert inner.stop().values["dispatches"] == 1
    torch.neg(x)
    reading = outer.stop()
    assert reading.values["dispatches"] == 3
    assert sum(c.amount for c in reading.causes["dispatches"]) == 3
    assert sys.getprofile() is None


def test_threads_of_the_block_dispatch_into_the_same_count() -> None:
    import threading

    x = torch.ones(2)

    def block() -> None:
        threads = [threading.Thread(target=lambda: torch.neg(x)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert measured(block).values["dispatches"] == 3


def test_copies_without_a_device_are_unavailable_and_never_zero() -> None:
    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device")
    with pytest.raises(ProbeUnavailable, match=r"copies_d2h: .*no CUDA device"):
        measured(lambda: None, frozenset({"copies_d2h", "dispatches"}))


@pytest.mark.parametrize("metric", ["dispatches", "autograd_nodes"])
@pytest.mark.parametrize("off", ["_clear_callbacks", "_enable_record_function"])
def test_operators_whose_callbacks_are_gone_are_unavailable_and_never_zero(metric: str, off: str) -> None:
    def block() -> None:
        getattr(torch._C._autograd, off)(*[False] * (off == "_enable_record_function"))
        torch.ones(2, requires_grad=True).sum().backward()

    try:
        with pytest.raises(ProbeUnavailable, match=f"{metric}: .*cleared or switched off"):
            measured(block, frozenset({metric}))
    finally:
        torch._C._autograd._enable_record_function(True)
    assert measured(lambda: torch.ones(2).sum(), frozenset({"dispatches"})).values["dispatches"] > 0


@pytest.mark.parametrize("module", [torch.autograd, torch._C._autograd])
def test_operators_that_were_hidden_for_a_while_are_unavailable(module: ModuleType) -> None:
    def block() -> None:
        module._enable_record_function(False)
        torch.ones(2)
        module._enable_record_function(True)

    own, only = module._enable_record_function, frozenset({"dispatches"})
    with pytest.raises(ProbeUnavailable, match=r"dispatches: .*cleared or switched off"):
        measured(block, only)
    assert module._enable_record_function is own
    own(False)
    try:
        with pytest.raises(ProbeUnavailable, match=r"dispatches: .*cleared or switched off"):
            measured(lambda: own(True), only)
    finally:
        own(True)
    with pytest.raises(KeyError), measure(["dispatches"]):
        raise KeyError
    assert module._enable_record_function is own


def test_callbacks_of_others_do_not_hide_that_ours_are_gone() -> None:
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]):
        torch.ones(2)
    with measure(["dispatches"], strict=False) as m:
        torch._C._autograd._clear_callbacks()  # type: ignore[attr-defined]  # not in its stubs
        other = torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU])
        other.start()
        torch.ones(2)
    other.stop()
    assert m.values == {}
    assert "cleared or switched off" in m.unavailable["dispatches"]


def test_calls_under_another_profiler_are_unavailable() -> None:
    sys.setprofile(lambda *args: None)
    try:
        with pytest.raises(ProbeUnavailable, match=r"contexts: .*another profiler"):
            measured(lambda: None, frozenset({"contexts"}))
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize("left", [None, lambda *args: None])
def test_calls_that_another_profiler_hid_are_unavailable_and_the_profiler_stays(left: object) -> None:
    def block() -> None:
        sys.setprofile(lambda *args: None)
        sys.setprofile(left)  # type: ignore[arg-type]

    try:
        with pytest.raises(ProbeUnavailable, match=r"another profiler was used"):
            measured(block, frozenset({"python_calls"}))
        assert sys.getprofile() is left
    finally:
        sys.setprofile(None)
    assert measured(lambda: (lambda: None)(), frozenset({"python_calls"})).values["python_calls"] > 0


def test_compiled_code_is_counted_and_not_compiled_again() -> None:
    torch._dynamo.reset()
    compiled = torch.compile(Net(), backend="aot_eager", fullgraph=True)
    x = torch.ones(2, 4)

    def step() -> None:
        compiled(x).sum().backward()

    step()
    before = {name: dict(counts) for name, counts in torch._dynamo.utils.counters.items()}
    with torch._dynamo.config.patch(error_on_recompile=True):
        first, second = measured(step), measured(step)
    assert {name: dict(counts) for name, counts in torch._dynamo.utils.counters.items()} == before
    assert first.values == second.values
    assert first.values["dispatches"] > 0


@pytest.mark.parametrize("watch", [False, True], ids=["alone", "watched"])
def test_an_empty_block_counts_nothing(watch: bool) -> None:
    metrics = HOST
    with measure(metrics, watch=watch) as m:
        pass
    assert m.values == dict.fromkeys(metrics, 0)


class _Converting(TorchDispatchMode):
    """Copies between host and device as CUDA does: converted on one side, then as it is to the other."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is torch.ops.aten.copy_.default and args[0].dtype != args[1].dtype:
            to, source = args[0], args[1]
            between = torch.empty_like(to, dtype=source.dtype).copy_(source)
            return func(to, between)
        return func(*args, **(kwargs or {}))


def test_copy_within_a_copy_is_not_counted_again(one_device: None) -> None:
    there, here = torch.ones(4, device="cuda"), torch.ones(4, dtype=torch.float64)

    def block() -> None:
        with _Converting():  # type: ignore[no-untyped-call]
            here.copy_(there)
            there.copy_(here)
        there.cpu()

    values = measured(block, ALL).values
    assert (values["copies_h2d"], values["copies_d2h"], values["copies_pageable"]) == (1, 2, 1)
