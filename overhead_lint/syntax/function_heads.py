"""Where functions begin and what they are made of, by indentation: without a parser, which takes longer."""

from __future__ import annotations

import re
from io import StringIO
from itertools import islice
from typing import Final

__all__ = ["code_at", "function_heads"]

_HEAD: Final = re.compile(r"^([ \t]*)(?:(class)|(?:async[ \t]+)?def)[ \t]+(\w+)", re.MULTILINE)
_INSIDE: Final = ".<locals>"
_CLOSING: Final = ")]}"
"""A head of several lines may end with one of these, below its beginning."""


def function_heads(text: str) -> dict[str, int]:
    """Return the lines of the heads of functions and classes, from 1, by their names in paths."""
    found: dict[str, int] = {}
    around: list[tuple[int, str]] = []
    line, end = 1, 0
    for head in _HEAD.finditer(text):
        line += text.count("\n", end, head.start())
        end = head.start()
        depth = len(head[1].expandtabs())
        while around and around[-1][0] >= depth:
            around.pop()
        name = f"{around[-1][1] if around else ''}.{head[3]}"
        found.setdefault(name, line)
        around.append((depth, name if head[2] else name + _INSIDE))
    return found


def code_at(text: str, line: int) -> tuple[str, ...]:
    """Return the lines of a function, as far as they are indented, without comments and empty ones.

    Args:
        text: of the file.
        line: that of the function's head.
    """
    outside, found = 0, list[str]()
    for one in islice(StringIO(text), line - 1, None):
        code = one.strip()
        if not code or code[0] == "#":
            continue
        depth = len(one.expandtabs()) - len(one.expandtabs().lstrip())
        if not found:
            outside = depth
        elif depth <= outside and code[0] not in _CLOSING:
            break
        if "#" in code and not ("'" in code or '"' in code):
            code = code.partition("#")[0].rstrip()
        found.append(" " * (depth - outside) + code)
    return tuple(found)
