"""Comments that silence findings: on a line, in a block, in a file.

| comment | silences |
|---|---|
| ``# noqa``, ``# noqa: OVH101`` | its line |
| ``# overhead: ignore``, ``# overhead: ignore[OVH101]`` | its line |
| ``# overhead: off``, ``# overhead: off[OVH101]`` | the lines up to ``# overhead: on``, or to the end |
| ``# overhead: ignore-file``, ``# overhead: ignore-file[OVH101]`` | the file |
| ``# flake8: noqa``, ``# ruff: noqa: OVH101``, on a line of their own | the file |

In brackets the name of a rule stands for its code.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Final

from overhead_lint.syntax.statements import last_lines, spans_block
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable, Iterator

    from overhead_lint.rule import Finding
    from overhead_lint.syntax.source import Source

__all__ = [
    "CODES",
    "TRIGGERS",
    "Directive",
    "Suppressions",
    "comments",
    "may_name",
    "may_silence",
    "suppressions",
    "words_of",
]

TRIGGERS: Final = (b"noqa", b"overhead:")
"""What a file with such a comment holds, in lower case."""

# Expressions are compiled when they are asked for: most files have no such comment.
# A word behind the colon names a rule, if only in vain: whoever writes `OVH1O1` does not mean all rules.
_NAMED: Final = r"\w+(?:-[0-9]\w*)?"
_NOQA: Final = rf"#\s*(?P<word>noqa)(?P<codes>\s*:\s*{_NAMED}(?:[\s,]+[A-Z]+-?[0-9]\w*)*)?(?=\W|$)"
CODES: Final = r"(?P<codes>\[[^\]]*\]|\s+\[\s*[\w-]+(?:\s*[,;]\s*[\w-]+|\s+[A-Z]+[0-9]+)*\s*\])"
"""Codes and names in brackets, as an expression; behind a space no words that a reason may have."""
# What opens a bracket and does not close it is no order: least of all one that means all rules.
_OVERHEAD: Final = (
    r"#\s*overhead:\s*(?P<word>ignore-file|ignore|off|on)(?![\w-])"
    rf"(?:{CODES}|(?!\[|\s+\[\s*[A-Z]+[0-9]|\s+\[[^\]]*$))"
)
# `off` and `on` are words of prose, too: a text that goes on is none of ours.
_ALONE: Final = r"\s*(?:$|#|--)"
_NOQA_FILE: Final = (
    rf"#\s*(?:flake8|ruff)\s*[:=]\s*(?P<word>noqa)(?P<codes>\s*:\s*{_NAMED}(?:[\s,]+[A-Z]+-?[0-9]\w*)*)?\s*$"
)
"""What switches flake8 or Ruff off in a file: flake8 runs these rules, and who moves on keeps the comment."""
_CANDIDATE: Final = r"#\s*(?:noqa|overhead:|flake8|ruff)"
_LETTERS: Final = r"[A-Z]*"
_IN_BRACKETS: Final = r"\w[\w-]*"

# What a comment names when it names nothing: the empty prefix that every code has.
_EVERYTHING: Final = ("",)
_LAST_LINE: Final = 2**31
_OF_FILES: Final = frozenset({"ignore-file", "noqa-file"})
_OF_OTHERS: Final = frozenset({"noqa", "noqa-file"})


class Directive(NamedTuple):
    """One order in a comment.

    Attributes:
        word: ``noqa``, ``noqa-file``, ``ignore``, ``off``, ``on`` or ``ignore-file``.
        prefixes: of the codes that it silences, or names of rules, in upper case; none for ``on``.
        line: where it stands, from 1.
        column: where its ``#`` is, from 0 in characters.
        end: column after it.
        until: for ``off``, the line of the ``on`` that ends it.
    """

    word: str
    prefixes: tuple[str, ...]
    line: int
    column: int
    end: int
    until: int = _LAST_LINE


class Suppressions:
    """The suppression comments of one file, and which of them did something.

    Args:
        directives: all of the file, in order.
    """

    def __init__(self, directives: Iterable[Directive]) -> None:
        self.directives = tuple(directives)
        self.used: set[tuple[Directive, str]] = set()

    def silences(self, finding: Finding, tree: ast.Module, *, used: bool = True) -> bool:
        """Whether a comment on the finding's lines, where its statement ends, or around it names its code.

        Args:
            finding: the finding.
            tree: of its file.
            used: whether the comment is of use for silencing it.
        """
        if not self.directives:
            return False
        lines = _lines(finding, tree)
        silenced = False
        for directive in self.directives:
            if not _reaches(directive, finding, lines):
                continue
            for prefix in directive.prefixes:
                if finding.code.startswith(prefix) or finding.name.upper() == prefix:
                    silenced = True
                    if used:
                        self.used.add((directive, prefix))
        return silenced


def _reaches(directive: Directive, finding: Finding, lines: set[int]) -> bool:
    if directive.word == "off":
        return directive.line <= finding.span.line < directive.until
    return directive.word in _OF_FILES or directive.line in lines


def _lines(finding: Finding, tree: ast.Module) -> set[int]:
    """The lines on which a comment is about a finding."""
    span = finding.span
    lines = {span.line, *last_lines(tree, span.line)}
    if span.end_line - span.line < 1 or not spans_block(tree, span.line):
        lines.add(span.end_line)
    return lines


def may_silence(source: Source, found: Iterable[Finding], tree: ast.Module) -> bool:
    """Whether what looks like a comment of ours may silence one of these findings.

    It may stand in a string: to know costs more than the few files are worth that have such texts.
    """
    candidates = Suppressions(_candidates(source)) if _has_trigger(source) else None
    if candidates is None or not candidates.directives:
        return False
    return any(candidates.silences(finding, tree) for finding in found)


def may_name(source: Source, codes: Iterable[str]) -> bool:
    """Whether a file may hold a comment that is about rules with these codes, and not only those of others.

    A bare ``# noqa`` is about everybody's.
    """
    if not _has_trigger(source):
        return False
    letters = tuple({re.match(_LETTERS, code)[0] for code in codes})  # type: ignore[index]
    return any(
        directive.word not in _OF_OTHERS
        or any(prefix.startswith(letters) for prefix in directive.prefixes if prefix)
        for directive in _candidates(source)
    )


def _has_trigger(source: Source) -> bool:
    lower = source.code.lower()
    return any(trigger in lower for trigger in TRIGGERS)


def _candidates(source: Source) -> Iterator[Directive]:
    """What would be orders if it stood in comments."""
    text = source.text
    for match in re.finditer(_CANDIDATE, text, re.IGNORECASE):
        line, _ = source.position(match.start())
        column = match.start() - source.starts[line - 1]
        yield from _of_comment(source, line, column, source.line_text(line)[column:])


def suppressions(source: Source) -> Suppressions:
    """Find the suppression comments of a file; it is only tokenized when it may hold one."""
    if not _has_trigger(source):
        return Suppressions(())
    found: list[Directive] = []
    for line, column, comment in comments(source.text):
        for directive in _of_comment(source, line, column, comment):
            if directive.word == "on":
                found = [_ended(other, line) for other in found]
            if directive.prefixes or directive.word == "on":
                found.append(directive)
    return Suppressions(found)


def _ended(directive: Directive, line: int) -> Directive:
    if directive.word != "off" or directive.until != _LAST_LINE:
        return directive
    place = (directive.line, directive.column, directive.end)
    return Directive(directive.word, directive.prefixes, *place, line)


def comments(text: str) -> Iterator[tuple[int, int, str]]:
    """The comments of a text, each with its line (from 1) and its column (from 0)."""
    import tokenize  # rare, and it costs start-up time

    tokens = tokenize.generate_tokens(io.StringIO(text, newline=None).readline)
    try:
        for token in tokens:
            if token.type == tokenize.COMMENT:
                yield (*token.start, token.string)
    except (tokenize.TokenError, SyntaxError):
        # The pure-Python tokenizer refuses a few texts that the parser takes; what came before holds.
        return


def words_of(codes: str, *, noqa: bool) -> list[str]:
    """The codes and names in what follows the word of a comment, as they are written."""
    return re.findall(_NAMED if noqa else _IN_BRACKETS, codes, re.IGNORECASE)


def _of_comment(source: Source, line: int, column: int, comment: str) -> Iterator[Directive]:
    match = re.match(_NOQA_FILE, comment, re.IGNORECASE)
    if match is None:
        yield from _directives(line, column, comment)
    elif not source.line_text(line)[:column].strip():
        codes = match["codes"]
        prefixes = _EVERYTHING if codes is None else tuple(one.upper() for one in words_of(codes, noqa=True))
        yield Directive("noqa-file", prefixes, line, column, column + match.end())


def _directives(line: int, column: int, comment: str) -> Iterator[Directive]:
    for pattern in (_NOQA, _OVERHEAD):
        for match in re.finditer(pattern, comment, re.IGNORECASE):
            word, codes = match["word"].lower(), match["codes"]
            if word in ("off", "on") and not re.match(_ALONE, comment[match.end() :]):
                continue
            prefixes = (
                _EVERYTHING
                if codes is None
                else tuple(one.upper() for one in words_of(codes, noqa=word == "noqa"))
            )
            yield Directive(
                word, prefixes if word != "on" else (), line, column + match.start(), column + match.end()
            )
