"""Reads of one tensor's elements, one at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Kind
from overhead_lint.tuples import NamedTuple

from .._literals import elements_of

if TYPE_CHECKING:
    from overhead_lint.rule import Context

TENSORS = (Kind.TENSOR, Kind.HOST_TENSOR)
_CONVERSIONS = frozenset({"bool", "float", "int"})
ELEMENT_READS = _CONVERSIONS | {"item"}
"""Names of what is called where `element` may find something."""
LISTED = frozenset({"torch.as_tensor", "torch.tensor", "new_tensor"})
"""Names of what is called where `listed` may find something."""
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Element(NamedTuple):
    """A read of an element.

    Attributes:
        read: the place, ``t[i].item()`` or ``float(x)``.
        tensor: the tensor that it is an element of.
        target: the name that a loop over the tensor gives the element; None for ``t[i]``.
    """

    read: ast.expr
    tensor: ast.expr
    target: ast.Name | None


def element(node: ast.AST, ctx: Context) -> Element | None:
    """The element of a tensor that a call reads in a loop over its elements."""
    if not isinstance(node, ast.Call):
        return None
    value = read_value(node, ctx)
    if isinstance(value, ast.Subscript):
        return _indexed(node, value, ctx)
    if isinstance(value, ast.Name):
        for target, iterated in loop_targets(node, ctx):
            if target.id == value.id:
                return Element(node, iterated, target) if ctx.kind(iterated) in TENSORS else None
    return None


def read_value(node: ast.Call, ctx: Context) -> ast.expr | None:
    """What ``x.item()``, ``float(x)``, ``int(x)`` or ``bool(x)`` reads."""
    function = node.func
    if (
        isinstance(function, ast.Attribute)
        and function.attr == "item"
        and not node.args
        and not node.keywords
    ):
        return function.value
    if isinstance(function, ast.Name) and function.id in _CONVERSIONS and not ctx.is_bound(function.id, node):
        return node.args[0] if len(node.args) == 1 and not node.keywords else None
    return None


def listed(node: ast.Call, ctx: Context) -> ast.expr | None:
    """The first tensor of a list that ``torch.tensor`` and kin are given, to make one tensor of."""
    function = node.func
    if ctx.qualified_name(function) not in LISTED:
        if not (isinstance(function, ast.Attribute) and function.attr == "new_tensor"):
            return None
        if ctx.kind(function.value) not in TENSORS:
            return None
    given = node.args[0] if node.args else None
    if given is None:
        return None
    value = ctx.value(given) if isinstance(given, ast.Name) else given
    if isinstance(value, ast.ListComp):
        items = [value.elt]
    elif isinstance(value, (ast.List, ast.Tuple)):
        rows = [item.elts if isinstance(item, (ast.List, ast.Tuple)) else [item] for item in value.elts]
        items = [*(item for row in rows for item in row), *appended(given, ctx)]
    else:
        return None
    return next((item for item in items if ctx.kind(item) in TENSORS), None)


def appended(name: ast.expr, ctx: Context) -> Iterator[ast.expr]:
    """What the function around appends to a list of this name."""
    function = ctx.function(name)
    if function is None or not isinstance(name, ast.Name):
        return
    for call in ctx.within(function.node, ast.Call):
        if (
            isinstance(call.func, ast.Attribute)
            and call.func.attr == "append"
            and isinstance(call.func.value, ast.Name)
            and call.func.value.id == name.id
            and len(call.args) == 1
        ):
            yield call.args[0]


def _indexed(node: ast.Call, value: ast.Subscript, ctx: Context) -> Element | None:
    """``t[i].item()`` with an index that a loop around counts."""
    if ctx.kind(value.value) not in TENSORS or isinstance(value.slice, ast.Slice):
        return None
    counted = {target.id for target, iterated in loop_targets(node, ctx) if ctx.kind(target) is Kind.NUMBER}
    indices = elements_of(value.slice)
    used = {
        item.id
        for index in indices
        for item in (index, *ctx.within(index, ast.Name))
        if isinstance(item, ast.Name)
    }
    return Element(node, value.value, None) if used & counted else None


def loop_targets(node: ast.AST, ctx: Context) -> Iterator[tuple[ast.Name, ast.expr]]:
    """The names that loops around give, innermost first, with what each of them goes through."""
    for loop in reversed(ctx.loops(node)):
        if isinstance(loop, (ast.For, ast.AsyncFor)):
            yield from targets(loop.target, loop.iter)
        elif isinstance(loop, _COMPREHENSIONS):
            for generator in reversed(loop.generators):
                yield from targets(generator.target, generator.iter)


def targets(target: ast.expr, iterated: ast.expr) -> Iterator[tuple[ast.Name, ast.expr]]:
    """The names of a loop's target, with what each of them goes through."""
    if isinstance(target, ast.Name):
        yield target, iterated
    if not (isinstance(target, ast.Tuple) and isinstance(iterated, ast.Call)):
        return
    if not isinstance(iterated.func, ast.Name):
        return
    if iterated.func.id == "enumerate" and len(target.elts) == 2 and iterated.args:
        if isinstance(target.elts[0], ast.Name):
            yield target.elts[0], iterated
        yield from targets(target.elts[1], iterated.args[0])
    elif iterated.func.id == "zip" and len(iterated.args) == len(target.elts):
        for inner, argument in zip(target.elts, iterated.args, strict=True):
            if not isinstance(argument, ast.Starred):
                yield from targets(inner, argument)
