"""Arguments of a call that logs, written as source: a pattern, and what is put into it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["laid_out"]

_LEAST = 79
"""Columns that a line may have in any file: the strictest of the usual limits."""


def laid_out(pattern: str, values: Sequence[str], call: ast.Call, ctx: Context) -> str:
    """The arguments in parentheses, over as many lines as the call needs.

    A statement of several lines stays one, if it has to: each argument has a line, and the pattern is parted
    at spaces, so that no line is longer than the longest was, or than 79 columns.

    Args:
        pattern: what `logging` formats.
        values: the sources of what is put into it.
        call: the call whose arguments they will be.
        ctx: its file.
    """
    flat = ", ".join([_literal(pattern), *values])
    if call.end_lineno == call.lineno or not isinstance(ctx.parent(call), ast.Expr):
        return f"({flat})"
    first, *others = ctx.text(call).splitlines()
    longest = max(_LEAST, call.col_offset + len(first), *map(len, others))
    if call.col_offset + len(ctx.text(call.func)) + len(f"({flat})") <= longest:
        return f"({flat})"
    indent = "\t" if others[0].startswith("\t") else "    "
    room = longest - call.col_offset - len(indent)
    lines = [flat]
    if len(flat) > room:
        *parts, last = _parted(pattern, room - 1)
        lines = [*parts, *(f"{one}," for one in (last, *values))]
    return "\n".join(["(", *(indent + line for line in lines), ")"])


def _parted(pattern: str, room: int) -> Iterator[str]:
    """Literals of a text that fit into so many columns, where its spaces allow it."""
    part = ""
    for word in pattern.split(" "):
        longer = f"{part}{word} "
        if part and len(_literal(longer)) > room:
            yield _literal(part)
            longer = f"{word} "
        part = longer
    yield _literal(part[:-1])


def _literal(text: str) -> str:
    if '"' in text:
        return repr(text)
    # With both kinds of quotes in it the text is written in single ones, which are escaped.
    return '"' + repr(f"{text}'\"")[1:-4].replace("\\'", "'") + '"'
