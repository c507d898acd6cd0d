"""Where the statements of a file begin and end, and whether two files have the same ones."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["last_lines", "same", "spans_block"]


def _innermost(tree: ast.Module, line: int) -> ast.stmt | None:
    """The innermost statement that holds a line."""
    found: ast.stmt | None = None
    block: list[ast.stmt] = tree.body
    while block:
        inside = [s for s in block if _first_line(s) <= line <= (s.end_lineno or s.lineno)]
        if not inside:
            break
        found = inside[-1]
        block = [s for child in _blocks(found) for s in child]
    return found


def _blocks(statement: ast.stmt) -> Iterable[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if isinstance(block, list):
            yield block
    for name in ("handlers", "cases"):
        for part in getattr(statement, name, ()):
            yield part.body


def _first_line(statement: ast.stmt) -> int:
    decorators = getattr(statement, "decorator_list", None)
    return int(decorators[0].lineno if decorators else statement.lineno)


def spans_block(tree: ast.Module, line: int) -> bool:
    """Whether the innermost statement that holds a line holds others."""
    statement = _innermost(tree, line)
    return statement is not None and any(_blocks(statement))


def last_lines(tree: ast.Module, line: int) -> range:
    """The lines on which the innermost statement of a line ends, or its header does when it holds a block."""
    statement = _innermost(tree, line)
    if statement is None:
        return range(0)
    body = getattr(statement, "body", None)
    if not isinstance(body, list) or not body:
        end = statement.end_lineno or statement.lineno
        return range(end, end + 1)
    first = _first_line(body[0])
    header = [
        child.end_lineno or child.lineno
        for child in ast.walk(statement)
        if isinstance(child, ast.expr) and child.lineno < first
    ]
    return range(max(header, default=statement.lineno), max(first, statement.lineno + 1))


def same(one: ast.AST, other: ast.AST) -> bool:
    """Whether two trees mean the same, wherever their parts stand; `ast.dump` cannot show the deepest."""
    left: list[tuple[object, object]] = [(one, other)]
    while left:
        first, second = left.pop()
        if type(first) is not type(second):
            return False
        if isinstance(first, ast.AST):
            left += [(getattr(first, name, None), getattr(second, name, None)) for name in first._fields]
        elif isinstance(first, list):
            assert isinstance(second, list)
            if len(first) != len(second):
                return False
            left += zip(first, second, strict=True)
        elif repr(first) != repr(second):  # 0.0 and -0.0 are equal, NaN is not
            return False
    return True
