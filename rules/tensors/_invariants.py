"""Tensors that a loop makes anew on each round though nothing in the loop changes them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .._names import own_name
from ._factories import FACTORIES
from ._loops import bound_names, is_short

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["made_on_each_round"]

_FREE = frozenset({"device", "dtype", "layout"})
_LOOPS = (ast.For, ast.While, ast.AsyncFor)
_PURE = frozenset({"int", "len", "size"})
_READERS = (ast.BinOp, ast.Compare, ast.UnaryOp)


def made_on_each_round(node: ast.Call, ctx: Context) -> bool:
    """Whether a loop makes the same tensor of numbers on each round, and only computes with it."""
    if ctx.qualified_name(node.func) not in FACTORIES or not _is_read(node, ctx):
        return False
    loops = ctx.loops(node)
    if not loops or not isinstance(loops[-1], _LOOPS):
        return False
    if not isinstance(loops[-1], ast.While) and is_short(loops[-1].iter):
        return False
    if any(item.arg in {None, "out", "generator"} for item in node.keywords):
        return False
    values = [*node.args, *(item.value for item in node.keywords if item.arg not in _FREE)]
    changing = bound_names(loops[-1], ctx)
    return bool(values) and not any(_may_change(value, changing) for value in values)


def _is_read(node: ast.expr, ctx: Context) -> bool:
    """Whether a new tensor is an operand, so that nobody can write to it."""
    holder = ctx.parent(node)
    return isinstance(holder, _READERS)


def _may_change(value: ast.expr, changing: frozenset[str]) -> bool:
    """Whether a value may be another one on the next round."""
    return any(
        (isinstance(part, ast.Name) and part.id in changing)
        or (isinstance(part, ast.Call) and own_name(part.func) not in _PURE)
        for part in ast.walk(value)
    )
