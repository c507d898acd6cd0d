"""Names with dots, as they are written."""

from __future__ import annotations

import ast

__all__ = ["is_dotted"]


def is_dotted(node: ast.expr) -> bool:
    """Whether an expression is a name, or attributes of one in turn: ``self.model.head``."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)
