"""What a function makes on each round of its loops and could make once above them."""

from __future__ import annotations

import ast
import itertools
from typing import TYPE_CHECKING

from overhead_lint.edits import insert_before, remove_statement

from ._names import names_in
from ._taken import bound_names, bound_within, is_declared_outer, is_read_unbound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.rule import Context, Edit

__all__ = ["fresh_local", "loop_to_leave", "moved_above", "statements_between"]

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def loop_to_leave(node: ast.expr, ctx: Context) -> ast.stmt | None:
    """Return the outermost loop of a function that binds no name which an expression in it reads.

    None outside of functions, where an assignment would be seen by others, and where the innermost loop binds
    such a name, or is a comprehension.
    """
    function = ctx.function(node)
    names = {name.id for name in names_in(node)}
    if function is None or any(is_declared_outer(name, function.node, ctx) for name in names):
        return None
    found = None
    for loop in reversed(ctx.loops(node)):
        if not isinstance(loop, _LOOPS) or not names.isdisjoint(bound_within(loop, ctx)):
            break
        found = loop
    return found


def moved_above(node: ast.expr, loop: ast.stmt, ctx: Context) -> tuple[Edit, ...]:
    """Return edits that move ``name = node`` above a loop around it; none if the name has other values."""
    statement, function = ctx.parent(node), ctx.function(node)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1 or function is None:
        return ()
    target = statement.targets[0]
    if not isinstance(target, ast.Name) or is_declared_outer(target.id, function.node, ctx):
        return ()
    if sum(name == target.id for name in bound_within(function.node, ctx)) != 1:
        return ()
    above = insert_before(loop, "{name} = {value}", name=target, value=node)
    return (above, remove_statement(statement))


def statements_between(loop: ast.stmt, node: ast.AST, ctx: Context) -> Sequence[ast.AST]:
    """Return what holds a node below a loop, innermost first: the statement that it stands in, too."""
    holders = []
    holder = ctx.parent(node)
    while holder is not None and holder is not loop:
        holders.append(holder)
        holder = ctx.parent(holder)
    return [item for item in holders if isinstance(item, (ast.stmt, ast.ExceptHandler))]


def fresh_local(stem: str, ctx: Context) -> str:
    """Return a name that the file neither binds nor reads: ``event``, ``event_2``, ``event_3`` ..."""
    choices = itertools.chain([stem], (f"{stem}_{number}" for number in itertools.count(2)))
    return next(name for name in choices if name not in bound_names(ctx) and not is_read_unbound(name, ctx))
