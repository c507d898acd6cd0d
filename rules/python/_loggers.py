"""Calls of loggers, by which level they log and how often."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.rule import Kind

from .._assignments import value_behind
from .._blocks import holders
from .._names import own_name
from .._vocabulary import LOGGERS

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["debug_message", "is_once", "is_usual", "shown_message"]

_SHOWN = frozenset({"error", "info", "warn", "warning"})


def debug_message(node: ast.Call, ctx: Context) -> list[ast.expr] | None:
    """The message and arguments of ``logger.debug(...)`` or ``logger.log(logging.DEBUG, ...)``; else None."""
    method = node.func
    if not isinstance(method, ast.Attribute) or not node.args:
        return None
    if method.attr == "debug":
        given = node.args
    elif method.attr == "log" and ctx.qualified_name(node.args[0]) == "logging.DEBUG":
        given = node.args[1:]
    else:
        return None
    return given if _is_logger(method.value, ctx) else None


def shown_message(node: ast.Call, ctx: Context) -> bool:
    """Whether a call logs at a level that most programs show: ``logger.info(...)``."""
    method = node.func
    return isinstance(method, ast.Attribute) and method.attr in _SHOWN and _is_logger(method.value, ctx)


def is_once(node: ast.Call, ctx: Context) -> bool:
    """Whether a call shows a message once, however often it is called: ``logger.warning_once(...)``."""
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr.endswith("_once") and bool(node.args) and _is_logger(function.value, ctx)
    return False


def is_usual(node: ast.AST, ctx: Context) -> bool:
    """Whether a place is reached on every call, or where tensors have some shape or dtype.

    Other branches are for options and arguments that few programs use.
    """
    for holder, child in holders(node, ctx):
        if isinstance(holder, ast.If) and child is not holder.test:
            return any(_compares_tensor(part, ctx) for part in ast.walk(holder.test))
        if isinstance(holder, ast.ExceptHandler):
            return False
    return True


def _compares_tensor(node: ast.AST, ctx: Context) -> bool:
    """Whether it compares what is asked of a tensor, other than whether there is one."""
    if not isinstance(node, ast.Compare) or any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
        return False
    parts = (part for side in (node.left, *node.comparators) for part in ast.walk(side))
    return any(
        isinstance(part, ast.expr)
        and (
            ctx.kind(part) in (Kind.TENSOR, Kind.HOST_TENSOR)
            or (isinstance(part, ast.Attribute) and part.attr in {"dtype", "ndim", "shape"})
        )
        for part in parts
    )


def _is_logger(node: ast.expr, ctx: Context) -> bool:
    """Whether it is the module `logging`, or a name that is bound to a logger, or says that it is one."""
    if ctx.qualified_name(node) == "logging":
        return True
    name = own_name(node)
    made = value_behind(node, ctx)
    if isinstance(made, ast.Call):
        return own_name(made.func).lower().endswith("logger")
    return name.lower().rpartition("_")[2] in LOGGERS
