"""The guard probe, on real compiled frames."""

from __future__ import annotations

import dataclasses
import gc
import inspect
import statistics
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

torch = pytest.importorskip("torch")

from torch import Tensor, nn  # noqa: E402

import overhead_lint.runtime  # noqa: E402
from overhead_lint.probes import ProbeUnavailable, guards_api, guards_dynamo, guards_probe, measure, timing  # noqa: E402
from overhead_lint.probes.guards_dynamo import watch  # noqa: E402

COUNTS = ("guards", "recompiles", "graph_breaks")


class Scale(nn.Module):
    """One submodule of the tutorial model: a multiplication by a Python number."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = 2

    def forward(self, x: Tensor) -> Tensor:
        """Scale `x`."""
        return x * self.scale


class Tutorial(nn.Module):
    """`n` submodules one after the other; guards grow by four for each."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Scale() for _ in range(n)])

    def forward(self, x: Tensor) -> Tensor:
        """Run all."""
        for layer in self.layers:
            x = layer(x)
        return x


class Counter(nn.Module):
    """Counts its calls in a Python attribute, and so is compiled again for each."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def forward(self, x: Tensor) -> Tensor:
        """Add the number of calls so far."""
        self.calls += 1
        return x + self.calls


def helper(x: Tensor) -> Tensor:
    """Called from the functions below."""
    return x + 1


def with_break(x: Tensor) -> Tensor:
    """One graph break, in the middle."""
    y = x * 2
    torch._dynamo.graph_break()
    return helper(y)


def break_in_loop(x: Tensor) -> Tensor:
    """Breaks inside a loop, so Dynamo cannot compile it at all."""
    for _ in range(3):
        x = helper(x)
        torch._dynamo.graph_break()
    return x


def line_of(function: Callable[..., object], text: str) -> int:
    """The line number of the first line of `function` that holds `text`."""
    lines, first = inspect.getsourcelines(function)
    return first + next(number for number, line in enumerate(lines) if text in line)


@pytest.fixture(autouse=True)
def _fresh_dynamo() -> Iterator[None]:
    torch._dynamo.reset()
    guards_probe.prepare()
    yield
    guards_probe.release()


def compiled(function: Any, **options: Any) -> Any:
    return torch.compile(function, backend="eager", **options)


@pytest.mark.parametrize("n", [1, 2, 10])
def test_the_tutorial_model_has_seventeen_guards_and_four_for_each_submodule(n: int) -> None:
    model, x = compiled(Tutorial(n)), torch.ones(3)
    with measure(["guards"]) as first:
        model(x)
    with measure(["guards"]) as later:
        model(x)
        model(x)
    assert first.values == later.values == {"guards": 17 + 4 * n}
    assert sum(cause.amount for cause in later.causes["guards"]) == 17 + 4 * n


def test_guards_are_attributed_to_the_user_line_that_needs_them() -> None:
    model = compiled(Tutorial(5))
    with measure(["guards"]) as m:
        model(torch.ones(3))
    line = line_of(Scale.forward, "x * self.scale")
    cause = next(c for c in m.causes["guards"] if c.path == __file__ and c.line == line)
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


def test_a_counter_in_forward_recompiles_once_a_step() -> None:
    model, x = compiled(Counter()), torch.ones(3)
    model(x)
    with measure(["recompiles"]) as m:
        for _ in range(4):
            model(x)
    assert m.values == {"recompiles": 4}
    (cause,) = m.causes["recompiles"]
    assert cause.path == __file__
    assert cause.line == line_of(Counter.forward, "self.calls += 1")
    assert cause.label == "recompile of forward: failed guard self.calls == 0, now 1"


def test_each_change_of_the_global_state_that_recompiles_is_told() -> None:
    model, x = compiled(Scale()), torch.ones(3)
    model(x)
    with measure(["recompiles"]) as m:
        with torch.no_grad():
            model(x)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            model(x)
    assert m.values == {"recompiles": 2}
    first, second = sorted(cause.label for cause in m.causes["recompiles"])
    told = "recompile of forward: failed guard on the global state: "
    # Dynamo asks the latest entry first, which was made without gradients.
    assert first.startswith(told + "autocast_state.enabled[")
    assert first.endswith("]: False -> True, grad_mode: False -> True")
    assert second == told + "grad_mode: True -> False"


def test_the_first_compilation_is_no_recompile() -> None:
    model = compiled(Tutorial(1))
    with measure(["recompiles"]) as m:
        model(torch.ones(3))
    assert m.values == {"recompiles": 0}


def test_calls_past_the_recompile_limit_count_and_name_the_caller() -> None:
    model, x = compiled(Counter()), torch.ones(3)
    with torch._dynamo.config.patch(recompile_limit=2):
        model(x)
        with measure(["recompiles"]) as m:
            for _ in range(4):
                model(x)
    assert m.values == {"recompiles": 4}
    eager = next(c for c in m.causes["recompiles"] if "eagerly" in c.label)
    assert (eager.amount, eager.path) == (3, __file__)
    assert eager.label == (
        "call of Counter.forward run eagerly, not compiled again: failed guard self.calls == 1, now 3"
    )


def past_the_limit() -> Callable[[Tensor], Tensor]:
    model = compiled(Counter())
    with torch._dynamo.config.patch(recompile_limit=1):
        model(torch.ones(3))
        model(torch.ones(3))
    return model  # type: ignore[no-any-return]


def given_up() -> Callable[[Tensor], Tensor]:
    def only_breaks(x: Tensor) -> Tensor:
        for _ in range(2):
            torch._dynamo.graph_break()
        return x

    function = compiled(only_breaks)
    function(torch.ones(3))
    return function  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: helper, "nothing that torch.compile made was called"),
        (past_the_limit, "1 calls failed their guards and ran eagerly"),
        (given_up, "Dynamo gave up on only_breaks"),
    ],
)
@pytest.mark.parametrize("metric", COUNTS)
def test_no_compiled_frame_is_an_error_and_never_a_zero(
    make: Callable[[], Callable[[Tensor], Tensor]], why: str, metric: str
) -> None:
    function = make()
    message = f"no compiled frame ran while it was measured: {why}"
    with pytest.raises(ProbeUnavailable, match=message), measure([metric]):
        function(torch.ones(3))


def test_force_eager_is_an_error() -> None:
    function = compiled(helper)
    function(torch.ones(3))
    with torch.compiler.set_stance("force_eager"), measure(["guards"], strict=False) as m:
        function(torch.ones(3))
    assert "guards" not in m.values
    assert m.unavailable["guards"].startswith("no compiled frame ran")


def test_graph_breaks_of_frames_compiled_before_the_block_are_counted() -> None:
    function, x = compiled(with_break), torch.ones(3)
    function(x)
    with measure(["graph_breaks"]) as m:
        function(x)
        function(x)
    assert m.values == {"graph_breaks": 1}
    (cause,) = m.causes["graph_breaks"]
    assert (cause.path, cause.line) == (__file__, line_of(with_break, "graph_break()"))


def test_graph_breaks_are_counted_after_each_reset() -> None:
    for _ in range(3):
        torch._dynamo.reset()  # empties Dynamo's list of breaks, which is then as long as it was
        with measure(["graph_breaks"]) as m:
            compiled(with_break)(torch.ones(3))
        assert m.values == {"graph_breaks": 1}
        assert m.causes["graph_breaks"][0].line == line_of(with_break, "graph_break()")


def test_a_frame_that_cannot_be_compiled_counts_as_a_graph_break() -> None:
    function, x = compiled(break_in_loop), torch.ones(3)
    function(x)
    with measure(["graph_breaks"]) as m:
        function(x)
    assert m.values == {"graph_breaks": 1}
    assert m.causes["graph_breaks"][0].label.startswith("break_in_loop is not compiled:")


def branching_break(x: Tensor) -> Tensor:
    """Breaks where it branches, and has code to resume for either branch."""
    if x.sum() > 0:
        return helper(x)
    return x - 1


def returning_break(x: Tensor) -> float:
    """Breaks in its last expression."""
    return x.sum().item()


@pytest.mark.parametrize(
    ("function", "line"),
    [
        (with_break, "graph_break()"),
        (branching_break, "if x.sum()"),
        (returning_break, "x.sum().item()"),
    ],
)
def test_graph_breaks_compiled_before_the_watch_are_counted(function: Callable[..., Any], line: str) -> None:
    run, x = compiled(function), torch.ones(3)
    run(x)
    watch()._breaks.clear()  # what a watch knows that is installed only now
    with measure(["graph_breaks"]) as m:
        run(x)
    assert m.values == {"graph_breaks": 1}
    (cause,) = m.causes["graph_breaks"]
    assert (cause.path, cause.line) == (__file__, line_of(function, line))


@pytest.mark.parametrize("function", [with_break, branching_break])
def test_a_graph_break_that_dynamo_has_no_record_of_is_counted_without_a_line(
    function: Callable[..., Any],
) -> None:
    run, x = compiled(function), torch.ones(3)
    run(x)
    watch()._breaks.clear()
    watch().api.graph_break_reasons.clear()
    with measure(["graph_breaks"]) as m:
        run(x)
    assert m.values == {"graph_breaks": 1}
    assert "before it was watched" in m.causes["graph_breaks"][0].label


def test_guards_are_read_though_the_model_dies_with_the_block() -> None:
    def body() -> None:
        compiled(Tutorial(2))(torch.ones(3))

    with measure(["guards"]) as m:
        body()
        gc.collect()
    assert m.values == {"guards": 25}


def test_times_are_seconds_and_cold_is_slower_than_hot() -> None:
    model, x = compiled(Tutorial(20)), torch.ones(3)
    model(x)
    with measure(["guard_time_hot", "guard_time_cold"]) as m:
        model(x)
    assert 1e-8 < m.values["guard_time_hot"] < m.values["guard_time_cold"] < 1


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


def test_an_active_profiler_makes_guards_an_error() -> None:
    function, x = compiled(helper), torch.ones(3)
    function(x)

    @torch._dynamo.disable  # type: ignore[untyped-decorator]
    def profile(frame: object, event: str, arg: object) -> None:
        del frame, event, arg

    with measure(["guards"], strict=False) as m:
        sys.setprofile(profile)
        try:
            function(x)
        finally:
            sys.setprofile(None)
    assert "profiler" in m.unavailable["guards"]


@pytest.mark.parametrize("piece", ["orig_code_map", "graph_break_reasons", "guard_failures"])
def test_a_torch_that_lacks_a_piece_makes_metrics_unavailable_by_its_name(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guards_probe, "watch", lambda: guards_dynamo.Watch(guards_api.api()))
    monkeypatch.delattr(torch._dynamo.utils, piece)
    guards_api.api.cache_clear()
    try:
        lacking = f"this torch has no torch._dynamo.utils.{piece}"
        with pytest.raises(ProbeUnavailable, match=lacking), measure(["guards"]):
            pass
    finally:
        guards_api.api.cache_clear()


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


@pytest.mark.parametrize(
    ("piece", "instead", "told"),
    [
        ("entries", lambda code: [], "_debug_get_cache_entry_list shows no entry"),
        ("orig_code_map", {}, "orig_code_map does not lead back"),
        ("set_guard_complete_hook", lambda hook: None, "set_guard_complete_hook tells no hit"),
    ],
)
def test_a_piece_that_does_not_work_is_found_at_first_use(
    piece: str, instead: Any, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = dataclasses.replace(guards_api.api(), **{piece: instead})
    monkeypatch.setattr(guards_api, "api", lambda: broken)
    guards_api._tried_out.cache_clear()
    counted = {name: dict(counts) for name, counts in torch._dynamo.utils.counters.items()}
    try:
        lacking = f"Dynamo's hooks do not work here: {told}"
        with pytest.raises(ProbeUnavailable, match=lacking), measure(["guards"]):
            pass
    finally:
        guards_api._tried_out.cache_clear()
    assert {name: dict(counts) for name, counts in torch._dynamo.utils.counters.items()} == counted


def test_a_hook_that_another_tool_took_makes_all_unavailable_and_stays_its_own() -> None:
    take = torch._C._dynamo.eval_frame.set_guard_complete_hook
    function, x = compiled(helper), torch.ones(3)
    function(x)
    heard: list[bool] = []
    ours: list[Any] = []

    def theirs(hit: bool) -> bool:
        heard.append(hit)
        return bool(ours[0](hit))

    first = take(None)
    take(first)
    with measure(["guards", "recompiles"], strict=False) as m:
        ours.append(take(theirs))
        function(x)
    assert m.values == {}
    assert set(m.unavailable.values()) == {"another tool took Dynamo's guard hook while it was measured"}
    try:
        with measure(["guards"]) as m:  # its hook calls ours, and ours calls it
            function(x)
        assert m.values["guards"] > 0
        assert heard == [True, True]
    finally:
        assert take(first) is theirs


def test_a_torch_that_cannot_copy_guards_has_no_table_and_all_else(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise guards_api.Unsupported("this torch has no RootGuardManager.clone_manager")

    monkeypatch.setattr(guards_probe, "family_times", refuse)
    monkeypatch.setattr(timing, "LEAST_FLUSH", 1 << 20)
    monkeypatch.setattr(timing, "last_level_cache_bytes", lambda: 0)
    function, x = compiled(helper), torch.ones(3)
    function(x)
    probe = guards_probe.GuardProbe(closely=True)
    probe.start(guards_probe.TIMED)
    function(x)
    assert probe.stop().unavailable == {}
    (entry,) = probe.entries()
    assert entry.families == () and entry.times["guard_time_hot"] > 0


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
    probe = guards_probe.GuardProbe(closely=closely)
    probe.start(guards_probe.TIMED)
    measured = run_some_steps()
    reading = probe.stop()
    assert reading.unavailable == {} and reading.values["recompiles"] > 10
    assert all(torch.equal(a, b) for a, b in zip(without.results, measured.results, strict=True))
    assert len(without.graphs) > 10
    assert without[1:] == measured[1:]
    again = run_some_steps()  # and nothing stays behind
    assert again[1:] == without[1:]


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
    for _ in range(5):  # on a busy machine one of the two may be held up
        ours = timing.cold_seconds(lambda: root.check(inputs))
        theirs = statistics.median(profile_guard_manager(root, inputs, 1) for _ in range(7)) / 1e6
        ratios.append(ours / theirs)
    assert min(ratios) < 10
    assert max(ratios) > 0.1


def test_importing_the_probes_imports_no_torch() -> None:
    code = "import overhead_lint.probes.guards_probe, sys; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
