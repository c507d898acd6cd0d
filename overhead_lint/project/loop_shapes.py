"""How loops are written: what they go over, and what their rounds repeat."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from overhead_lint.analysis.words import words
from overhead_lint.project.names import last_name

__all__ = ["cuts_batches", "is_super", "iterables", "repeats"]


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


def cuts_batches(loop: ast.AST) -> bool:
    """Whether a loop goes through something batch by batch: ``for at in range(0, n, batch_size)``."""
    call = loop.iter if loop.__class__ is ast.For else None
    while call.__class__ is ast.Call and call.args:
        if last_name(call.func) in {"range", "trange"}:
            return len(call.args) == 3 and words(last_name(call.args[2]))[-2:] == ("batch", "size")
        call = call.args[0]
    return False


def is_super(node: ast.expr) -> bool:
    """Whether an expression is ``super()``."""
    return node.__class__ is ast.Call and last_name(node.func) == "super"
