"""What names are bound to."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ._names import is_named

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["assignments", "value_behind"]


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
