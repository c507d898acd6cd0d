"""Arrays and lists of the host that index several tensors of the device: copied once, for all of them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.edits import replace
from overhead_lint.rule import Applicability, Fix, Import, Kind
from overhead_lint.syntax.dotted_names import root_of

from .._blocks import scope_of
from .._taken import bound_within, is_declared_outer
from ._indices import is_array

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["copied_once"]

_FEWEST = 2


def copied_once(index: ast.expr, ctx: Context) -> Fix | None:
    """Return the unsafe fix that makes a tensor of the device of what a name of the host is bound to.

    Args:
        index: what indexes a tensor of the device.
        ctx: the file.

    Returns:
        None where the name is needed for anything but indexing, where it does not surely index two tensors
        at least, and where none of these is there before the name is.
    """
    value = ctx.value(index) if isinstance(index, ast.Name) else None
    statement = ctx.parent(value) if value is not None else None
    if not isinstance(index, ast.Name) or not isinstance(statement, ast.Assign) or value is None:
        return None
    if not (is_array(value, ctx) or ctx.items_of_list(value) is Kind.NUMBER):
        return None
    uses = _uses(index.id, statement, ctx)
    indexed = [_indexed(use, ctx) for use in uses]
    if not all(indexed) or sum(_is_reached(use, statement, ctx) for use in uses) < _FEWEST:
        return None
    tensors = [tensor for tensor in indexed if tensor is not None and _is_there(tensor, statement, ctx)]
    if not tensors:
        return None
    template = "{torch}.as_tensor({value}, device={tensor}.device)"
    edit = replace(value, template, value=value, tensor=tensors[0])
    return Fix(Applicability.UNSAFE, "copy it to the device once", edits=(edit,), imports=(Import("torch"),))


def _uses(name: str, statement: ast.Assign, ctx: Context) -> list[ast.Name]:
    """The places that read a name, if the statement alone binds it, and nothing else sees it; else none."""
    scope = scope_of(statement, ctx)
    if len(statement.targets) != 1 or not isinstance(statement.targets[0], ast.Name):
        return []
    if list(bound_within(scope, ctx)).count(name) != 1 or is_declared_outer(name, ctx.tree, ctx):
        return []
    uses = [one for one in ctx.within(scope, ast.Name) if one.id == name and isinstance(one.ctx, ast.Load)]
    return uses if all(scope_of(use, ctx) is scope for use in uses) else []


def _indexed(use: ast.Name, ctx: Context) -> ast.expr | None:
    """The tensor of the device that a name indexes, alone or beside others."""
    index: ast.AST | None = use
    holder = ctx.parent(use)
    if isinstance(holder, ast.Tuple):
        index, holder = holder, ctx.parent(holder)
    if not isinstance(holder, ast.Subscript) or holder.slice is not index:
        return None
    return holder.value if ctx.kind(holder.value) is Kind.TENSOR else None


def _is_reached(use: ast.Name, statement: ast.Assign, ctx: Context) -> bool:
    """Whether a place is reached each time that a statement has run."""
    loops = ctx.loops(statement)
    if list(ctx.loops(use)) != list(loops):
        return False
    return ctx.runs_each_round(use, loops[-1]) if loops else ctx.runs_always(use)


def _is_there(tensor: ast.expr, statement: ast.Assign, ctx: Context) -> bool:
    """Whether a tensor is what a plain name holds before a statement, and still where it is indexed."""
    root = root_of(tensor)
    if not isinstance(root, ast.Name):
        return False
    loops, scope = ctx.loops(statement), scope_of(statement, ctx)
    if root.id in (bound_within(loops[-1], ctx) if loops else ()):
        return False
    stores = (one for one in ctx.within(scope, ast.Name) if not isinstance(one.ctx, ast.Load))
    return all(one.lineno < statement.lineno for one in stores if one.id == root.id)
