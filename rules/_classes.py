"""Classes as they are written."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overhead_lint.rule import ClassFacts

__all__ = ["method"]


def method(cls: ClassFacts, name: str) -> ast.FunctionDef | None:
    """The method that a class itself defines; None if it has none, or inherits it."""
    return next(
        (item for item in cls.node.body if isinstance(item, ast.FunctionDef) and item.name == name), None
    )
