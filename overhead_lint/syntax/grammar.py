"""What only later Pythons write, asked of `ast` by name: what is not there stands in no file."""

from __future__ import annotations

import ast
from typing import Final

__all__ = ["TEMPLATES", "TRIES", "is_lazy"]

TEMPLATES: Final[tuple[type[ast.expr], ...]] = tuple(
    getattr(ast, name) for name in ("TemplateStr",) if hasattr(ast, name)
)
"""Template strings, ``t"{loss}"``, of Python 3.14: they format nothing, and keep the text of their parts."""
TRIES: Final[tuple[type[ast.stmt], ...]] = tuple(
    getattr(ast, name) for name in ("Try", "TryStar") if hasattr(ast, name)
)
"""``try`` with ``except``, and, from Python 3.11 on, with ``except*``."""


def is_lazy(statement: ast.stmt) -> bool:
    """Whether an import waits until a name of it is used: ``lazy import torch``, of Python 3.15."""
    return bool(getattr(statement, "is_lazy", 0))
