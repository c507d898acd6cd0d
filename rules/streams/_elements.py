"""Reads of one tensor's elements, one at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from overhead_lint.rule import Kind

if TYPE_CHECKING:
    from overhead_lint.rule import Context

TENSORS = (Kind.TENSOR, Kind.HOST_TENSOR)
_CONVERSIONS = frozenset({"bool", "float", "int"})
ELEMENT_READS = _CONVERSIONS | {"item"}
"""Names of what is called where `element` may find something."""
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
        for target, iterated in _targets(node, ctx):
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


def _indexed(node: ast.Call, value: ast.Subscript, ctx: Context) -> Element | None:
    """``t[i].item()`` with an index that a loop around counts."""
    if ctx.kind(value.value) not in TENSORS or isinstance(value.slice, ast.Slice):
        return None
    counted = {target.id for target, iterated in _targets(node, ctx) if ctx.kind(target) is Kind.NUMBER}
    indices = value.slice.elts if isinstance(value.slice, ast.Tuple) else [value.slice]
    used = {
        item.id
        for index in indices
        for item in (index, *ctx.within(index, ast.Name))
        if isinstance(item, ast.Name)
    }
    return Element(node, value.value, None) if used & counted else None


def _targets(node: ast.AST, ctx: Context) -> Iterator[tuple[ast.Name, ast.expr]]:
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
