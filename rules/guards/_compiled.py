"""Compiled code, as far as one file shows it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overhead_lint.rule import Context

_ASKS = frozenset(
    {
        "is_compiling",
        "is_dynamo_compiling",
        "is_torchdynamo_compiling",
        "is_exporting",
        "is_scripting",
        "is_torchdynamo_exporting",
    }
)


def runs_compiled(node: ast.AST, ctx: Context) -> bool:
    """Whether the compiler traces the place: in compiled code, and not in a branch for eager code only."""
    return ctx.is_compiled(node) and not asks_for_compiler(node, ctx)


def asks_for_compiler(node: ast.AST, ctx: Context) -> bool:
    """Whether a branch around the place depends on whether code is being compiled."""
    parent = ctx.parent(node)
    while parent is not None and not isinstance(parent, (ast.FunctionDef, ast.AsyncFunctionDef)):
        if isinstance(parent, (ast.If, ast.IfExp, ast.BoolOp)):
            test = parent if isinstance(parent, ast.BoolOp) else parent.test
            if any(
                (call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", ""))
                in _ASKS
                for call in (test, *ctx.within(test, ast.Call))
                if isinstance(call, ast.Call)
            ):
                return True
        parent = ctx.parent(parent)
    return False


def sets_config(names: frozenset[str], ctx: Context) -> bool:
    """Whether the file sets one of these settings of Dynamo, as an attribute or through ``config.patch``."""
    return any(
        node.attr in names and (isinstance(node.ctx, ast.Store) or _is_changed(node, ctx))
        for node in ctx.nodes(ast.Attribute)
    ) or any(keyword.arg in names for keyword in ctx.nodes(ast.keyword))


def _is_changed(node: ast.Attribute, ctx: Context) -> bool:
    """``config.reorderable_logging_functions.add(print)``."""
    parent = ctx.parent(node)
    return isinstance(parent, ast.Attribute) and parent.attr in {"add", "update"}


def is_fullgraph(ctx: Context) -> bool:
    """Whether the file compiles anything with ``fullgraph=True``, which makes scalars part of the graph."""
    return any(
        keyword.arg == "fullgraph" and isinstance(keyword.value, ast.Constant) and keyword.value.value is True
        for keyword in ctx.nodes(ast.keyword)
    )
