"""Keeps suppression comments few: finds those that silence nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from overhead_lint.rule import Applicability, Finding, Fix, Heat, Span, TextEdit, Warmth

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from overhead_lint.rule import Rule
    from overhead_lint.source import Source
    from overhead_lint.suppression import Directive, Suppressions

__all__ = ["UNUSED", "unused"]

UNUSED: Final = "OVH001"
"""Code of the rule about comments that silence nothing; the engine carries it out."""

_LETTERS: Final = r"[A-Z]*"  # compiled when it is asked for


def unused(source: Source, silenced: Suppressions, rules: Mapping[str, Rule]) -> Iterator[Finding]:
    """Findings of `UNUSED`: comments, or codes in them, that silenced nothing.

    Args:
        source: the file.
        silenced: its comments, asked about all findings of all rules.
        rules: all rules that ran, by code. Codes of others are not ours to judge, nor is a bare ``# noqa``.
    """
    ours = {_letters(code) for code in rules}
    kept_by = [directive for directive in silenced.directives if UNUSED in directive.prefixes]
    for directive in silenced.directives:
        if any(_reaches(other, directive.line) for other in kept_by):
            continue
        if directive.word == "on":
            if not any(other.until == directive.line for other in silenced.directives):
                yield _finding(source, directive, (), "no # overhead: off above it is open")
            continue
        idle = [
            prefix
            for prefix in directive.prefixes
            if (directive, prefix) not in silenced.used
            and (_letters(prefix) in ours if prefix else directive.word != "noqa")
        ]
        if idle:
            kept = tuple(prefix for prefix in directive.prefixes if prefix not in idle)
            named = ", ".join(prefix for prefix in idle if prefix) or "any rule"
            yield _finding(source, directive, kept, f"there is no finding of {named} to silence")


def _reaches(directive: Directive, line: int) -> bool:
    """Whether a comment is about a line: its own, those that follow ``off``, or all of the file."""
    if directive.word == "off":
        return directive.line <= line < directive.until
    return directive.word == "ignore-file" or directive.line == line


def _letters(code: str) -> str:
    match = re.match(_LETTERS, code)
    return match.group() if match else ""


def _finding(source: Source, directive: Directive, kept: Sequence[str], why: str) -> Finding:
    span = Span(directive.line, directive.column + 1, directive.line, directive.end + 1)
    what = f"{directive.word} comment is not needed: {why}"
    warmth = Warmth(Heat.COLD, "a comment does not run")
    fix = _shortened(source, directive, kept) if kept else _removed(source, directive)
    return Finding(
        source.path,
        span,
        UNUSED,
        "unused-suppression",
        what,
        warmth,
        f"{fix.message}, so that it hides nothing later",
        fix,
    )


def _shortened(source: Source, directive: Directive, kept: Sequence[str]) -> Fix:
    """The fix that takes the other codes out of a comment."""
    start = source.starts[directive.line - 1]
    text = source.line_text(directive.line)[directive.column : directive.end]
    bracket = directive.word != "noqa"
    head = text[: text.index("[" if bracket else ":") + 1]
    codes = f"{', '.join(kept)}]" if bracket else f" {', '.join(kept)}"
    edit = TextEdit(start + directive.column, start + directive.end, head + codes)
    return Fix(Applicability.SAFE, "take the codes out of the comment", (edit,))


def _removed(source: Source, directive: Directive) -> Fix:
    """The fix that removes a comment; unsafe if a reason goes with it."""
    line, start = source.line_text(directive.line), source.starts[directive.line - 1]
    following = line.find("#", directive.end)
    end = len(line) if following < 0 else following
    reason = line[directive.end : end].strip(" \t-:;,.")
    first = directive.column if following >= 0 else len(line[: directive.column].rstrip())
    if following < 0 and not line[: directive.column].strip():
        last = source.starts[directive.line] if directive.line < len(source.starts) else start + len(line)
        edit = TextEdit(start, last, "")
    else:
        edit = TextEdit(start + first, start + end, "")
    applicability = Applicability.UNSAFE if reason else Applicability.SAFE
    return Fix(applicability, "remove the comment", (edit,))
