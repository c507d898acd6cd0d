"""What calls of torch are given, and give back: as much of it as the graph and the rules both ask for."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Final

from overhead_lint.analysis.effects.effect import Lands
from overhead_lint.analysis.effects.lookup import names_where

__all__ = ["CONTAINERS", "FLUENT", "FROM_VALUES", "JOINING", "JOINS", "given_tensors", "named_device"]

JOINING: Final = names_where("torch", lambda told: told.joins)
"""Functions of torch, by their last names, that make one tensor of those in a list."""
JOINS: Final = frozenset(f"torch.{name}" for name in JOINING)
"""The same by their qualified names."""
_OF_DATA: Final = names_where("torch", lambda told: told.lands in (Lands.DATA, Lands.NEW_DATA))
FROM_VALUES: Final = frozenset(f"torch.{name}" for name in _OF_DATA)
"""Functions of torch, by their qualified names, that make a tensor of numbers, lists or arrays."""
FLUENT: Final = frozenset(
    {"bfloat16", "cpu", "cuda", "double", "eval", "float", "half", "requires_grad_", "to", "train"}
)
"""Methods that give back the module that they are called on."""
CONTAINERS: Final = frozenset({"ModuleDict", "ModuleList", "Sequential"})
"""Modules, by their last names, that hold those that they are made with."""
_TENSOR_KEYWORDS: Final = frozenset({"input", "mean", "other", "std"})
"""Names by which functions are given tensors that others are given by place."""


def given_tensors(call: ast.Call) -> Sequence[ast.expr]:
    """The arguments of a function of torch that may be tensors: those by place, or else some by name."""
    return call.args or [item.value for item in call.keywords if item.arg in _TENSOR_KEYWORDS]


def named_device(device: ast.expr | None, qualified: Callable[[ast.expr], str | None]) -> str:
    """The device that is written out: ``cuda:0`` of ``"cuda:0"`` and of ``torch.device("cuda:0")``.

    Args:
        device: what a call is told for one; None if nothing.
        qualified: gives the qualified name of an expression, None if it has none.

    Returns:
        The text; "" for what is no text, a variable for one.
    """
    if isinstance(device, ast.Call) and device.args and qualified(device.func) == "torch.device":
        device = device.args[0]
    written = device.value if isinstance(device, ast.Constant) else None
    return written if isinstance(written, str) else ""
