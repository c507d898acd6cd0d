"""Branches that a tensor decides, and that give another one its value: chosen on the device."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.edits import replace_statement
from overhead_lint.rule import Applicability, Fix, Import, Kind

from .._names import own_name
from ._likely import on_device
from ._together import is_reduced

if TYPE_CHECKING:
    from overhead_lint.rule import Context

    from ._reads import Read

__all__ = ["chosen_on_device"]

# What gives a tensor of the same shape, and raises for no values.
_ELEMENTWISE = frozenset(
    """abs ceil clamp clamp_max clamp_min detach div exp floor mul nan_to_num neg relu round sigmoid sign tanh
    zeros_like ones_like""".split()  # noqa: SIM905
)
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def chosen_on_device(read: Read, ctx: Context) -> Fix | None:
    """Return the unsafe fix that chooses between a tensor and its new value with ``torch.where``.

    ``if y.max() > 100: y = y.clamp(max=100)`` is ``y = torch.where(y.max() > 100, y.clamp(max=100), y)``.

    Returns:
        None where the branch does more, where the question may have another shape than that of one number, or
        the new value another than the old.
    """
    statement = ctx.statement(read.node)
    if not isinstance(statement, ast.If) or statement.test is not read.node or statement.orelse:
        return None
    match statement.body:
        case [ast.Assign(targets=[ast.Name() as target], value=value)]:
            pass
        case _:
            return None
    old = next((part for part in ctx.within(value, ast.Name) if part.id == target.id), None)
    if old is None or not on_device(old, ctx) or "#" in ctx.text(statement) or ctx.comments(statement):
        return None
    if not _is_one_number(statement.test, ctx) or not _has_shape_of(value, target.id, ctx):
        return None
    template = "{target} = {torch}.where({test}, {value}, {old})"
    edit = replace_statement(statement, template, target=target, test=statement.test, value=value, old=old)
    return Fix(Applicability.UNSAFE, "choose with torch.where", edits=(edit,), imports=(Import("torch"),))


def _is_one_number(node: ast.expr, ctx: Context) -> bool:
    """Whether a tensor surely has no dimensions: ``x.any()``, ``x.max() > 1``, ``~(x.sum() == y.sum())``."""
    match node:
        case ast.Compare(left=left, comparators=[right]):
            sides = (left, right)
            numbers = [_is_number(side, ctx) for side in sides]
            return not all(numbers) and all(
                number or _is_one_number(side, ctx) for side, number in zip(sides, numbers, strict=True)
            )
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return _is_one_number(operand, ctx)
        case ast.Name():
            value = ctx.value(node)
            return value is not None and not isinstance(value, ast.Name) and _is_one_number(value, ctx)
    return is_reduced(node, ctx)


def _has_shape_of(value: ast.expr, name: str, ctx: Context) -> bool:
    """Whether what is computed of a tensor has its shape: element by element, with numbers."""
    match value:
        case ast.Name():
            return value.id == name
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _has_shape_of(operand, name, ctx)
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _ARITHMETIC):
            for tensor, other in ((left, right), (right, left)):
                if _has_shape_of(tensor, name, ctx):
                    return _is_plain(other, ctx) or _has_shape_of(other, name, ctx)
            return False
        case ast.Call(func=ast.Attribute(value=owner) as method, args=args, keywords=keywords):
            if own_name(method) not in _ELEMENTWISE or any(item.arg == "out" for item in keywords):
                return False
            of_torch = (ctx.qualified_name(method) or "").startswith("torch.")
            tensor, given = (args[0], args[1:]) if of_torch and args else (owner, args)
            others = [*given, *(item.value for item in keywords)]
            return _has_shape_of(tensor, name, ctx) and all(_is_plain(other, ctx) for other in others)
    return False


def _is_plain(node: ast.expr, ctx: Context) -> bool:
    """Whether something is a number, or a tensor of one."""
    return _is_number(node, ctx) or is_reduced(node, ctx)


def _is_number(node: ast.expr, ctx: Context) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) or ctx.kind(node) is Kind.NUMBER
