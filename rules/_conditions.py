"""What a condition looks at."""

from __future__ import annotations

import ast
from collections.abc import Iterator

__all__ = ["tested"]


def tested(node: ast.expr) -> Iterator[ast.expr]:
    """The expressions whose truth decides a condition: the operands of ``and``, ``or`` and ``not``."""
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from tested(value)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from tested(node.operand)
    else:
        yield node
