"""Reads that ask whether numbers are finite."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .._names import own_name

if TYPE_CHECKING:
    from overhead_lint.rule import Context

    from ._reads import Read

_FINITE = frozenset({"isfinite", "isinf", "isnan", "isneginf", "isposinf"})
_NUMBER_MODULES = frozenset({"math", "numpy"})
_THROUGH_METHODS = frozenset(
    {
        "all",
        "any",
        "bool",
        "cpu",
        "detach",
        "float",
        "int",
        "item",
        "logical_not",
        "max",
        "sum",
        "to",
        "tolist",
    }
)
_THROUGH_CALLS = frozenset({"all", "any", "bool", "float", "int", "logical_not", "logical_or", "max", "sum"})
_FOLLOWED = 3


def is_finite_check(read: Read, ctx: Context) -> bool:
    """Whether what is read says if numbers are finite."""
    holder = ctx.parent(read.node)
    if isinstance(holder, ast.Call) and read.node in holder.args and _asks_finite(holder, ctx):
        return True
    if isinstance(read.node, ast.Call) and _asks_finite(read.node, ctx):
        return True
    return _finite(read.tensor, ctx, _FOLLOWED)


def _asks_finite(call: ast.Call, ctx: Context) -> bool:
    module, _, last = (ctx.qualified_name(call.func) or "").rpartition(".")
    return module in _NUMBER_MODULES and last in _FINITE


def _finite(node: ast.expr, ctx: Context, steps: int) -> bool:
    """Whether an expression is made from what ``isnan`` and kin give."""
    if isinstance(node, ast.Name) and steps:
        value = ctx.value(node)
        return value is not None and value is not node and _finite(value, ctx, steps - 1)
    if isinstance(node, ast.UnaryOp):
        return _finite(node.operand, ctx, steps)
    if isinstance(node, ast.BinOp):
        return _finite(node.left, ctx, steps) or _finite(node.right, ctx, steps)
    if isinstance(node, ast.Compare):
        return any(_finite(side, ctx, steps) for side in (node.left, *node.comparators))
    if not isinstance(node, ast.Call):
        return False
    name = own_name(node.func)
    if name in _FINITE:
        return True
    if isinstance(node.func, ast.Name) or ctx.qualified_name(node.func) == f"torch.{name}":
        return name in _THROUGH_CALLS and any(_finite(argument, ctx, steps) for argument in node.args)
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    return owner is not None and name in _THROUGH_METHODS and _finite(owner, ctx, steps)
