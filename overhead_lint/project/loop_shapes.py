"""How loops are written: what they go over, and what their rounds repeat."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from overhead_lint.project.names import last_name

__all__ = ["is_super", "iterables", "repeats"]


def iterables(
    node: ast.expr, gives_others: Callable[[ast.Call], bool] = lambda call: False
) -> Iterator[ast.expr]:
    """An iterated expression and, where it is a call such as ``enumerate(x)``, what is handed to it.

    Args:
        node: the expression.
        gives_others: tells calls that give other items than what they are handed.
    """
    yield node
    if node.__class__ is ast.Call and last_name(node.func) != "range" and not gives_others(node):
        for argument in node.args:
            yield from iterables(argument, gives_others)


def repeats(loop: ast.For | ast.AsyncFor | ast.While, child: ast.AST) -> bool:
    """Whether a direct child of a loop statement runs on every round."""
    if isinstance(loop, ast.While):
        return child not in loop.orelse
    return child is not loop.iter and child not in loop.orelse


def is_super(node: ast.expr) -> bool:
    """Whether an expression is ``super()``."""
    return node.__class__ is ast.Call and last_name(node.func) == "super"
