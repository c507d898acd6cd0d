"""Comments that look as if they silenced something, and are none that do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from overhead_lint.nearest import nearest
from overhead_lint.suppression import comments
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from overhead_lint.source import Source
    from overhead_lint.suppression import Directive

__all__ = ["Mistake", "may_be_mistaken", "mistakes"]

# Expressions are compiled when they are asked for, as those of comments that silence.
_OURS: Final = r"#\s*overhead(?P<tool>-lint)?:\s*(?P<word>[a-z][\w-]*)(?P<rest>[^#]*)"
_BRACKET: Final = r"(?P<space>\s*)\[(?P<codes>[^\]]*)(?P<closed>\]?)"
_CODE: Final = r"\b[A-Z]+[0-9]+"
_NOQA: Final = r"#\s*noqa:\s*(?P<name>[a-z]+(?:-[a-z]+)+)"
_WORDS: Final = ("ignore", "ignore-file", "off", "on")
_ALIKE: Final = 0.8
"""How alike a word must be to one of these (`difflib`, 0 to 1) to have been meant for it."""


class Mistake(NamedTuple):
    """A comment that is no order.

    Attributes:
        line: where it stands, from 1.
        column: where its ``#`` is, from 0 in characters.
        end: column after it.
        why: what is wrong with it.
    """

    line: int
    column: int
    end: int
    why: str


def may_be_mistaken(source: Source, codes: Mapping[str, str]) -> bool:
    """Whether a file may hold such a comment, given the rules' codes by name."""
    text = source.text
    if re.search(_OURS, text, re.IGNORECASE):
        return True
    return any(match["name"].lower() in codes for match in re.finditer(_NOQA, text, re.IGNORECASE))


def mistakes(source: Source, orders: tuple[Directive, ...], codes: Mapping[str, str]) -> Iterator[Mistake]:
    """The comments of a file that were meant to silence, and do not.

    Args:
        source: the file.
        orders: its comments that do.
        codes: the rules' codes by name.
    """
    if not may_be_mistaken(source, codes):
        return
    obeyed = {(order.line, order.column) for order in orders}
    for line, column, comment in comments(source.text):
        for match in re.finditer(_OURS, comment, re.IGNORECASE):
            at = column + match.start()
            why = _why(match["word"], match["rest"], codes, other_tool=bool(match["tool"]))
            if why and (line, at) not in obeyed:
                yield Mistake(line, at, column + len(comment[: match.end()].rstrip()), why)
        for match in re.finditer(_NOQA, comment, re.IGNORECASE):
            code = codes.get(match["name"].lower())
            if code:
                why = f"noqa takes codes: write {code}"
                yield Mistake(line, column + match.start(), column + match.end(), why)


def _why(written: str, rest: str, codes: Mapping[str, str], *, other_tool: bool) -> str:
    """What is wrong with a comment that silences nothing; "" if it may be prose."""
    word, bracket = written.lower(), re.match(_BRACKET, rest)
    names_code = bracket is not None and re.search(_CODE, bracket["codes"], re.IGNORECASE) is not None
    ends = not rest.strip()
    if other_tool:
        return f"write # overhead: {word}" if word in _WORDS and (bracket or ends) else ""
    if word not in _WORDS:
        if ends and word.upper() in codes.values():
            return f"write ignore[{word.upper()}]"
        near = nearest(word, _WORDS, cutoff=_ALIKE)
        if names_code or (ends and near.startswith("ignore")):
            hint = f"did you mean {near}?" if near else f"there are {', '.join(_WORDS)}"
            return f"unknown word {written!r}: {hint}"
        return ""
    if bracket is None or (bracket["space"] and not names_code):
        return ""
    if not bracket["closed"]:
        return "its bracket is not closed"
    return "a reason needs -- ahead of it" if names_code else "its brackets name no rule"
