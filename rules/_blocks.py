"""Blocks of statements, and the scopes that they stand in."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhead_lint.rule import Context

__all__ = ["after", "before", "block_of", "does_nothing", "scope_of"]


def block_of(node: ast.AST, ctx: Context) -> list[ast.stmt]:
    """The block of statements that holds one; empty for what is no statement of a block."""
    holder = ctx.parent(node)
    for field in ("body", "orelse", "finalbody"):
        block = getattr(holder, field, None)
        if isinstance(block, list) and node in block:
            return block
    return []


def before(node: ast.AST, ctx: Context) -> list[ast.stmt]:
    """The statements before one in its block."""
    block = block_of(node, ctx)
    return block[: block.index(node)] if isinstance(node, ast.stmt) and block else []


def after(node: ast.AST, ctx: Context) -> list[ast.stmt]:
    """The statements after one in its block."""
    block = block_of(node, ctx)
    return block[block.index(node) + 1 :] if isinstance(node, ast.stmt) and block else []


def does_nothing(block: Iterable[ast.stmt]) -> bool:
    """Whether a block is that of a stub or an abstract method: ``pass``, ``...``, ``raise``, a docstring."""
    return all(
        isinstance(statement, (ast.Pass, ast.Raise))
        or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        for statement in block
    )


def scope_of(node: ast.AST, ctx: Context) -> ast.AST:
    """The function around a node; the whole file where none is."""
    function = ctx.function(node)
    return function.node if function is not None else ctx.tree
