"""What a condition looks at."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, TypeGuard

from ._blocks import holders

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["branches", "passed", "says", "tested"]

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def branches(node: ast.AST, ctx: Context) -> Iterator[tuple[ast.expr, bool]]:
    """Conditions of the branches around a place in its function, with the outcome that leads to it.

    So are the parts before it of an ``and`` or an ``or``.
    """
    for holder, part in holders(node, ctx):
        if isinstance(holder, (ast.If, ast.IfExp)) and part is not holder.test:
            body = holder.body if isinstance(holder.body, list) else [holder.body]
            yield holder.test, part in body
        elif isinstance(holder, ast.BoolOp):
            for value in holder.values[: holder.values.index(part)]:  # type: ignore[arg-type]
                yield value, isinstance(holder.op, ast.And)


def passed(node: ast.AST, ctx: Context) -> Iterator[tuple[ast.expr, bool]]:
    """Conditions before a place in its function, with the outcome without which it is not reached.

    Those of branches that leave, and of ``assert``.
    """
    child, parent = node, ctx.parent(node)
    while parent is not None:
        for block in (getattr(parent, field, None) for field in ("body", "orelse", "finalbody")):
            for statement in (
                block[: block.index(child)] if isinstance(block, list) and child in block else ()
            ):
                if isinstance(statement, ast.Assert):
                    yield statement.test, True
                elif _leaves(statement):
                    yield statement.test, False
        if isinstance(parent, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return
        child, parent = parent, ctx.parent(parent)


def _leaves(statement: ast.stmt) -> TypeGuard[ast.If]:
    """Whether a statement is a branch that ends by leaving."""
    return isinstance(statement, ast.If) and isinstance(
        statement.body[-1], (ast.Break, ast.Continue, ast.Raise, ast.Return)
    )


def tested(node: ast.expr) -> Iterator[ast.expr]:
    """The expressions whose truth decides a condition: the operands of ``and``, ``or`` and ``not``."""
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from tested(value)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from tested(node.operand)
    else:
        yield node


def says(test: ast.expr, wanted: Collection[str], when: bool) -> bool:
    """Whether a condition is `when` only if something is true whose name has one of the words.

    Args:
        test: the condition.
        wanted: words in lower case.
        when: the outcome asked about.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return says(test.operand, wanted, not when)
    if isinstance(test, ast.BoolOp):
        found = [says(value, wanted, when) for value in test.values]
        return any(found) if isinstance(test.op, ast.And) is when else all(found)
    if isinstance(test, ast.Compare):
        return False
    name = ""
    if isinstance(test, ast.Subscript) and isinstance(test.slice, ast.Constant):
        name = str(test.slice.value)
    elif isinstance(test, (ast.Attribute, ast.Name)):
        name = test.attr if isinstance(test, ast.Attribute) else test.id
    return when and any(word.lower() in wanted for word in _WORD.findall(name))
