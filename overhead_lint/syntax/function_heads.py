"""Where functions begin and what they are made of, by indentation: without a parser, which takes longer."""

from __future__ import annotations

import re
from io import StringIO
from itertools import islice
from typing import Final

__all__ = ["code_at", "function_heads"]

_HEAD: Final = re.compile(r"^([ \t]*)(?:(class)|(?:async[ \t]+)?def)[ \t]+(\w+)", re.MULTILINE)
_INSIDE: Final = ".<locals>"


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
    """Return the tokens of a function, without comments and empty lines; () where they cannot be told apart.

    Args:
        text: of the file.
        line: that of the function's head.
    """
    import tokenize  # costs start-up, and few reports ask

    marks = {tokenize.INDENT: "{", tokenize.DEDENT: "}", tokenize.NEWLINE: "\n"}  # however they are written
    lines = islice(StringIO(text), line - 1, None)
    tokens: list[str] = []
    depth = outside = 0  # of the blocks around what comes, and around the head
    is_line_over = False
    try:
        for kind, word, *_ in tokenize.generate_tokens(lines.__next__):
            if kind in (tokenize.COMMENT, tokenize.NL):
                continue
            depth += (kind == tokenize.INDENT) - (kind == tokenize.DEDENT)
            if kind == tokenize.INDENT and not tokens:
                outside = depth
                continue
            if depth < outside or (depth == outside and (kind == tokenize.DEDENT or is_line_over)):
                break
            tokens.append(marks.get(kind, word))
            is_line_over = kind == tokenize.NEWLINE
    except (tokenize.TokenError, SyntaxError):
        return ()
    return tuple(tokens)
