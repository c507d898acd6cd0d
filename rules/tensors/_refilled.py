"""What is converted only to be copied into a tensor that is there already."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.rule import Kind
from overhead_lint.tuples import NamedTuple

from ._conversions import conversion

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["Refill", "converted_for"]

_MAY_BE = (Kind.TENSOR, Kind.HOST_TENSOR, Kind.UNKNOWN)
_OWN = frozenset({"device", "dtype"})


class Refill(NamedTuple):
    """A conversion whose result is copied at once.

    Attributes:
        into: the tensor that it is copied into.
        call: the conversion.
        source: what is converted.
    """

    into: ast.expr
    call: ast.Call
    source: ast.expr


def converted_for(node: ast.Call, ctx: Context) -> Refill | None:
    """The conversion that ``t.copy_(x.to(...))`` makes, where copying alone would give the same.

    It goes to another device, or to the dtype of `t` itself.
    """
    if not (isinstance(node.func, ast.Attribute) and node.func.attr == "copy_" and node.args):
        return None
    into, given = node.func.value, node.args[0]
    if not (isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute)):
        return None
    if given.func.attr != "to" or ctx.qualified_name(given.func) is not None:
        return None
    if any(ctx.kind(one) not in _MAY_BE for one in (into, given.func.value)):
        return None
    told = [item for item in given.keywords if item.arg != "non_blocking"]
    values = [*given.args, *(item.value for item in told)]
    if not values or any(item.arg not in _OWN for item in told):
        return None
    own = _bare(into, ctx)
    if all(_is_of(value, own, ctx) for value in values) or _is_device_alone(given, ctx):
        return Refill(into, given, given.func.value)
    return None


def _is_of(value: ast.expr, own: str, ctx: Context) -> bool:
    """Whether it is the tensor of a name, or its device or dtype."""
    if isinstance(value, ast.Attribute) and value.attr in _OWN:
        value = value.value
    return _bare(value, ctx) == own


def _bare(node: ast.expr, ctx: Context) -> str:
    """A tensor as written, without ``.data`` and ``.detach()``."""
    while True:
        if isinstance(node, ast.Attribute) and node.attr == "data":
            node = node.value
        elif (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "detach"
        ):
            node = node.func.value
        else:
            return ctx.text(node)


def _is_device_alone(call: ast.Call, ctx: Context) -> bool:
    found = conversion(call, ctx)
    return found is not None and found.keyword == "device" and not isinstance(found.target, ast.Constant)
