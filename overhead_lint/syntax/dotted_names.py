"""Names with dots, as they are written."""

from __future__ import annotations

import ast

__all__ = ["is_dotted", "root_of"]


def root_of(node: ast.expr) -> ast.expr:
    """Return what attributes are read of, each of the one before: ``self`` of ``self.model.head``."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


def is_dotted(node: ast.expr) -> bool:
    """Whether an expression is a name, or attributes of one in turn: ``self.model.head``."""
    return isinstance(root_of(node), ast.Name)
