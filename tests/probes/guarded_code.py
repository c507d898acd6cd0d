"""Code that the tests of the guard probe compile."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from guards import Scale, Tutorial  # noqa: E402
from torch import Tensor, nn  # noqa: E402

__all__ = [
    "COUNTS",
    "Counter",
    "Scale",
    "Tutorial",
    "compiled",
    "helper",
    "leaf_guards",
    "line_of",
    "with_break",
]

COUNTS = ("guards", "recompiles", "graph_breaks")


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


def line_of(function: Callable[..., object], text: str) -> int:
    """The line number of the first line of `function` that holds `text`."""
    lines, first = inspect.getsourcelines(function)
    return first + next(number for number, line in enumerate(lines) if text in line)


def compiled(function: Any, **options: Any) -> Any:
    return torch.compile(function, backend="eager", **options)


def leaf_guards(function: Callable[..., object]) -> int:
    """How many leaf guards torch's own tree holds for the one compiled form of a function.

    Versions of torch differ: a loop over a `ModuleList` has three more before 2.13. No guard relates several
    values, so none is in the tree twice.
    """
    (entry,) = torch._C._dynamo.eval_frame._debug_get_cache_entry_list(function.__code__)
    root = entry.guard_manager.root
    waiting, count = [root], len(root.get_epilogue_lambda_guards())
    while waiting:
        manager = waiting.pop()
        count += len(manager.get_leaf_guards())
        waiting += manager.get_child_managers()
        for pair in getattr(manager, "get_key_value_managers", dict)().values():
            waiting += [child for child in pair if child is not None]
    return count
