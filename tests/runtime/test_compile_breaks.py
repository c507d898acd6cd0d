"""`compile` of code whose graph breaks: frames are dispatched one by one, Dynamo evaluates the user's."""

from __future__ import annotations

import builtins
import dataclasses
import gc
import threading
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from overhead_runtime import compile as any_compile
from overhead_runtime import compile_stats
from overhead_runtime._dispatch import breaks, dynamo

from .compile_matrix_run import build_native  # type: ignore[import-not-found]  # tests are no package

pytestmark = [pytest.mark.usefixtures("fresh_dynamo"), pytest.mark.filterwarnings("ignore")]


@pytest.fixture(params=["full", "token"])
def guard_eval(request: pytest.FixtureRequest) -> str:
    build_native()
    return str(request.param)


class Broken(nn.Module):
    """Two graphs, each with a guard of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.layers: Any = nn.ModuleList(nn.Linear(2, 2) for _ in range(4))
        self.before, self.after = 2, 3

    def forward(self, x: torch.Tensor, *, shift: int = 1) -> torch.Tensor:
        for layer in self.layers[:2]:
            x = layer(x) * self.before
        torch._dynamo.graph_break()
        for layer in self.layers[2:]:
            x = layer(x) * self.after + shift
        return x


def _graphs_of(guard_eval: str, make: Callable[[Any], Any]) -> tuple[Any, list[int]]:
    """A callable, compiled by a backend that counts the graphs."""
    graphs: list[int] = []

    def backend(graph: torch.fx.GraphModule, example: list[torch.Tensor]) -> Any:
        graphs.append(1)
        return graph.forward

    return make(lambda one, **how: any_compile(one, backend=backend, guard_eval=guard_eval, **how)), graphs


def test_changes_before_and_after_the_break_are_seen(guard_eval: str) -> None:
    module, x = Broken(), torch.ones(2)
    compiled, graphs = _graphs_of(guard_eval, lambda by: by(module))
    for _ in range(5):
        assert torch.equal(compiled(x), module(x))
    stats = compiled.stats()
    assert (stats.hits, stats.misses, stats.fallbacks, stats.not_native) == (4, 1, {}, None)
    assert stats.dispatched_natively == 3
    assert stats.recognised == (3 if guard_eval == "token" and stats.not_recognised is None else 0)
    assert len(graphs) == 2
    for change in (
        lambda: setattr(module, "before", 5),
        lambda: setattr(module, "after", 7),
        lambda: module.layers.__setitem__(0, nn.Linear(2, 2)),
        module.double,
    ):
        change()
        x = x.to(next(module.parameters()).dtype)
        torch.testing.assert_close([compiled(x) for _ in range(3)], [module(x)] * 3)
        torch.testing.assert_close(compiled(x, shift=4), module(x, shift=4))


def test_what_runs_at_the_break_is_compiled_and_may_change_what_guards_read(guard_eval: str) -> None:
    calls = []

    def at_break(one: Any, x: torch.Tensor) -> torch.Tensor:
        one.scale = 1 - one.scale
        calls.append(torch._C._dynamo.eval_frame.get_eval_frame_callback() is not None)
        return x * 2

    disable: Any = torch.compiler.disable
    opaque = disable(at_break, recursive=False)

    class Changing(nn.Module):
        scale = 0

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            x = x + self.scale
            return opaque(self, x) + self.scale  # type: ignore[no-any-return]

    compiled, eager, x = (
        any_compile(Changing(), backend="eager", guard_eval=guard_eval),
        Changing(),
        torch.ones(2),
    )
    for _ in range(12):
        assert torch.equal(compiled(x), eager(x))
    assert set(calls[::2]) == {True}, "Dynamo evaluates what runs at a break"
    assert compiled.stats().hits > 0


def test_an_error_after_the_break_leaves_dynamo_off_and_the_next_call_right(guard_eval: str) -> None:
    def raising(x: torch.Tensor, error: Any) -> torch.Tensor:
        y = x + 1
        torch._dynamo.graph_break()
        if error[0]:
            builtins.print(end="")
            raise ValueError("asked for")
        return y * 2

    compiled, x, error = any_compile(raising, backend="eager", guard_eval=guard_eval), torch.ones(2), [False]
    for _ in range(4):
        compiled(x, error)
    for flag in (True, False, True, False):
        error[0] = flag
        if flag:
            with pytest.raises(ValueError, match="asked for"):
                compiled(x, error)
        else:
            assert torch.equal(compiled(x, error), x * 2 + 2)
        assert torch._C._dynamo.eval_frame.get_eval_frame_callback() is None
    assert compile_stats(compiled).fallbacks == {}


def test_what_resumes_is_compiled_anew_by_the_options_that_were_given(guard_eval: str) -> None:
    def sized(x: torch.Tensor, table: dict[str, torch.Tensor]) -> torch.Tensor:
        y = x + 1
        torch._dynamo.graph_break()
        return y.sum() + table["y"].sum() * table["y"].shape[0]

    x = torch.ones(2)
    compiled, graphs = _graphs_of(guard_eval, lambda by: by(sized, dynamic=False))
    for size in (2, 2, 3, 4, 3, 2, 4):
        table = {"y": torch.ones(size)}
        assert torch.equal(compiled(x, table), sized(x, table))
    # One before the break, and one for each size after it: made while the first frame is a hit.
    assert len(graphs) == 4
    assert compile_stats(compiled).misses == 1


def test_what_resumes_is_dispatched_by_itself(guard_eval: str) -> None:
    def thrice(x: torch.Tensor) -> torch.Tensor:
        x = x + 1
        torch._dynamo.graph_break()
        x = x * 2
        torch._dynamo.graph_break()
        return x - 3

    compiled, x = any_compile(thrice, backend="eager", guard_eval=guard_eval), torch.ones(2)
    for _ in range(6):
        assert torch.equal(compiled(x), thrice(x))
    stats = compile_stats(compiled)
    # The first call compiles all; the second finds what there is, and so does each frame behind a break.
    assert (stats.hits, stats.misses, stats.fallbacks, stats.resumed) == (5, 1, {}, 10)
    generation = dynamo.generation_tracker().generation
    compiled(x)
    assert dynamo.generation_tracker().generation == generation + 1, "one call, of three frames"
    torch._dynamo.reset()
    for _ in range(3):
        assert torch.equal(compiled(x), thrice(x))
    assert compile_stats(compiled).resumed > 12, "those of entries that are gone count on"


_evaluated: list[bool] = []


def _at_break(x: torch.Tensor) -> torch.Tensor:
    _evaluated.append(torch._C._dynamo.eval_frame.get_eval_frame_callback() is not None)
    return x.sum()


_disable: Any = torch.compiler.disable
_last = _disable(_at_break, recursive=False)


def test_what_a_function_that_resumes_calls_is_evaluated_by_dynamo(guard_eval: str) -> None:
    def twice(x: torch.Tensor) -> Any:
        x = x + 1
        torch._dynamo.graph_break()
        return _last(x * 2)  # Dynamo names this break by the name of `twice` alone.

    _evaluated.clear()
    compiled, x = any_compile(twice, backend="eager", guard_eval=guard_eval), torch.ones(2)
    for _ in range(6):
        assert compiled(x) == 8
    assert _evaluated == [True] * 6
    assert compile_stats(compiled).resumed == 5


def test_what_resumes_with_nothing_to_compile_is_left_to_dynamo(guard_eval: str) -> None:
    def ends(x: torch.Tensor) -> torch.Tensor:
        x = x + 1
        torch._dynamo.graph_break()
        return x

    compiled, x = any_compile(ends, backend="eager", guard_eval=guard_eval), torch.ones(2)
    for _ in range(8):
        assert torch.equal(compiled(x), x + 1)
    stats = compile_stats(compiled)
    assert (stats.hits, stats.resumed) == (7, 0)


def test_globals_are_as_before_once_the_code_is_gone(guard_eval: str) -> None:
    def twice(x: torch.Tensor) -> torch.Tensor:
        x = x + 1
        torch._dynamo.graph_break()
        return x * 2

    gc.collect()
    before = set(globals())
    compiled: Any = any_compile(twice, backend="eager", guard_eval=guard_eval)
    for _ in range(4):
        compiled(torch.ones(2))
    own = {name for name in set(globals()) - before if name.startswith("__overhead_lint_")}
    assert own
    del compiled
    torch._dynamo.reset()
    gc.collect()
    assert not own & set(globals())


_dropping: list[Callable[[], object]] = []


def _drop(x: torch.Tensor) -> torch.Tensor:
    while _dropping:
        thread = threading.Thread(target=_dropping.pop())
        thread.start()
        thread.join()
    return x


_drop_at_break = _disable(_drop)


def test_code_that_is_dropped_at_a_break_runs_to_its_end(guard_eval: str) -> None:
    def twice(x: torch.Tensor) -> Any:
        return _drop_at_break(x + 1) * 2

    compiled: Any = any_compile(twice, backend="eager", guard_eval=guard_eval)
    x = torch.ones(2)
    for _ in range(5):
        assert torch.equal(compiled(x), x * 4)

    def drop() -> None:
        torch._dynamo.reset()
        for _ in range(3):  # The dispatcher learns that what it had is gone.
            compiled(x)
        gc.collect()

    _dropping.append(drop)
    assert torch.equal(compiled(x), x * 4)
    assert torch.equal(compiled(x), x * 4)


def test_what_cannot_be_handed_to_dynamo_as_stock_would_is_named() -> None:
    target = dynamo.target_of(torch.compile(Broken(), backend="eager"))
    assert breaks.refusal(target) is None
    isolated = dataclasses.replace(target, region=3)
    assert breaks.refusal(isolated) == "graph break in code whose recompilations are isolated"
    assert (
        breaks.refusal(dataclasses.replace(target, errs_at_breaks=True))
        == "graph break where breaks are errors"
    )
