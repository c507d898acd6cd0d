"""The guard probe: recompilations, and graph breaks."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

torch = pytest.importorskip("torch")

from guarded_code import Counter, Scale, Tutorial, compiled, helper, line_of, with_break  # noqa: E402

from overhead_lint.probes import measure  # noqa: E402
from overhead_lint.probes.guards_causes import recompile_causes  # noqa: E402
from overhead_lint.probes.guards_dynamo import watch  # noqa: E402
from overhead_lint.probes.guards_listener import Compilation  # noqa: E402
from overhead_lint.probes.guards_records import CompileTime  # noqa: E402

if TYPE_CHECKING:
    from torch import Tensor

pytestmark = pytest.mark.usefixtures("fresh_guards")


def break_in_loop(x: Tensor) -> Tensor:
    """Breaks inside a loop, so Dynamo cannot compile it at all."""
    for _ in range(3):
        x = helper(x)
        torch._dynamo.graph_break()
    return x


def test_a_counter_in_forward_recompiles_once_a_step() -> None:
    model, x = compiled(Counter()), torch.ones(3)
    model(x)
    with measure(["recompiles"]) as m:
        for _ in range(4):
            model(x)
    assert m.values == {"recompiles": 4}
    (cause,) = m.causes["recompiles"]
    assert cause.path == inspect.getfile(Counter)
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


def test_a_change_of_the_global_state_is_told_alike_where_only_its_fields_are_known() -> None:
    code = Scale.forward.__code__
    reason = "0/0: GLOBAL_STATE changed: grad_mode"
    (cause,) = recompile_causes([Compilation(code, code, recompiled=True, reason=reason)], ())
    assert cause.label == "recompile of forward: failed guard on the global state: grad_mode"


def test_the_first_compilation_is_no_recompile() -> None:
    model = compiled(Tutorial(1))
    with measure(["recompiles"]) as m:
        model(torch.ones(3))
    assert m.values == {"recompiles": 0}


def test_compiled_frames_are_first_ones_and_recompilations_with_their_reasons() -> None:
    model, x = compiled(Counter()), torch.ones(3)
    with measure(["compiled_frames"]) as m:
        for _ in range(3):
            model(x)
    assert m.values == {"compiled_frames": 3}
    again, first = m.causes["compiled_frames"]
    assert (again.amount, again.label) == (2, "recompile of forward: failed guard self.calls == 0, now 1")
    assert (first.amount, first.label) == (1, "first compilation of forward")
    assert first.line == Counter.forward.__code__.co_firstlineno


def test_a_warm_step_compiles_nothing_and_takes_no_time_to_compile() -> None:
    model, x = compiled(Scale()), torch.ones(3)
    model(x)
    with measure(["compiled_frames", "compile_time"]) as m:
        model(x)
    assert m.values == {"compiled_frames": 0, "compile_time": 0}
    assert m.causes == {"compiled_frames": (), "compile_time": ()}


def test_the_time_of_compilations_lies_at_the_functions_that_were_compiled() -> None:
    model, x = compiled(Counter()), torch.ones(3)
    began = time.perf_counter()
    with measure(["compile_time"]) as m:
        model(x)
        model(x)
    took = time.perf_counter() - began
    (cause,) = m.causes["compile_time"]
    assert (cause.path, cause.label) == (inspect.getfile(Counter), "2 x compiling forward")
    assert 0 < m.values["compile_time"] == cause.amount < took


def test_records_without_times_are_told_and_no_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    model, x = compiled(Scale()), torch.ones(3)
    without = [CompileTime("a.py", 1, "f", None)]
    monkeypatch.setattr("overhead_lint.probes.guards_dynamo.compile_times", lambda records: without)
    with measure(["compile_time"], strict=False) as m:
        model(x)
    assert m.unavailable == {"compile_time": "Dynamo's records of compilations have no times in this torch"}


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


def test_graph_breaks_of_frames_compiled_before_the_block_are_counted() -> None:
    function, x = compiled(with_break), torch.ones(3)
    function(x)
    with measure(["graph_breaks"]) as m:
        function(x)
        function(x)
    assert m.values == {"graph_breaks": 1}
    (cause,) = m.causes["graph_breaks"]
    assert (cause.path, cause.line) == (inspect.getfile(with_break), line_of(with_break, "graph_break()"))


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
    assert (cause.path, cause.line) == (inspect.getfile(function), line_of(function, line))


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
