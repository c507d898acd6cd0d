"""Blocks of statements, and the scopes that they stand in."""

from __future__ import annotations

import ast
import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from overhead_lint.rule import Context

__all__ = ["after", "before", "block_of", "does_nothing", "holders", "runs_each_time", "scope_of"]


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


def holders(node: ast.AST, ctx: Context) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yield what holds a node within its function, each with its part that does, innermost first.

    Lambdas are looked through.
    """
    holder = ctx.parent(node)
    while holder is not None and not isinstance(holder, (ast.FunctionDef, ast.AsyncFunctionDef)):
        yield holder, node
        node, holder = holder, ctx.parent(holder)


def runs_each_time(node: ast.AST, ctx: Context) -> bool:
    """Whether nothing but loops decides if a place runs in a call of its function that no exception ends."""
    places = [*ctx.loops(node), node]
    return ctx.runs_always(places[0]) and all(
        ctx.runs_each_round(place, loop) for loop, place in itertools.pairwise(places)
    )


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
