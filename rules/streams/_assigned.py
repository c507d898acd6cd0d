"""Numbers that are assigned to parts of a device's tensor: to one element, to places that a tensor tells."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from overhead_lint.rule import Kind

from .._vocabulary import INDICES, one_of

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["dimensions", "is_for_places", "is_found", "is_one_element"]

_SHAPED: Final = frozenset({"empty", "full", "ones", "rand", "randn", "zeros"})
"""Functions of torch that are told sizes; tensors have most of them as ``new_zeros`` and so on."""
_ROWS: Final = frozenset({"arange", "linspace", "logspace", "randperm"})
_TABLES: Final = frozenset({"argwhere", "eye", "nonzero", "tril_indices", "triu_indices"})
_LIKE: Final = frozenset({"empty_like", "full_like", "ones_like", "rand_like", "randn_like", "zeros_like"})
_SAME: Final = frozenset(
    "bool clone contiguous cuda detach double float half int long to type_as".split()  # noqa: SIM905
)
_PLACES: Final = frozenset({"argsort", "long", "randperm"})
"""Methods and functions that give integers in a row at least."""
_SORTING: Final = frozenset({"cummax", "cummin", "kthvalue", "max", "median", "min", "mode", "sort", "topk"})
_RESHAPING: Final = frozenset({"clone", "contiguous", "flatten", "reshape", "squeeze", "unsqueeze", "view"})
_INDEX: Final = re.compile(rf"(^|_){one_of(INDICES)}$")
_FOLLOWED: Final = 4
_MOST_STEPS: Final = 8


def is_one_element(node: ast.Subscript, ctx: Context) -> bool:
    """Whether a number is assigned to one element of a tensor of the device.

    The number becomes a tensor of the host, which is copied where its place has no dimension either. Larger
    places are filled by a kernel.
    """
    if not _takes_number(node, ctx):
        return False
    base, indices = node.value, _parts(node.slice)
    while isinstance(base, ast.Subscript):  # x[i][j] = 0
        indices, base = [*_parts(base.slice), *indices], base.value
    if ctx.kind(base) is not Kind.TENSOR or not all(_is_place(index, ctx) for index in indices):
        return False
    return dimensions(base, ctx) == len(indices)


def is_for_places(node: ast.Subscript, ctx: Context) -> bool:
    """Whether a number is assigned to the places of a device's tensor that another, of integers, tells.

    Two tensors together tell places, whatever they hold: only a mask that stands alone is filled behind.
    """
    if not _takes_number(node, ctx) or ctx.kind(node.value) is not Kind.TENSOR:
        return False
    parts = _parts(node.slice)
    if any(_tells_places(part, ctx, _MOST_STEPS) for part in parts):
        return True
    picking = [part for part in parts if not isinstance(part, ast.Slice) and not _is_whole(part)]
    if len(picking) > 1 and any(ctx.kind(part) is Kind.TENSOR for part in picking):
        return True
    # Of as many names as dimensions each is a number, which picks one element, or a tensor.
    named = len(picking) > 1 and all(isinstance(part, ast.Name) and _may_pick(part, ctx) for part in picking)
    return named and dimensions(node.value, ctx) == len(parts) == len(picking)


def _is_whole(part: ast.expr) -> bool:
    """Whether an index is ``...`` or None, which pick nothing."""
    return isinstance(part, ast.Constant) and not isinstance(part.value, int)


def _may_pick(part: ast.Name, ctx: Context) -> bool:
    """Whether a name can be a number or a tensor, and is no slice as far as can be seen."""
    value = ctx.value(part)
    is_slice = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "slice"
    return not is_slice and ctx.kind(part) in (Kind.UNKNOWN, Kind.NUMBER, Kind.TENSOR)


def _takes_number(node: ast.Subscript, ctx: Context) -> bool:
    statement = ctx.parent(node)
    if not isinstance(statement, ast.Assign) or node not in statement.targets:
        return False
    return ctx.kind(statement.value) is Kind.NUMBER


def _parts(index: ast.expr) -> list[ast.expr]:
    return list(index.elts) if isinstance(index, ast.Tuple) else [index]


def _is_place(index: ast.expr, ctx: Context) -> bool:
    """Whether an index is a number, which takes one dimension away; true and false add one."""
    if isinstance(index, ast.Constant):
        return isinstance(index.value, int) and not isinstance(index.value, bool)
    return ctx.kind(index) is Kind.NUMBER and not isinstance(index, (ast.Compare, ast.BoolOp))


def dimensions(node: ast.expr, ctx: Context) -> int | None:
    """How many dimensions a tensor has, as what makes it says; None where that does not show."""
    return _dimensions(node, ctx, _FOLLOWED)


def _dimensions(node: ast.expr, ctx: Context, steps: int) -> int | None:
    """How many dimensions a tensor has, as what makes it says; None where that does not show."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        value = ctx.value(node)
        return (
            _dimensions(value, ctx, steps - 1) if value is not None and value is not node and steps else None
        )
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not steps:
        return None
    module, _, name = (ctx.qualified_name(node.func) or "").rpartition(".")
    if module == "torch":
        if name in _ROWS:
            return 1
        if name in _TABLES and not any(item.arg == "as_tuple" for item in node.keywords):
            return 2
        if name in _LIKE:
            return _dimensions(node.args[0], ctx, steps - 1) if node.args else None
        return _told(node, name, ctx) if name in _SHAPED else None
    method = node.func.attr
    if method in _SAME:
        return _dimensions(node.func.value, ctx, steps - 1)
    is_new = method.startswith("new_") and ctx.kind(node.func.value) in (Kind.TENSOR, Kind.HOST_TENSOR)
    return _told(node, method.removeprefix("new_"), ctx) if is_new and method[4:] in _SHAPED else None


def _told(node: ast.Call, name: str, ctx: Context) -> int | None:
    """How many sizes a function is told."""
    sizes = node.args[:1] if name == "full" else node.args
    sizes = sizes or [item.value for item in node.keywords if item.arg == "size"]
    if len(sizes) == 1 and isinstance(sizes[0], (ast.Tuple, ast.List)):
        sizes = sizes[0].elts
    elif name == "full" or (len(sizes) == 1 and ctx.kind(sizes[0]) is not Kind.NUMBER):
        return None  # a shape that is made elsewhere
    return None if not sizes or any(isinstance(size, ast.Starred) for size in sizes) else len(sizes)


def _tells_places(index: ast.expr, ctx: Context, steps: int) -> bool:
    """Whether an index is certainly a tensor of integers on the device, of a dimension at least."""
    if not steps or ctx.kind(index) is not Kind.TENSOR or ctx.is_mask(index):
        return False
    if isinstance(index, ast.Name):
        values = ctx.values(index)
        if not values:  # a parameter, or a part of something
            return _INDEX.search(index.id) is not None
        return all(value is not index and _tells_places(value, ctx, steps - 1) for value in values)
    if isinstance(index, ast.Attribute):  # x.topk(2).indices
        return index.attr == "indices" and _is_sorting(index.value, ctx)
    if isinstance(index, ast.Subscript):
        first = index.slice
        if isinstance(first, ast.Constant) and first.value == 1 and _is_sorting(index.value, ctx):
            return True
        if isinstance(first, ast.Constant) and is_found(index.value, ctx):
            return True
        # One element of them has to be read back, which waits as well.
        picks = isinstance(first, ast.Slice) or ctx.kind(first) is Kind.NUMBER
        return picks and _tells_places(index.value, ctx, steps - 1)
    if isinstance(index, ast.BinOp) and isinstance(index.op, (ast.Add, ast.Sub)):
        return _tells_places(index.left, ctx, steps - 1) or _tells_places(index.right, ctx, steps - 1)
    if not isinstance(index, ast.Call):
        return False
    module, _, name = (ctx.qualified_name(index.func) or "").rpartition(".")
    if module:
        if name == "where":
            return any(_tells_places(chosen, ctx, steps - 1) for chosen in index.args[1:])
        return module == "torch" and (name in _PLACES or name == "arange")
    if not isinstance(index.func, ast.Attribute):
        return False
    if index.func.attr in _RESHAPING:
        return _tells_places(index.func.value, ctx, steps - 1)
    return index.func.attr in _PLACES - {"randperm"}


def is_found(node: ast.expr, ctx: Context) -> bool:
    """Whether a call gives the places of true elements, a tensor for each dimension."""
    if not isinstance(node, ast.Call):
        return False
    name = ctx.qualified_name(node.func)
    if name == "torch.where":
        return len(node.args) == 1 and not node.keywords
    last = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    return last == "nonzero" and any(item.arg == "as_tuple" for item in node.keywords)


def _is_sorting(node: ast.expr, ctx: Context) -> bool:
    """Whether a call gives values with their places."""
    made = ctx.value(node) if isinstance(node, ast.Name) else node
    if not isinstance(made, ast.Call):
        return False
    name = made.func.attr if isinstance(made.func, ast.Attribute) else ""
    return name in _SORTING
