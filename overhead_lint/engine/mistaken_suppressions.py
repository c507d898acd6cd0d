"""Comments that look as if they silenced something, and are none that do, or name no rule."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from overhead_lint.engine.suppression import comments, words_of
from overhead_lint.support.nearest import nearest
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from overhead_lint.engine.suppression import Directive
    from overhead_lint.syntax.source import Source

__all__ = ["Known", "Mistake", "may_be_meant", "may_be_mistaken", "mistakes", "written"]

# Expressions are compiled when they are asked for, as those of comments that silence.
_OURS: Final = r"#\s*overhead(?P<tool>-lint)?:\s*(?P<word>[a-z][\w-]*)(?P<rest>[^#]*)"
_BRACKET: Final = r"(?P<space>\s*)\[(?P<codes>[^\]]*)(?P<closed>\]?)"
_CODE: Final = r"\b[A-Z]+[0-9]+"
_MEANT: Final = rb"#\s*(?:noqa|overhead)"
_NOQA: Final = r"#\s*noqa:\s*(?P<name>[a-z]+(?:-[a-z]+)+)"
_WORDS: Final = ("ignore", "ignore-file", "off", "on")
_LETTERS: Final = r"[A-Z]*"
_ALIKE: Final = 0.8
"""How alike a word must be to one of these (`difflib`, 0 to 1) to have been meant for it."""


class Mistake(NamedTuple):
    """A comment that is no order.

    Attributes:
        line: where it stands, from 1.
        column: where its ``#`` is, from 0 in characters.
        end: column after it.
        why: what is wrong with it.
        word: of the order that was meant.
    """

    line: int
    column: int
    end: int
    why: str
    word: str = "ignore"


def may_be_meant(code: bytes) -> bool:
    """Whether the bytes of a file may hold a comment that silences, or is meant to, well spelled or not."""
    return re.search(_MEANT, code, re.IGNORECASE) is not None


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
                meant = nearest(match["word"].lower(), _WORDS, cutoff=_ALIKE) or "ignore"
                yield Mistake(line, at, column + len(comment[: match.end()].rstrip()), why, meant)
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
    prose = word in ("off", "on") or (bracket is not None and bracket["closed"])
    if bracket is None or (bracket["space"] and not names_code and prose):
        return ""
    if not bracket["closed"]:
        return "its bracket is not closed"
    return "a reason needs -- ahead of it" if names_code else "its brackets name no rule"


class Known:
    """Which of the words in comments are ours to judge, and which of them stand for rules.

    Args:
        codes: those of the rules, by name.
    """

    def __init__(self, codes: Mapping[str, str]) -> None:
        self.codes = codes
        self._letters = {_letters(code) for code in codes.values()}

    def has(self, word: str, directive: Directive) -> bool:
        """Whether a word stands for rules that ran. A bare ``# noqa`` is about everybody's."""
        if not word:
            return directive.word != "noqa"
        return word.lower() in self.codes or self._begins_code(word)

    def has_not(self, word: str, directive: Directive) -> bool:
        """Whether it is meant for a rule that there is not, and not for one of another tool."""
        if not word or self.has(word, directive):
            return False
        if _letters(word.upper()) in self._letters:
            return True
        # What looks like a code may be that of a pack which is not installed; in brackets nothing else is.
        return directive.word != "noqa" and not (re.fullmatch(r"[A-Za-z]+[0-9]+", word) or word.isupper())

    def _begins_code(self, word: str) -> bool:
        start = word.upper()
        return _letters(start) in self._letters and any(
            code.startswith(start) for code in self.codes.values()
        )


def written(source: Source, directive: Directive) -> list[str]:
    """The codes and names of a comment as they are written; "" for all rules."""
    if directive.prefixes == ("",):
        return [""]
    text = source.line_text(directive.line)[directive.column : directive.end]
    bracket = directive.word != "noqa"
    return words_of(text[text.index("[" if bracket else ":") :], noqa=not bracket)


def _letters(code: str) -> str:
    match = re.match(_LETTERS, code)
    return match.group() if match else ""
