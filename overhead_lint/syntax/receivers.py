"""What methods call the object and the class that they belong to."""

from __future__ import annotations

import ast
from typing import TypeGuard

__all__ = ["is_own_attribute", "is_self", "is_self_or_cls"]


def is_self(node: ast.AST | None) -> bool:
    """Whether an expression is ``self`` by name: what a method gives its first argument by convention."""
    return node.__class__ is ast.Name and node.id == "self"


def is_self_or_cls(node: ast.AST | None) -> bool:
    """Whether an expression is ``self`` or ``cls`` by name."""
    return node.__class__ is ast.Name and node.id in {"self", "cls"}


def is_own_attribute(node: ast.AST | None) -> TypeGuard[ast.Attribute]:
    """Whether an expression is ``self.name``, by name."""
    return isinstance(node, ast.Attribute) and is_self(node.value)
