"""Indices of the host for tensors of the device: each use copies them, and the host waits."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.rule import Kind

from .._assignments import value_behind
from .._literals import elements_of
from ._assigned import dimensions
from ._copies import is_constant, is_fresh, own_table
from ._values import is_list_of_places

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from overhead_lint.rule import Context

__all__ = ["assigned_from_host", "index_of_host", "is_array"]

# Functions of NumPy that give arrays of one dimension at least.
_ARRAYS: Final = frozenset(
    """arange argsort argwhere array asarray concatenate flatnonzero lexsort nonzero permutation repeat sort
    stack tile unique""".split()  # noqa: SIM905
)
# Functions of NumPy that give an array for each dimension, which index as they are, or one by one.
_TUPLES: Final = frozenset({"diag_indices", "ix_", "nonzero", "tril_indices", "triu_indices"})
# What gives one number, which indexes without a copy: Python reads it where it is.
_REDUCTIONS: Final = frozenset({"amax", "amin", "argmax", "argmin", "item", "max", "min", "prod", "sum"})
_FOLLOWED: Final = 3
_TABLE: Final = 2


def index_of_host(node: ast.Subscript, ctx: Context) -> ast.expr | None:
    """The list, array or tensor of the host that a tensor of the device is indexed with."""
    parts = elements_of(node.slice)
    found = next((part for part in parts if _is_of_host(part, ctx)), None)
    if found is None and len(parts) > 1:
        found = next((part for part in parts if _is_list_of_anything(part, ctx)), None)
    if found is None:
        return None
    return found if ctx.kind(node.value) is Kind.TENSOR else None


def _is_list_of_anything(part: ast.expr, ctx: Context) -> bool:
    """Whether an index beside others is a list, of which a tensor is made: alone, one of slices is none."""
    return not isinstance(part, ast.List) and ctx.items_of_list(part) is Kind.UNKNOWN


def _is_of_host(part: ast.expr, ctx: Context) -> bool:
    if isinstance(part, (ast.Constant, ast.Slice)):
        return False
    if ctx.items_of_list(part) is Kind.NUMBER:
        return True
    kept = ctx.value(part) if isinstance(part, ast.Attribute) else part
    if isinstance(kept, ast.Name) and is_list_of_places(kept, ctx):
        return True
    if isinstance(part, ast.Name) and ctx.value(part) is None:
        values = ctx.values(part)  # else most are counters of loops
        return len(values) > 1 and all(_is_list(value, ctx) for value in values)
    if isinstance(part, ast.BinOp) and isinstance(part.left, (ast.Name, ast.Constant)):
        return False
    if _is_list(part, ctx):
        return True
    kind = ctx.kind(part)
    if kind is Kind.ARRAY:
        return is_array(part, ctx, _ARRAYS | _TUPLES)
    if kind is not Kind.HOST_TENSOR or _may_be_one(part, ctx, _FOLLOWED):
        return False
    if ctx.is_mask(part):
        return False  # the host finds the places itself, and copies them without a wait
    return is_fresh(part, ctx) or own_table(part, ctx) is not None or is_constant(part, ctx)


def _is_list(part: ast.expr, ctx: Context) -> bool:
    """Whether an index is a list of Python numbers, or a range: there, or by a name of no other value."""
    if isinstance(part, (ast.Name, ast.Attribute)):
        value = ctx.value(part)
        return isinstance(value, (ast.BinOp, ast.Call, ast.List, ast.ListComp)) and _is_list(value, ctx)
    if isinstance(part, ast.Call):
        return _is_range(part, ctx)
    if isinstance(part, ast.ListComp):
        return ctx.kind(part.elt) is Kind.NUMBER
    if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult):  # [step] * len(samples)
        return isinstance(part.left, ast.List) and _is_repeated(part.left, ctx)
    if not isinstance(part, ast.List) or not part.elts:
        return False
    return all(ctx.kind(item) is Kind.NUMBER for item in part.elts)


def _is_repeated(part: ast.List, ctx: Context) -> bool:
    """Whether a list that is repeated can be one of numbers."""
    return all(ctx.kind(item) in (Kind.NUMBER, Kind.UNKNOWN) for item in part.elts) and bool(part.elts)


def _is_range(part: ast.Call, ctx: Context) -> bool:
    """Whether it is ``range(n)``, or a list of it; as an index it is a list as well."""
    if not isinstance(part.func, ast.Name) or ctx.is_bound(part.func.id, part) or part.keywords:
        return False
    if part.func.id == "list" and len(part.args) == 1:
        (part,) = [item for item in part.args if isinstance(item, ast.Call)] or (part,)
    return isinstance(part.func, ast.Name) and part.func.id == "range"


def is_array(
    part: ast.expr, ctx: Context, known: AbstractSet[str] = _ARRAYS - _TUPLES, steps: int = _FOLLOWED
) -> bool:
    """Whether something of NumPy's is an array, and no number: what some functions give, or a slice of that.

    Args:
        part: what it is asked of.
        ctx: the file.
        known: names of these functions; at first those that give one array, and not one for each dimension.
        steps: how many slices and names may lie between.
    """
    made = value_behind(part, ctx)
    if isinstance(made, ast.Subscript) and isinstance(made.slice, ast.Constant):
        made, known = value_behind(made.value, ctx), _TUPLES
    elif isinstance(made, ast.Subscript) and isinstance(made.slice, ast.Slice):
        return steps > 0 and is_array(made.value, ctx, known, steps - 1)
    if not isinstance(made, ast.Call):
        return False
    module, _, name = (ctx.qualified_name(made.func) or "").rpartition(".")
    return module in {"numpy", "numpy.random"} and name in known and bool(made.args)


def _may_be_one(part: ast.expr, ctx: Context, steps: int) -> bool:
    """Whether a tensor may be a single number, which indexes without a copy."""
    if isinstance(part, ast.Name) and steps:
        value = ctx.value(part)
        return value is not None and value is not part and _may_be_one(value, ctx, steps - 1)
    if isinstance(part, ast.Subscript):
        parts = elements_of(part.slice)
        return not (any(isinstance(one, ast.Slice) for one in parts) or _is_row_of_table(part, ctx))
    if not isinstance(part, ast.Call):
        return False
    name = part.func.attr if isinstance(part.func, ast.Attribute) else ""
    if name == "tensor" and part.args:
        return not isinstance(part.args[0], (ast.List, ast.Tuple, ast.ListComp))
    return name in _REDUCTIONS


def _is_row_of_table(part: ast.Subscript, ctx: Context) -> bool:
    """Whether one number indexes a tensor of two dimensions."""
    return isinstance(part.slice, ast.Constant) and dimensions(part.value, ctx) == _TABLE


def assigned_from_host(node: ast.Subscript, ctx: Context) -> ast.expr | None:
    """The tensor of the host, made from numbers here, that is assigned to a part of one of the device."""
    statement = ctx.parent(node)
    if not isinstance(statement, ast.Assign) or node not in statement.targets:
        return None
    value = statement.value
    if not isinstance(value, (ast.Name, ast.Call, ast.BinOp)) or ctx.kind(value) is not Kind.HOST_TENSOR:
        return None
    return value if ctx.kind(node.value) is Kind.TENSOR and is_fresh(value, ctx) else None
