"""What names are bound to."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.syntax.receivers import is_own_attribute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.rule import Context

__all__ = ["assigned_values", "attribute_values", "is_given_anew", "unpacked_value", "value_behind"]


def assigned_values(name: ast.Name, ctx: Context) -> list[ast.expr]:
    """What the plain assignments that a name may see give it; other bindings may give it something else."""
    statements = [ctx.parent(one) for one in ctx.bindings(name)]
    return [one.value for one in statements if isinstance(one, ast.Assign)]


def value_behind(node: ast.expr, ctx: Context) -> ast.expr | None:
    """The one expression that a name or an attribute is bound to, None for several; any other one itself."""
    return ctx.value(node) if isinstance(node, (ast.Name, ast.Attribute)) else node


def unpacked_value(name: ast.Name, ctx: Context) -> ast.expr | None:
    """The one expression that a name is bound to, also among others: ``a, b = 1, 2``."""
    value = ctx.value(name)
    if value is not None:
        return value
    bound = ctx.bindings(name)
    return _assigned(bound[0], ctx) if len(bound) == 1 and isinstance(bound[0], ast.Name) else None


def is_given_anew(attribute: ast.Attribute, at: ast.stmt, ctx: Context) -> bool:
    """Whether each run of a function has given an attribute something else when it comes to a statement.

    That is a value which is not made of what the attribute held before.
    """
    function, text = ctx.function(at), ctx.text(attribute)
    return function is not None and any(
        text in map(ctx.text, one.targets)
        and not any(ctx.text(part) == text for part in (one.value, *ctx.within(one.value, ast.Attribute)))
        and ctx.runs_before(one, at)
        for one in ctx.within(function.node, ast.Assign)
    )


def attribute_values(node: ast.Attribute, ctx: Context) -> Sequence[ast.expr | None]:
    """Return what the class around ``self.name`` assigns to it; None for what is not written out."""
    cls = ctx.cls(node)
    if cls is None:
        return []
    return [
        _assigned(item, ctx)
        for item in ctx.within(cls.node, ast.Attribute)
        if item.attr == node.attr and isinstance(item.ctx, ast.Store) and is_own_attribute(item)
    ]


def _assigned(target: ast.expr, ctx: Context) -> ast.expr | None:
    """Return what a statement assigns to one of its targets: also ``a, b = 1, 2``, item by item."""
    holder = ctx.parent(target)
    if isinstance(holder, (ast.Assign, ast.AnnAssign)):
        return holder.value
    if not isinstance(holder, (ast.Tuple, ast.List)):
        return None
    given = _assigned(holder, ctx)
    if not isinstance(given, (ast.Tuple, ast.List)) or len(given.elts) != len(holder.elts):
        return None
    if any(isinstance(item, ast.Starred) for item in (*given.elts, *holder.elts)):
        return None
    return given.elts[holder.elts.index(target)]
