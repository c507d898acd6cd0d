"""Branches that ask whether a mask holds anywhere, and then only fill behind it, which needs no question."""

from __future__ import annotations

import ast
import textwrap
from typing import TYPE_CHECKING

from overhead_lint.edits import replace, replace_commented
from overhead_lint.rule import Applicability, Fix

if TYPE_CHECKING:
    from overhead_lint.rule import Context

    from ._reads import Read

__all__ = ["filled_without_asking"]


def filled_without_asking(read: Read, ctx: Context) -> Fix | None:
    """Return the unsafe fix that fills behind a mask without asking first whether it holds anywhere.

    ``if mask.any(): x[mask] = 0`` gives the same as ``x[mask] = 0``, for which no one waits.

    Returns:
        None where the branch does more, or else something, and where a comment would be lost.
    """
    statement, mask = ctx.statement(read.node), _asked(read.node, ctx)
    if mask is None or not isinstance(statement, ast.If) or statement.orelse:
        return None
    if not all(_fills(item, mask, ctx) for item in statement.body):
        return None
    message = "fill without asking"
    match statement.test:
        case ast.BoolOp(op=ast.And(), values=[*others, last]) if last is read.node:
            kept = " and ".join(f"{{part{index}}}" for index in range(len(others)))
            parts = {f"part{index}": other for index, other in enumerate(others)}
            return Fix(Applicability.UNSAFE, message, edits=(replace(statement.test, kept, **parts),))
        case test if test is read.node:
            text = _text_of_body(statement, ctx)
            edits = (replace_commented(statement, text.replace("{", "{{").replace("}", "}}")),)
            return Fix(Applicability.UNSAFE, message, edits=edits) if text else None
    return None


def _asked(node: ast.expr, ctx: Context) -> ast.expr | None:
    """The mask in ``mask.any()`` or ``torch.any(mask)``."""
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    if ctx.qualified_name(node.func) == "torch.any" and len(node.args) == 1:
        mask = node.args[0]
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "any" and not node.args:
        mask = node.func.value
    else:
        return None
    return mask if isinstance(mask, (ast.Name, ast.Attribute)) else None


def _fills(statement: ast.stmt, mask: ast.expr, ctx: Context) -> bool:
    """Whether a statement puts a number behind the mask: ``x[mask] = 0``, ``x.masked_fill_(mask, 0)``."""
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=filled, slice=where)], value=value):
            pass
        case ast.Expr(value=ast.Call(func=ast.Attribute() as method, args=[where, value], keywords=[])):
            filled = method.value
            if method.attr != "masked_fill_":
                return False
        case _:
            return False
    return ctx.text(where) == ctx.text(mask) and _is_number(value, ctx) and not _calls(filled)


def _is_number(value: ast.expr, ctx: Context) -> bool:
    if isinstance(value, ast.UnaryOp):
        value = value.operand
    if isinstance(value, ast.Call):  # float("-inf")
        named = (
            isinstance(value.func, ast.Name) and value.func.id == "float" and not ctx.is_bound("float", value)
        )
        return named and all(isinstance(argument, ast.Constant) for argument in value.args)
    return isinstance(value, ast.Constant) and isinstance(value.value, (bool, int, float))


def _calls(filled: ast.expr) -> bool:
    return any(isinstance(part, (ast.Call, ast.NamedExpr, ast.Await)) for part in ast.walk(filled))


def _text_of_body(statement: ast.If, ctx: Context) -> str:
    """The lines below the header, which stand alone and come with their comments; "" for others."""
    header, *lines = ctx.lines(statement.lineno, statement.end_lineno or statement.lineno)
    if not header.rstrip().endswith(":") or "#" in header or not lines:
        return ""
    return textwrap.dedent("\n".join(lines))
