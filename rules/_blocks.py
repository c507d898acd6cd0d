"""Blocks of statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

__all__ = ["before"]


def before(statement: ast.AST, parent: ast.AST) -> Iterator[ast.stmt]:
    """The statements before one in its block; `parent` holds it."""
    for block in (getattr(parent, field, None) for field in ("body", "orelse", "finalbody")):
        if isinstance(block, list) and statement in block:
            yield from block[: block.index(statement)]
