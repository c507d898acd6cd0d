"""The guard probe, on real compiled frames: what it counts, and which lines need it."""

from __future__ import annotations

import gc
import inspect
import statistics
import subprocess
import sys
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

torch = pytest.importorskip("torch")

from guarded_code import (  # noqa: E402
    COUNTS,
    Counter,
    Scale,
    Tutorial,
    compiled,
    helper,
    leaf_guards,
    line_of,
    with_break,
)
from torch import Tensor, nn  # noqa: E402

import overhead_lint.runtime  # noqa: E402
from overhead_lint.probes import guards_api, guards_reading, measure, timing  # noqa: E402
from overhead_lint.probes.guards_dynamo import watch  # noqa: E402

pytestmark = pytest.mark.usefixtures("fresh_guards")


@pytest.mark.parametrize("n", [1, 2, 10])
def test_the_tutorial_model_has_as_many_guards_as_torch_and_four_for_each_submodule(n: int) -> None:
    model, x = compiled(Tutorial(n)), torch.ones(3)
    with measure(["guards"]) as first:
        model(x)
    with measure(["guards"]) as later:
        model(x)
        model(x)
    guards = leaf_guards(Tutorial.forward)
    assert first.values == later.values == {"guards": guards}
    assert sum(cause.amount for cause in later.causes["guards"]) == guards
    torch._dynamo.reset()
    compiled(Tutorial(n + 1))(x)
    assert leaf_guards(Tutorial.forward) == guards + 4


def test_guards_are_attributed_to_the_user_line_that_needs_them() -> None:
    model = compiled(Tutorial(5))
    with measure(["guards"]) as m:
        model(torch.ones(3))
    line = line_of(Scale.forward, "x * self.scale")
    cause = next(c for c in m.causes["guards"] if c.path == inspect.getfile(Scale) and c.line == line)
    assert cause.amount == 5 + 2  # a scale each, and two for x
    assert cause.label == "guard on L['self']._modules['layers']._modules[*].scale and others"


def spelled_as_decorator() -> Callable[[Tensor], Tensor]:
    @torch.compile(backend="eager")  # type: ignore[untyped-decorator]
    def function(x: Tensor) -> Tensor:
        return x + 1

    return function  # type: ignore[no-any-return]


def spelled_as_bound_method() -> Callable[[Tensor], Tensor]:
    return compiled(Scale().forward)  # type: ignore[no-any-return]


def spelled_as_module_compile() -> Callable[[Tensor], Tensor]:
    module = Scale()
    module.compile(backend="eager")
    return module


def spelled_as_inner_module() -> Callable[[Tensor], Tensor]:
    return nn.Sequential(nn.ReLU(), compiled(Scale()))


@pytest.mark.parametrize(
    "spelling",
    [
        spelled_as_decorator,
        spelled_as_bound_method,
        spelled_as_module_compile,
        spelled_as_inner_module,
        lambda: overhead_lint.runtime.compile(Scale(), backend="eager"),
        lambda: compiled(helper),
        lambda: compiled(lambda x: x + 3),
    ],
)
def test_every_spelling_of_compile_is_found(spelling: Callable[[], Callable[[Tensor], Tensor]]) -> None:
    function = spelling()
    function(torch.ones(3))
    with measure(COUNTS) as m:
        function(torch.ones(3))
    assert m.values["guards"] > 4
    assert (m.values["recompiles"], m.values["graph_breaks"]) == (0, 0)


def test_guards_are_read_though_the_model_dies_with_the_block() -> None:
    def body() -> int:
        compiled(Tutorial(2))(torch.ones(3))
        return leaf_guards(Tutorial.forward)

    with measure(["guards"]) as m:
        guards = body()
        gc.collect()
    assert m.values == {"guards": guards}


def test_times_are_seconds_with_warm_and_with_cold_caches() -> None:
    model, x = compiled(Tutorial(20)), torch.ones(3)
    model(x)
    with measure(["guard_time_hot", "guard_time_cold"]) as m:
        model(x)
    assert set(m.values) == {"guard_time_hot", "guard_time_cold"}
    assert all(1e-8 < seconds < 1 for seconds in m.values.values())


def test_a_block_that_raises_still_ends_the_measurement() -> None:
    function = compiled(helper)
    with pytest.raises(ZeroDivisionError), measure(["guards"]) as m:
        function(torch.ones(3))
        raise ZeroDivisionError
    assert m.values["guards"] > 0
    assert watch().callers() == ()
    assert torch._dynamo.guards.guard_manager_testing_hook_fn is None


def test_blocks_may_be_nested() -> None:
    function, x = compiled(helper), torch.ones(3)
    with measure(["guards"]) as outer:
        with measure(["guards"]) as inner:
            function(x)
        function(x)
    assert inner.values == outer.values


def test_nothing_of_the_block_is_kept_alive() -> None:
    function = compiled(helper)
    x = torch.ones(3)
    dead = weakref.ref(x)
    with measure(["guards", "guard_time_hot"]):
        function(x)
        function(x)
        del x
        assert dead() is None


def test_python_calls_and_contexts_are_measured_in_the_same_block_as_guards() -> None:
    function, x = compiled(helper), torch.ones(3)
    function(x)

    def body() -> None:
        for _ in range(3):
            with torch.no_grad():
                function(x)
            function(x)
            line_of(helper, "def")

    calls, frames = ["python_calls", "contexts"], ["guards", "recompiles", "graph_breaks"]
    body()
    with measure(calls) as alone:
        body()
    with measure(frames) as others:
        body()
    for order in ([*calls, *frames], [*frames, *calls]):
        with measure(order) as together:
            body()
        assert together.values == {**alone.values, **others.values}
        assert together.causes == {**alone.causes, **others.causes}
    assert alone.values["contexts"] >= 3
    assert others.values["guards"] > 0
    assert sys.getprofile() is None


class Run(NamedTuple):
    """What may differ when a run is measured."""

    results: list[Tensor]
    frames: dict[str, int]
    """Dynamo's own counts."""
    graphs: list[str]
    """Code of each graph, in the order in which they were compiled."""
    failures: dict[str, list[str]]
    """Guards that failed, by function."""
    entries: list[int]


def run_some_steps() -> Run:
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    graphs: list[str] = []

    def backend(graph: Any, inputs: Any) -> Any:
        graphs.append(graph.code)
        return graph.forward

    counter, breaks = torch.compile(Counter(), backend=backend), torch.compile(with_break, backend=backend)
    tutorial = torch.compile(Tutorial(3), backend=backend, dynamic=False)
    results = [
        function(torch.full((2 + step // 2,), 1.5))
        for step in range(10)
        for function in (counter, breaks, tutorial)
    ]
    return Run(
        results,
        dict(torch._dynamo.utils.counters["frames"]),
        graphs,
        {code.co_name: list(found) for code, found in torch._dynamo.utils.guard_failures.items()},
        [len(guards_api.api().entries(f.__code__)) for f in (Counter.forward, with_break, Tutorial.forward)],
    )


@pytest.mark.parametrize("closely", [False, True])
def test_measuring_changes_no_result_and_no_compilation(
    closely: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timing, "LEAST_FLUSH", 1 << 20)
    monkeypatch.setattr(timing, "last_level_cache_bytes", lambda: 0)
    without = run_some_steps()
    probe = guards_reading.GuardProbe(closely=closely)
    probe.start(guards_reading.TIMED)
    measured = run_some_steps()
    reading = probe.stop()
    assert reading.unavailable == {} and reading.values["recompiles"] > 10
    assert all(torch.equal(a, b) for a, b in zip(without.results, measured.results, strict=True))
    assert len(without.graphs) > 10
    assert without[1:] == measured[1:]
    again = run_some_steps()  # and nothing stays behind
    assert again[1:] == without[1:]


@pytest.mark.usefixtures("whole_flush")
def test_cold_times_are_of_the_order_that_torch_measures() -> None:
    try:
        from torch._C._dynamo.guards import profile_guard_manager
    except ImportError:
        pytest.skip("this torch does not time guards")
    model, x = Tutorial(100), torch.ones(3)
    compiled(model)(x)
    (entry,) = guards_api.api().entries(Tutorial.forward.__code__)
    root, inputs = entry.guard_manager.root, {"self": model, "x": x}
    ratios = []
    with timing.flushing():
        for _ in range(5):  # on a busy machine one of the two may be held up
            ours = timing.cold_seconds(lambda: root.check(inputs))
            theirs = statistics.median(profile_guard_manager(root, inputs, 1) for _ in range(7)) / 1e6
            ratios.append(ours / theirs)
            if 0.1 < ratios[-1] < 10:
                break
    assert min(ratios) < 10
    assert max(ratios) > 0.1


def test_importing_the_probes_imports_no_torch() -> None:
    code = "import overhead_lint.probes.guards_probe, sys; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
