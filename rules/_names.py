"""What expressions are called."""

from __future__ import annotations

import ast

__all__ = ["own_name"]


def own_name(node: ast.AST) -> str:
    """The name of a variable, or of an attribute by itself: ``c`` of ``a.b.c``; "" for anything else."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
