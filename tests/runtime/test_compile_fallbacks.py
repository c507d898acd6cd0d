"""What `compile` leaves to `torch.compile`: limits, other backends, nested frames; and graph breaks."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import pytest
import torch
from compile_cases import Scaled, warm
from torch import nn

from overhead_runtime.compile import compile as fast_compile

pytestmark = pytest.mark.usefixtures("fresh_dynamo")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("tail", [False, True], ids=["resumes", "in the return"])
def test_what_follows_a_graph_break_is_compiled_as_stock_compiles_it(tail: bool) -> None:
    graphs: list[int] = []

    def backend(graph: torch.fx.GraphModule, example: list[torch.Tensor]) -> Any:
        graphs.append(1)
        return graph.forward

    def inner(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    def calls_inner(x: torch.Tensor) -> torch.Tensor:
        return inner(x)

    disable: Any = torch.compiler.disable
    opaque = disable(calls_inner, recursive=False)

    def broken(x: torch.Tensor) -> torch.Tensor:
        y = x + 1
        if tail:
            return opaque(y)  # type: ignore[no-any-return]
        return opaque(y) + 1  # type: ignore[no-any-return]

    compiled, x = fast_compile(broken, backend=backend), torch.ones(3)
    for _ in range(3):
        assert torch.equal(compiled(x), broken(x))
    stats = compiled.stats()
    assert (stats.hits, stats.misses, stats.fallbacks) == (2, 1, {})
    count = len(graphs)
    torch._dynamo.reset()
    stock = torch.compile(broken, backend=backend)
    for _ in range(3):
        stock(x)
    assert len(graphs) == 2 * count


@pytest.mark.filterwarnings("ignore")
def test_past_the_recompile_limit_results_stay_right() -> None:
    class Counting(nn.Module):
        label = "0"

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + len(self.label) if self.label > "3" else x - len(self.label)

    module, x = Counting(), torch.ones(3)
    compiled = fast_compile(module, backend="eager")
    for step in range(20):
        module.label = str(step)
        assert torch.equal(compiled(x), module(x))
    module.label = "0"
    assert torch.equal(compiled(x), module(x))
    assert compiled.stats().hits >= 1


def test_another_backend_on_the_same_code_is_not_mixed_up() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return x + 1

    def constant(graph: torch.fx.GraphModule, example: list[torch.Tensor]) -> Any:
        return lambda *args: (torch.full((3,), 42.0),)

    x = torch.ones(3)
    honest = warm(fast_compile(function, backend="eager"), x)
    liar = warm(fast_compile(function, backend=constant), x)
    for _ in range(2):
        assert torch.equal(honest(x), x + 1)
        assert torch.equal(liar(x), torch.full((3,), 42.0))
    assert honest.stats().hits == 3


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: nn.LazyLinear(4), "lazy"),
        (lambda: torch.jit.trace(Scaled(), torch.ones(2, 4)), "is not a plain function"),
    ],
    ids=["lazy module", "traced module"],
)
@pytest.mark.filterwarnings("ignore")
def test_what_cannot_be_served_says_why_and_works(make: Callable[[], Any], why: str) -> None:
    model, x = make(), torch.ones(2, 4)
    compiled = fast_compile(model, backend="eager")
    for _ in range(3):
        result = compiled(x)
    assert torch.equal(result, model(x))
    stats = compiled.stats()
    assert stats.hits == 0
    assert stats.unsupported is not None
    assert why in stats.unsupported


def test_a_torch_without_the_private_names_behaves_as_torch_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(torch._C._dynamo.eval_frame, "set_guard_complete_hook")
    module, x = Scaled(), torch.randn(2, 4)
    compiled = warm(fast_compile(module, backend="eager"), x)
    assert torch.equal(compiled(x), module(x))
    assert compiled.stats().hits == 0
    assert "set_guard_complete_hook" in compiled.stats().unsupported


def test_frames_that_dynamo_sees_are_compiled_as_under_stock() -> None:
    x, module = torch.randn(2, 4), Scaled()
    graphs: dict[str, list[list[str]]] = {}
    both: tuple[tuple[str, Any], ...] = (("stock", torch.compile), ("ours", fast_compile))
    for name, how in both:
        torch._dynamo.reset()
        part = warm(how(module, backend="eager"), x)
        function = warm(how(lambda x: x.sin(), backend="eager"), x)
        graphs[name] = []

        def backend(graph: torch.fx.GraphModule, example: list[torch.Tensor], name: str = name) -> Any:
            graphs[name].append([node.name for node in graph.graph.nodes])
            return graph.forward

        def calls_both(x: torch.Tensor, part: Any = part, function: Any = function) -> Any:
            return part(x) + function(x)

        disable: Any = torch.compiler.disable
        skipped = disable(calls_both, recursive=False)

        def breaks(x: torch.Tensor, skipped: Any = skipped) -> Any:
            return skipped(x + 1) * 2

        outer = torch.compile(breaks, backend=backend)
        for _ in range(2):
            torch.testing.assert_close(outer(x), calls_both(x + 1) * 2)
    assert graphs["ours"] == graphs["stock"]
    reason = "called while another torch.compile region runs"
    assert part.stats().fallbacks[reason] == function.stats().fallbacks[reason] == 2


def test_a_partial_is_served_in_the_frame_that_stock_gives_it() -> None:
    x = torch.ones(3)
    plus_one, plus_two = (
        warm(fast_compile(functools.partial(torch.add, number), backend="eager"), x) for number in (1, 2)
    )
    assert torch.equal(plus_one(x), x + 1)
    assert torch.equal(plus_two(x), x + 2)
    assert plus_one.stats().hits == plus_two.stats().hits == 2


@pytest.mark.skipif(
    "isolate_recompiles" not in inspect.signature(torch.compile).parameters,
    reason="torch.compile of this torch has no isolate_recompiles",
)
def test_isolated_regions_do_not_serve_each_other() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return x + 1

    x = torch.ones(3)
    first = warm(fast_compile(function, backend="eager", isolate_recompiles=True), x)
    second = warm(fast_compile(function, backend="eager", isolate_recompiles=True), x)
    assert (first.stats().entries, second.stats().entries) == (1, 1)
    assert (second.stats().misses, second.stats().hits) == (1, 1)
