"""Texts that are made of values by ``str(value)`` and ``repr(value)``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["made_text"]


def made_text(node: ast.expr, ctx: Context) -> list[ast.expr]:
    """What ``str(value)`` or ``repr(value)`` makes a text of; empty for all else."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("str", "repr")
        and len(node.args) == 1
        and not node.keywords
        and not ctx.is_bound(node.func.id, node)
    ):
        return node.args
    return []
