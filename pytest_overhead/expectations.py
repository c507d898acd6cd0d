"""Whether code around a block says that the block may fail: then a failure that is caught was meant to be."""

from __future__ import annotations

import ast
import functools
import linecache
import re
from types import FrameType
from typing import Final

__all__ = ["is_expected"]

_EXPECTING: Final = re.compile(r"\b((assert)?[rR]aises\w*|fail\.Exception|Failed|OutcomeException)\b")
_APART: Final = re.compile(r"\b(subtests?|subTest)\b")
"""What reports a failure by itself."""
_RAISES: Final = ("_pytest.raises", "_pytest.python_api", "unittest.case")
_OWN: Final = "pytest_overhead"
_RUNNERS: Final = ("_pytest", "pluggy", _OWN)


def is_expected(frame: FrameType | None) -> bool:
    """Whether a failure that is raised in a frame is caught by somebody who names such failures.

    ``with pytest.raises(...)``, ``except pytest.fail.Exception`` and the like do, and subtests report it;
    ``except BaseException`` and what runs a coroutine do not.

    Args:
        frame: where it is raised; those that called it are looked at, too, from the first that is not this
            plugin's up to pytest's own.
    """
    while frame is not None and _root(frame) == _OWN:
        frame = frame.f_back
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module in _RAISES:
            return True
        if _root(frame) in _RUNNERS:
            return False
        if _says_so(frame.f_code.co_filename, frame.f_lineno):
            return True
        frame = frame.f_back
    return False


def _root(frame: FrameType) -> str:
    """The package whose code a frame runs."""
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


@functools.lru_cache(maxsize=256)
def _says_so(path: str, line: int | None) -> bool:
    """Whether a line stands in a statement that expects a failure."""
    try:
        tree = ast.parse("".join(linecache.getlines(path)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return line is not None and any(_expects(node, line) for node in ast.walk(tree))


def _expects(node: ast.AST, line: int) -> bool:
    if isinstance(node, (ast.With, ast.AsyncWith)):
        words = [item.context_expr for item in node.items] if _holds([node], line) else []
        return any(_EXPECTING.search(text) or _APART.search(text) for text in map(ast.unparse, words))
    if isinstance(node, ast.Try):
        words = [one.type for one in node.handlers if one.type is not None] if _holds(node.body, line) else []
        return any(_EXPECTING.search(ast.unparse(word)) for word in words)
    if isinstance(node, ast.Call) and _holds([node], line):
        return _EXPECTING.search(ast.unparse(node.func)) is not None
    return False


def _holds(nodes: list[ast.stmt] | list[ast.Call] | list[ast.With | ast.AsyncWith], line: int) -> bool:
    return nodes[0].lineno <= line <= (nodes[-1].end_lineno or 0)
