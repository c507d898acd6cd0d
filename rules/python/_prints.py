"""Prints that a layer makes on each call, most of them left over from a search for a fault."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from overhead_lint.rule import Kind

from .._vocabulary import SHOWING, one_of

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["is_left_over"]

_OF_MODULE: Final = "runs on every call of the module"
_SHOWS: Final = re.compile(rf"(?i){one_of(SHOWING)}|str__")
_CHOICES: Final = (ast.If, ast.IfExp, ast.ExceptHandler, ast.match_case, ast.BoolOp)
_TENSORS: Final = (Kind.TENSOR, Kind.HOST_TENSOR)


def is_left_over(node: ast.Call, ctx: Context) -> bool:
    """Whether ``print(...)`` runs each time a module is called, whatever the values are.

    Of tensors other rules speak, since the host waits for these.
    """
    function = ctx.function(node)
    if function is None or not isinstance(node.func, ast.Name) or node.func.id != "print":
        return False
    if ctx.is_bound("print", node) or any(item.arg in {None, "file"} for item in node.keywords):
        return False
    if _SHOWS.search(function.qualname.rpartition(".")[2]) or _is_chosen(node, ctx):
        return False
    if any(ctx.kind(part) in _TENSORS for argument in node.args for part in _shown(argument)):
        return False
    return _OF_MODULE in ctx.warmth(node).why


def _shown(argument: ast.expr) -> list[ast.expr]:
    """What an argument shows: itself, or the values of an f-string."""
    if isinstance(argument, ast.JoinedStr):
        return [part.value for part in argument.values if isinstance(part, ast.FormattedValue)]
    return [argument]


def _is_chosen(node: ast.AST, ctx: Context) -> bool:
    """Whether something decides if the place runs, other than loops."""
    child, parent = node, ctx.parent(node)
    while parent is not None and not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        if isinstance(parent, _CHOICES):
            return True
        child, parent = parent, ctx.parent(parent)
    return False
