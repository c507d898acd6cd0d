"""Tensors of compiled modules are swapped as under `torch.compile`, though guards hold weak references."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import nn

from overhead_runtime import compile as any_compile

from .compile_matrix_run import build_native  # type: ignore[import-not-found]  # tests are no package

pytestmark = pytest.mark.usefixtures("fresh_dynamo")

X = torch.ones(2, 4)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        first: Any = self.layers[0]
        result: torch.Tensor = self.layers(x.to(first.weight.dtype))
        return result


@pytest.fixture(autouse=True)
def _native() -> Iterator[None]:
    build_native()
    before = torch.__future__.get_swap_module_params_on_conversion()
    yield
    torch.__future__.set_swap_module_params_on_conversion(before)


def _new_values(net: Net) -> None:
    torch.utils.swap_tensors(next(net.parameters()), nn.Parameter(torch.zeros(4, 4)))


def _new_types(net: Net) -> None:
    for parameter in list(net.parameters()):
        doubled = nn.Parameter(torch.ones_like(parameter, dtype=torch.float64))
        torch.utils.swap_tensors(parameter, doubled)


def _conversion(net: Net) -> None:
    torch.__future__.set_swap_module_params_on_conversion(True)
    net.double()


def _stock_sees(swap: Callable[[Net], None]) -> bool:
    """Whether guards of this torch tell what a swap puts in place from what was there."""
    net = Net()
    with torch._dynamo.config.patch(use_recursive_dict_tags_for_guards=False):  # they refuse swaps
        compiled = torch.compile(net, backend="eager")
        compiled(X)
        swap(net)
        try:
            return torch.equal(compiled(X), net(X))
        except RuntimeError:  # stale code, which multiplies tensors of two types
            return False
        finally:
            torch._dynamo.reset()


@pytest.mark.parametrize("swap", [_new_values, _new_types, _conversion])
@pytest.mark.parametrize("guard_eval", ["full", "token"])
@torch.no_grad()
def test_swaps_after_compiling_work_and_are_seen(guard_eval: str, swap: Callable[[Net], None]) -> None:
    if not _stock_sees(swap):
        pytest.skip("no guard of this torch sees the swap")
    net = Net()
    compiled: Any = any_compile(net, backend="eager", guard_eval=guard_eval)
    for _ in range(2):
        for _ in range(4):
            assert torch.equal(compiled(X), net(X))
        swap(net)
    hits = compiled.stats().hits
    for _ in range(4):
        result, expected = compiled(X), net(X)
        assert result.dtype is expected.dtype
        assert torch.equal(result, expected)
    assert compiled.stats().hits >= hits + 3


@torch.no_grad()
def test_a_weak_reference_of_somebody_else_is_refused_as_ever() -> None:
    net = Net()
    compiled: Any = any_compile(net, backend="eager")
    compiled(X)
    kept = weakref.ref(next(net.parameters()))
    with pytest.raises(RuntimeError, match="has weakref associated with it"):
        _new_values(net)
    assert kept() is next(net.parameters())
    assert torch.equal(compiled(X), net(X))


@torch.no_grad()
def test_swaps_after_a_reset_work() -> None:
    net = Net()
    compiled: Any = any_compile(net, backend="eager")
    for _ in range(4):
        compiled(X)
    torch._dynamo.reset()
    _new_values(net)
    assert torch.equal(compiled(X), net(X))
