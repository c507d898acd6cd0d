"""What `compile` returns beside what `torch.compile` does: attributes, forms, copies, statistics."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
import weakref
from collections.abc import Callable
from typing import Any

import pytest
import torch
from compile_cases import Scaled, warm

from overhead_runtime.compile import compile as fast_compile
from overhead_runtime.compile import compile_stats

pytestmark = pytest.mark.usefixtures("fresh_dynamo")

Compile = Callable[..., Any]


@pytest.fixture(params=[torch.compile, fast_compile], ids=["stock", "ours"])
def compile_(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_importing_the_module_leaves_dynamo_alone() -> None:
    code = "import sys, overhead_runtime.compile; sys.exit('torch._dynamo' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_attributes_are_those_of_stock() -> None:
    module = Scaled()
    stock: Any = torch.compile(module, backend="eager")
    ours = fast_compile(module, backend="eager")
    assert isinstance(ours, type(stock))
    assert ours._orig_mod is module
    assert list(ours.state_dict()) == list(stock.state_dict())
    assert [name for name, _ in ours.named_parameters()] == [name for name, _ in stock.named_parameters()]
    ours.eval()
    assert not module.training
    ours.scale = 7
    assert module.scale == 7
    assert ours.get_compiler_config() == stock.get_compiler_config()
    with pytest.raises(AttributeError, match="missing"):
        _ = ours.missing


@pytest.mark.parametrize(
    "say",
    [
        repr,
        lambda module: says(torch.fx.symbolic_trace, module),
        lambda module: says(module.load_state_dict, {}),
        lambda module: says(module.get_submodule, "none"),
    ],
    ids=["printed", "traced by torch.fx", "another state", "no such part"],
)
def test_messages_call_the_class_what_stock_calls_it(say: Callable[[Any], str]) -> None:
    ours, stock = (make(Scaled(), backend="eager") for make in (fast_compile, torch.compile))
    assert say(ours) == say(stock)
    assert "OptimizedModule" in say(ours)


def test_the_class_is_found_by_its_qualified_name() -> None:
    kind = type(fast_compile(Scaled(), backend="eager"))
    assert pickle.loads(pickle.dumps(kind)) is kind


def says(function: Callable[..., Any], *args: Any) -> str:
    with pytest.raises((NotImplementedError, RuntimeError, AttributeError)) as told:
        function(*args)
    return str(told.value)


def test_a_module_with_its_own_stats_keeps_them() -> None:
    module = Scaled()
    module.stats = "mine"  # type: ignore[assignment]
    compiled = warm(fast_compile(module, backend="eager"), torch.randn(2, 4))
    assert compiled.stats == "mine"
    assert compile_stats(compiled).hits == 1


def test_decorator_forms_on_functions_and_methods(compile_: Compile) -> None:
    @compile_
    def plain(x: torch.Tensor) -> torch.Tensor:
        """Doc."""
        return x + 1

    @compile_(backend="eager", fullgraph=True)  # type: ignore[untyped-decorator]
    def configured(x: torch.Tensor, *, k: int = 2) -> torch.Tensor:
        return x * k

    class Holder:
        weight = 5

        @compile_(backend="eager")  # type: ignore[untyped-decorator]
        def method(self, x: torch.Tensor) -> torch.Tensor:
            return x * self.weight

    assert plain.__name__ == "plain"
    assert plain.__doc__ == "Doc."
    assert plain.__wrapped__ is plain._torchdynamo_orig_callable
    x, holder = torch.ones(3), Holder()
    for _ in range(3):
        assert torch.equal(configured(x), x * 2)
        assert torch.equal(configured(x, k=4), x * 4)
        assert torch.equal(holder.method(x), x * 5)
    holder.weight = 6
    assert torch.equal(holder.method(x), x * 6)
    if compile_ is fast_compile:
        assert configured.stats().hits >= 3
        assert Holder.method.stats().hits >= 1


def test_unknown_modes_are_refused_and_stock_mode_only_counts() -> None:
    with pytest.raises(
        ValueError, match="guard_eval must be 'full', 'token', 'frozen' or 'stock', not 'fast'"
    ):
        fast_compile(Scaled(), guard_eval="fast")
    for other in (3, None, ["full"]):
        with pytest.raises(TypeError, match="guard_eval must be 'full', 'token', 'frozen' or 'stock', not "):
            fast_compile(Scaled(), guard_eval=other)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="verify_every must be 0 or more, not -1"):
        fast_compile(Scaled(), guard_eval="token", verify_every=-1)
    for given in (1.5, None, True, "2"):
        with pytest.raises(TypeError, match=f"verify_every must be a whole number, not {given!r}"):
            fast_compile(Scaled(), guard_eval="token", verify_every=given)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="recursive_tags must be True, False or None, not 'x'"):
        fast_compile(Scaled(), recursive_tags="x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="verify_every is for guard_eval='token'"):
        fast_compile(Scaled(), verify_every=3)
    with pytest.raises(TypeError, match="no_such_option"):
        fast_compile(Scaled(), no_such_option=1)
    compiled = warm(fast_compile(Scaled(), backend="eager", guard_eval="stock"), torch.randn(2, 4))
    stats = compiled.stats()
    assert (stats.hits, stats.unsupported) == (0, "guard_eval='stock'")


def test_switched_off_compilation_returns_what_stock_returns() -> None:
    module = Scaled()
    assert fast_compile(module, disable=True) is module
    assert compile_stats(module).unsupported == "torch.compile returned this uncompiled"


def test_copies_work_and_keep_the_mode() -> None:
    x = torch.randn(2, 4)
    compiled = warm(fast_compile(Scaled(), backend="eager", guard_eval="stock"), x)
    twin = copy.deepcopy(compiled)
    assert torch.equal(twin(x), compiled(x))
    assert compile_stats(twin).guard_eval == "stock"
    assert twin._orig_mod is not compiled._orig_mod
    twin._orig_mod.scale = 11
    assert not torch.equal(twin(x), compiled(x))


def test_reset_drops_the_entries() -> None:
    x = torch.randn(2, 4)
    compiled = warm(fast_compile(Scaled(), backend="eager"), x)
    torch._dynamo.reset()
    compiled(x)
    assert (compiled.stats().hits, compiled.stats().misses) == (1, 2)
    compiled(x)
    assert compiled.stats().hits == 2


def test_a_compiled_part_is_inlined_by_an_outer_fullgraph_compile(compile_: Compile) -> None:
    module, x = Scaled(), torch.randn(2, 4)
    part = warm(compile_(module, backend="eager"), x)
    function = warm(compile_(lambda x: x.sin(), backend="eager"), x)
    graphs: list[int] = []

    def backend(graph: torch.fx.GraphModule, example: list[torch.Tensor]) -> Any:
        graphs.append(len(list(graph.graph.nodes)))
        return graph.forward

    outer = torch.compile(lambda x: function(part(x)) + 1, backend=backend, fullgraph=True)
    torch.testing.assert_close(outer(x), module(x).sin() + 1)
    assert graphs == [10]


def test_a_dropped_module_is_freed() -> None:
    module, x = Scaled(), torch.randn(2, 4)
    compiled = warm(fast_compile(module, backend="eager"), x)
    alive, seen = weakref.ref(module), weakref.ref(x)
    assert compiled.stats().hits == 1
    del module, compiled, x
    torch._dynamo.reset()
    gc.collect()
    assert alive() is None
    assert seen() is None
