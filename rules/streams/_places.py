"""Tensors of one number that tell a place: ``x[scores.argmax()]``, ``names[label]`` read it back."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.rule import Kind

from .._assignments import value_behind
from .._literals import elements_of
from ._assigned import dimensions, is_found
from ._elements import targets
from ._sizes import is_tensor

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["one_place", "place_in_list"]

# Reductions that give one number unless they are told a dimension.
_REDUCTIONS: Final = frozenset({"amax", "amin", "argmax", "argmin", "count_nonzero", "max", "min", "sum"})
# What gives tensors of one dimension, if told nothing.
_ROWS: Final = frozenset({"flatten", "ravel", "unique"})
_ROW_FACTORIES: Final = frozenset({"torch.arange", "torch.randperm", "torch.unique"})
_RESHAPES: Final = frozenset({"reshape", "view"})
_LISTING: Final = frozenset({"list", "range", "sorted", "tuple"})
"""Builtins that give what only whole numbers index."""
_FOLLOWED: Final = 3
_MAY_BE_ONE: Final = (ast.Call, ast.Name, ast.Subscript)


def place_in_list(node: ast.Subscript, ctx: Context) -> ast.expr | None:
    """A tensor of the device that tells a place of a list: Python asks it for a whole number."""
    index = node.slice
    if isinstance(index, (ast.Constant, ast.Slice, ast.Tuple)) or not is_tensor(index, ctx):
        return None
    return index if _is_listed(node.value, ctx) else None


def _is_listed(node: ast.expr, ctx: Context) -> bool:
    """Whether something is a list or a tuple: written there, or by a name of no other value."""
    made = value_behind(node, ctx)
    if isinstance(made, (ast.List, ast.ListComp, ast.Tuple)):
        return True
    if not (isinstance(made, ast.Call) and isinstance(made.func, ast.Name)):
        return False
    return made.func.id in _LISTING and not ctx.is_bound(made.func.id, made)


def one_place(node: ast.Subscript, ctx: Context) -> ast.expr | None:
    """A tensor of the device that is one number, and alone tells a place of another such tensor."""
    parts = elements_of(node.slice)
    found = next((part for part in parts if isinstance(part, _MAY_BE_ONE) and _is_one(part, ctx)), None)
    if found is None or ctx.kind(found) is not Kind.TENSOR or ctx.is_mask(found):
        return None
    return found if ctx.kind(node.value) is Kind.TENSOR else None


def _is_one(node: ast.expr, ctx: Context) -> bool:
    """Whether a tensor certainly has no dimension."""
    if isinstance(node, ast.Name):
        value = ctx.value(node)
        if value is not None:
            return not isinstance(value, ast.Name) and _is_one(value, ctx)
        return any(
            target.id == node.id and _is_row(iterated, ctx, _FOLLOWED)
            for loop in ctx.loops(node)
            if isinstance(loop, ast.For)
            for target, iterated in targets(loop.target, loop.iter)
        )
    if isinstance(node, ast.Subscript):  # x[order[0]]
        is_number = ctx.kind(node.slice) is Kind.NUMBER and not isinstance(
            node.slice, (ast.Compare, ast.BoolOp)
        )
        return is_number and _is_row(node.value, ctx, _FOLLOWED)
    return isinstance(node, ast.Call) and _is_reduced(node, ctx)


def _is_reduced(node: ast.Call, ctx: Context) -> bool:
    """Whether a call reduces a whole tensor to one number: ``x.argmax()``, ``torch.argmax(x)``."""
    if node.keywords or not isinstance(node.func, ast.Attribute) or node.func.attr not in _REDUCTIONS:
        return False
    name = ctx.qualified_name(node.func)
    return len(node.args) == (0 if name is None else 1) and name in (None, f"torch.{node.func.attr}")


def _is_row(node: ast.expr, ctx: Context, steps: int) -> bool:
    """Whether a tensor certainly has one dimension."""
    if steps <= 0:
        return False
    if isinstance(node, ast.Name):
        value = ctx.value(node)
        return value is not None and value is not node and _is_row(value, ctx, steps - 1)
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Constant) and is_found(node.value, ctx)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    name = ctx.qualified_name(node.func)
    if node.func.attr == "argsort" and name in (None, "torch.argsort"):
        given = node.func.value if name is None else next(iter(node.args), None)
        return given is not None and _is_row(given, ctx, steps - 1)
    if dimensions(node, ctx) == 1:
        return True
    if name in _ROW_FACTORIES:
        return not any(item.arg in {"dim", "return_inverse", "return_counts"} for item in node.keywords)
    if name is None and node.func.attr in _ROWS:
        return not node.args and not node.keywords
    return (
        name is None and node.func.attr in _RESHAPES and len(node.args) == 1 and _is_minus_one(node.args[0])
    )


def _is_minus_one(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and ast.unparse(node.operand) == "1"
    )
