"""Tensors whose truth Python asks for outside of branches: ``not``, ``and``, ``or``, chains of ``<``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Kind

from .._conditions import tested

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["asked", "chained"]


def asked(node: ast.BoolOp | ast.UnaryOp, ctx: Context) -> Iterator[ast.expr]:
    """What a value that is computed with ``not``, ``and`` or ``or`` asks for its truth.

    The last operand of ``and`` and ``or`` is handed on as it is. A branch's test is told of there.
    """
    holder = ctx.parent(node)
    if isinstance(holder, ast.BoolOp) or _is_not(holder):
        return  # told of with all of it
    if isinstance(holder, (ast.If, ast.While, ast.IfExp, ast.Assert)) and holder.test is node:
        return
    if not isinstance(holder, ast.comprehension):
        yield from _asked(node)


def _asked(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BoolOp):
        for value in node.values[:-1]:
            yield from tested(value)
        yield from _asked(node.values[-1])
    elif _is_not(node):
        assert isinstance(node, ast.UnaryOp)
        yield from tested(node.operand)


def _is_not(node: ast.AST | None) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def chained(node: ast.Compare, ctx: Context) -> ast.expr | None:
    """The first tensor of the device in a chain of comparisons: all but the last are asked for truth."""
    sides = [node.left, *node.comparators]
    for place, operator in enumerate(node.ops[:-1]):
        if not isinstance(operator, (ast.Is, ast.IsNot, ast.In, ast.NotIn)):
            for side in sides[place : place + 2]:
                if ctx.kind(side) is Kind.TENSOR:
                    return side
    return None
