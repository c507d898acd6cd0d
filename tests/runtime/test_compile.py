"""`compile` beside `torch.compile`: the same results, attributes and errors, and hits where it should hit."""

from __future__ import annotations

import copy
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import nn

from overhead_lint.runtime.compile import compile as fast_compile
from overhead_lint.runtime.compile import compile_stats

Compile = Callable[..., Any]


class Scaled(nn.Module):
    """A linear layer with attributes that Dynamo guards."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.scale = 3

    def forward(self, x: torch.Tensor, shift: float = 0.0) -> torch.Tensor:
        y: torch.Tensor = self.linear(x) * self.scale + shift
        return y * 2 if self.training else y


@pytest.fixture(autouse=True)
def _fresh_dynamo() -> Iterator[None]:
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


@pytest.fixture(params=[torch.compile, fast_compile], ids=["stock", "ours"])
def compile_(request: pytest.FixtureRequest) -> Any:
    return request.param


def _warm(function: Any, *args: Any) -> Any:
    for _ in range(2):
        function(*args)
    return function


def test_a_second_call_hits_and_gives_the_same_result() -> None:
    module, x = Scaled(), torch.randn(2, 4)
    compiled = fast_compile(module, backend="eager")
    first, second = compiled(x), compiled(x)
    assert torch.equal(first, module(x))
    assert torch.equal(second, module(x))
    stats = compiled.stats()
    assert (stats.hits, stats.misses, dict(stats.fallbacks), stats.entries) == (1, 1, {}, 1)
    assert stats.unsupported is None


def test_importing_the_module_leaves_dynamo_alone() -> None:
    code = "import sys, overhead_lint.runtime.compile; sys.exit('torch._dynamo' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_keywords_and_defaults_hit_too() -> None:
    module, x = Scaled(), torch.randn(2, 4)
    compiled = fast_compile(module, backend="eager", dynamic=False)
    for _ in range(2):
        for args, kwargs in (((x,), {}), ((x, 1.5), {}), ((x,), {"shift": 1.5}), ((), {"x": x})):
            assert torch.equal(compiled(*args, **kwargs), module(*args, **kwargs))
    assert compiled.stats().hits >= 5


@pytest.mark.parametrize(
    ("args", "kwargs"), [((), {}), ((1, 2, 3), {}), ((1,), {"x": 1}), ((1,), {"other": 1})]
)
def test_arguments_that_do_not_bind_raise_as_stock(args: Any, kwargs: Any) -> None:
    x = torch.randn(2, 4)
    messages = []
    for how in (torch.compile, fast_compile):
        compiled = _warm(how(Scaled(), backend="eager"), x)
        with pytest.raises(TypeError) as error:
            compiled(*args, **kwargs)
        messages.append(str(error.value))
    assert messages[0] == messages[1]


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


def test_a_module_with_its_own_stats_keeps_them() -> None:
    module = Scaled()
    module.stats = "mine"  # type: ignore[assignment]
    compiled = _warm(fast_compile(module, backend="eager"), torch.randn(2, 4))
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


def test_bound_methods_and_closures_hit() -> None:
    module, x = Scaled(), torch.randn(2, 4)
    method = _warm(fast_compile(module.forward, backend="eager"), x)
    assert torch.equal(method(x), module(x))
    assert method.stats().hits == 2
    factor = 3

    def closure(x: torch.Tensor) -> torch.Tensor:
        return x * factor

    compiled = _warm(fast_compile(closure, backend="eager", dynamic=False), x)
    assert torch.equal(compiled(x), x * 3)
    factor = 5
    assert torch.equal(compiled(x), x * 5)
    assert compiled.stats().hits == 2


def test_unknown_modes_are_refused_and_stock_mode_only_counts() -> None:
    with pytest.raises(ValueError, match="guard_eval must be 'full' or 'stock', not 'token'"):
        fast_compile(Scaled(), guard_eval="token")
    with pytest.raises(TypeError, match="no_such_option"):
        fast_compile(Scaled(), no_such_option=1)
    compiled = _warm(fast_compile(Scaled(), backend="eager", guard_eval="stock"), torch.randn(2, 4))
    stats = compiled.stats()
    assert (stats.hits, stats.unsupported) == (0, "guard_eval='stock'")


def test_switched_off_compilation_returns_what_stock_returns() -> None:
    module = Scaled()
    assert fast_compile(module, disable=True) is module
    assert compile_stats(module).unsupported == "torch.compile returned this uncompiled"


def test_copies_work_and_keep_the_mode() -> None:
    x = torch.randn(2, 4)
    compiled = _warm(fast_compile(Scaled(), backend="eager", guard_eval="stock"), x)
    twin = copy.deepcopy(compiled)
    assert torch.equal(twin(x), compiled(x))
    assert compile_stats(twin).guard_eval == "stock"
    assert twin._orig_mod is not compiled._orig_mod
    twin._orig_mod.scale = 11
    assert not torch.equal(twin(x), compiled(x))


def test_reset_drops_the_entries() -> None:
    x = torch.randn(2, 4)
    compiled = _warm(fast_compile(Scaled(), backend="eager"), x)
    torch._dynamo.reset()
    compiled(x)
    assert (compiled.stats().hits, compiled.stats().misses) == (1, 2)
    compiled(x)
    assert compiled.stats().hits == 2


def test_several_entries_serve_shapes_and_modes() -> None:
    module = Scaled()
    compiled = fast_compile(module, backend="eager", dynamic=False)
    inputs = [torch.randn(rows, 4) for rows in (2, 3)]
    for _ in range(3):
        for training in (True, False):
            module.train(training)
            for x in inputs:
                assert torch.equal(compiled(x), module(x))
    stats = compiled.stats()
    assert (stats.hits, stats.misses, stats.entries) == (8, 4, 4)


def test_backward_through_a_hit_gives_the_same_gradients() -> None:
    module, x = Scaled(), torch.randn(2, 4)
    compiled = _warm(fast_compile(module, backend="aot_eager"), x)
    ours = torch.autograd.grad(compiled(x).sum(), list(module.parameters()))
    eager = torch.autograd.grad(module(x).sum(), list(module.parameters()))
    for left, right in zip(ours, eager, strict=True):
        torch.testing.assert_close(left, right)
    assert compiled.stats().hits == 2


def test_two_threads_get_their_own_results() -> None:
    module = Scaled().eval()
    inputs = [torch.randn(rows, 4) for rows in (2, 3)]
    expected = [module(x) for x in inputs]
    compiled = fast_compile(module, backend="eager", dynamic=False)
    for x in inputs:
        compiled(x)
    wrong: list[int] = []

    def work(which: int) -> None:
        for step in range(300):
            index = (which + step) % 2
            if not torch.equal(compiled(inputs[index]), expected[index]):
                wrong.append(step)

    threads = [threading.Thread(target=work, args=(which,)) for which in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert compiled.stats().hits > 500
