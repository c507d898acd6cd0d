"""From text to `ast`, whatever the text holds, on each Python."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from typing import Final

__all__ = ["TOO_DEEP", "parse_expression", "parse_text", "syntax_error"]

TOO_DEEP: Final = "is nested too deeply to be checked"

_LONG_LINE: Final = 10_000
"""Characters: a shorter line cannot nest deep enough to exhaust a thread's usual stack of 8 MiB."""
_SINCE: Final = (
    ((3, 15), r"unpacking cannot be used in (dict )?comprehension|^\s*lazy\s+(import|from)\b"),
    ((3, 14), r"\b([tT][rR]?|[rR][tT])[\"']|^\s*except\s+[\w.]+\s*,"),
    ((3, 13), r"^\s*(type|class|(async\s+)?def)\s+\w+\[[^\]]*\w\s*=(?!=)"),
    ((3, 12), r"^f-string: |^\s*type\s+\w+\b|^\s*(async\s+)?(def|class)\s+\w+\["),
    ((3, 11), r"^\s*except\s*\*|\[.*\*\w"),
)
"""What a line looks like that older versions of Python do not read: the version, and an expression."""
_DEEP_STACK: Final = 512 * 1024 * 1024
"""Bytes, of address space; pages that are not touched cost nothing. Holds 1,000,000 terms on Python 3.10."""


def syntax_error(error: SyntaxError) -> str:
    """What is said of a syntax error; also that a newer Python may read it, if its line looks so."""
    message = f"syntax error: {error.msg}"
    told = f"{error.msg}\n{error.text or ''}"
    newer = next((since for since, form in _SINCE if re.search(form, told, re.MULTILINE)), (0, 0))
    if newer <= sys.version_info[:2]:
        return message
    since, here = (".".join(map(str, version)) for version in (newer, sys.version_info[:2]))
    return f"{message}; this may be Python {since}, and overhead-lint runs on {here}"


def parse_text(text: str) -> ast.Module:
    """Parse with this Python's grammar; no word on invalid escapes or ``finally``: another linter's subject.

    Raises:
        SyntaxError: it does not parse.
        RecursionError, MemoryError: it is nested too deeply; which of them depends on the Python version.
        ValueError: it holds null bytes, up to Python 3.11.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _PARSE(text)


def parse_expression(text: str) -> ast.expr:
    """Parse an expression, likewise in silence.

    Raises:
        SyntaxError, RecursionError, MemoryError, ValueError: as `parse_text`.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval").body


def _parse_on_deep_stack(text: str) -> ast.Module:
    """Parse in a thread with a stack that a very long expression does not exhaust.

    Up to Python 3.10 the conversion of such an expression into `ast` nodes counts no depth and ends in a
    segmentation fault of the whole process. Only sources with a line of many thousand characters go this way.
    """
    if len(max(text.split("\n"), key=len)) < _LONG_LINE:
        return ast.parse(text)
    import threading  # costs start-up

    outcome: list[ast.Module | BaseException] = []

    def parse_here() -> None:
        try:
            outcome.append(ast.parse(text))
        except BaseException as error:  # handed over to the caller's thread, whatever it is
            outcome.append(error)

    before = threading.stack_size(_DEEP_STACK)
    try:
        thread = threading.Thread(target=parse_here)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]


_PARSE: Final = ast.parse if sys.version_info >= (3, 11) else _parse_on_deep_stack
