"""How messages name what they are about."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["short"]

_LONGEST: Final = 40
_LEAST: Final = 8
"""With less room for it, the text of what stands before an attribute says nothing."""
_CHAINED: Final = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)


def short(node: ast.expr, ctx: Context, longest: int = _LONGEST) -> str:
    """Return the text of an expression in one line, with "..." for what would make it long.

    It suits all sentences that take the name of a value; words such as "a tensor" suit but some.

    Args:
        node: the expression.
        ctx: the file.
        longest: how many characters are not yet long.
    """
    text = " ".join(ctx.text(node).split())
    if len(text) <= longest:
        return text
    text = _elided(node, ctx, longest) or text
    return text if len(text) <= longest else f"{text[: max(longest - 3, 0)].rstrip()}..."


def _elided(node: ast.expr, ctx: Context, longest: int) -> str:
    """Return a call, an element or an attribute without what stands in its brackets; "" for all else."""
    if isinstance(node, ast.Call):
        return f"{short(node.func, ctx, longest - 5)}(...)"
    if isinstance(node, ast.Subscript):
        return f"{_owner(node.value, ctx, longest - 5)}[...]"
    if isinstance(node, ast.Attribute):
        return f"{_owner(node.value, ctx, longest - 1 - len(node.attr))}.{node.attr}"
    return ""


def _owner(node: ast.expr, ctx: Context, longest: int) -> str:
    return short(node, ctx, longest) if isinstance(node, _CHAINED) and longest > _LEAST else "(...)"
