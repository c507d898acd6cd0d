"""How messages name what they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import ast

    from overhead_lint.rule import Context

__all__ = ["tensor_text"]

_LONGEST: Final = 40


def tensor_text(node: ast.expr, ctx: Context) -> str:
    """The text of a tensor in one line, or "a tensor" where that would be long."""
    text = " ".join(ctx.text(node).split())
    return text if len(text) <= _LONGEST else "a tensor"
