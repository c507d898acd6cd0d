"""What a function assigns to a name."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ._names import is_named

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["assignments"]


def assignments(name: ast.Name, ctx: Context) -> list[ast.Assign]:
    """The plain assignments to a name in the function around it, in source order; elsewhere none."""
    function = ctx.function(name)
    if function is None:
        return []
    return [
        one
        for one in ctx.within(function.node, ast.Assign)
        if any(is_named(target, name.id) for target in one.targets)
    ]
