"""Texts that are formatted, and what else is worked out for a message, before anybody asks to see it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Kind

from .._calls import argument_values
from .._literals import elements_of, is_text
from .._texts import made_text

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = [
    "formatted",
    "holds_tensor",
    "is_for_failure",
    "is_long",
    "reads_of",
    "values",
    "worked_out",
]

_TENSORS = (Kind.TENSOR, Kind.HOST_TENSOR)
_LOOPS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_READS = frozenset({"item", "tolist", "cpu", "numpy"})


def formatted(node: ast.expr, ctx: Context) -> ast.expr | None:
    """The part of a message that formats values.

    Returns:
        An f-string, ``"..." % value``, ``"...".format(value)``, or a sum of texts of which one is
        ``str(value)`` or ``repr(value)``; None for a message that is there already.
    """
    if isinstance(node, (ast.JoinedStr, ast.BinOp)):
        parts = [node, *ctx.within(node, ast.JoinedStr)]
        found = next((part for part in parts if isinstance(part, ast.JoinedStr)), None)
        if found is not None:
            return found
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and is_text(node.left):
        return node
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        summands = list(_summands(node))
        said = any(map(is_text, summands)) and any(made_text(part, ctx) for part in summands)
        return node if said else None
    method = node.func if isinstance(node, ast.Call) else None
    if isinstance(method, ast.Attribute) and method.attr == "format" and is_text(method.value):
        return node
    return None


def values(text: ast.expr, ctx: Context) -> list[ast.expr]:
    """What a formatted text is made of, constants left out."""
    found: list[ast.expr] = []
    if isinstance(text, ast.JoinedStr):
        found = [part.value for part in text.values if isinstance(part, ast.FormattedValue)]
    elif isinstance(text, ast.BinOp) and isinstance(text.op, ast.Add):
        found = [value for part in _summands(text) for value in made_text(part, ctx)]
    elif isinstance(text, ast.BinOp):
        found = elements_of(text.right)
    elif isinstance(text, ast.Call):
        found = argument_values(text)
    return [value for value in found if not isinstance(value, ast.Constant)]


def worked_out(arguments: Iterable[ast.expr], ctx: Context) -> list[ast.expr]:
    """Of some arguments those that take more to work out than to hand over.

    Loops, texts of values, and what computes with a tensor or reads it.
    """
    return [argument for argument in arguments if _takes_work(argument, ctx)]


def holds_tensor(parts: Iterable[ast.expr], ctx: Context) -> bool:
    """Whether a tensor is among values that are formatted, also as ``str(tensor)``."""
    return any(
        ctx.kind(value) in _TENSORS
        for part in parts
        for value in (part, *(item for text in (part, formatted(part, ctx)) for item in _texts(text, ctx)))
    )


def is_long(value: ast.expr, ctx: Context) -> bool:
    """Whether a value is the shape of a tensor, whose text takes microseconds."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and len(value.args) == 1:
        return is_long(value.args[0], ctx)  # tuple(x.shape)
    return isinstance(value, ast.Attribute) and value.attr == "shape" and ctx.kind(value.value) in _TENSORS


def reads_of(name: ast.Name, ctx: Context) -> list[ast.Name]:
    """Where the function that binds a name reads it."""
    function = ctx.function(name)
    if function is None:
        return []
    return [
        use
        for use in ctx.within(function.node, ast.Name)
        if use.id == name.id and isinstance(use.ctx, ast.Load)
    ]


def is_for_failure(use: ast.expr, ctx: Context) -> bool:
    """Whether a value is read in ``raise ...`` or as the message of an ``assert`` alone."""
    statement = ctx.statement(use)
    if isinstance(statement, ast.Raise):
        return True
    if not isinstance(statement, ast.Assert) or statement.msg is None:
        return False
    return use is statement.msg or any(part is use for part in ctx.within(statement.msg, ast.Name))


def _takes_work(argument: ast.expr, ctx: Context) -> bool:
    if isinstance(argument, _LOOPS) or formatted(argument, ctx) is not None or made_text(argument, ctx):
        return True
    if isinstance(argument, ast.Call):
        if any(isinstance(inner, _LOOPS) for inner in argument.args):
            return True
        method = argument.func
        if isinstance(method, ast.Attribute) and ctx.kind(method.value) in _TENSORS and method.attr in _READS:
            return True
    return isinstance(argument, (ast.Call, ast.BinOp)) and ctx.kind(argument) in _TENSORS


def _texts(node: ast.expr | None, ctx: Context) -> list[ast.expr]:
    """The values of a text, or of ``str(...)``."""
    if node is None:
        return []
    return made_text(node, ctx) or values(node, ctx)


def _summands(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from _summands(node.left)
        yield from _summands(node.right)
    else:
        yield node
