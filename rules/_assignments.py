"""What names are bound to."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.syntax.receivers import is_own_attribute

from ._names import is_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.rule import Context

__all__ = ["assignments", "attribute_values", "value_behind"]


def assignments(name: ast.Name, ctx: Context) -> list[ast.Assign]:
    """The plain assignments to a name in the function around it, in source order; elsewhere none."""
    function = ctx.function(name)
    if function is None:
        return []
    found = []
    for one in ctx.within(function.node, ast.Assign):
        for target in one.targets:
            if is_named(target, name.id):
                found.append(one)
                break
    return found


def value_behind(node: ast.expr, ctx: Context) -> ast.expr | None:
    """The one expression that a name or an attribute is bound to, None for several; any other one itself."""
    return ctx.value(node) if isinstance(node, (ast.Name, ast.Attribute)) else node


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
