"""Keeps suppression comments few and right: finds those that silence nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.rule import Applicability, Finding, Fix, Heat, Span, TextEdit, Tier, Warmth

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from overhead_lint.engine.suppression import Directive, Suppressions
    from overhead_lint.rule import Rule
    from overhead_lint.syntax.source import Source

__all__ = ["UNUSED", "span_of", "unused"]

UNUSED: Final = "OVH001"
"""Code of the rule about comments that silence nothing; the engine carries it out."""


def unused(source: Source, silenced: Suppressions, rules: Mapping[str, Rule]) -> Iterator[Finding]:
    """Findings of `UNUSED`: comments, or codes in them, that silenced nothing.

    Args:
        source: the file.
        silenced: its comments, asked about all findings of all rules.
        rules: all rules that ran, by code. Codes of others are not ours to judge, nor is a bare ``# noqa``.
    """
    from overhead_lint.config.unknown_rule import unknown_rule
    from overhead_lint.engine.mistaken_suppressions import (  # kept results need neither
        Known,
        mistakes,
        written,
    )

    known = Known({rule.name.lower(): code for code, rule in rules.items()})
    names = {UNUSED, *(name.upper() for name, code in known.codes.items() if code == UNUSED)}
    kept_by = [directive for directive in silenced.directives if names.intersection(directive.prefixes)]
    for directive in silenced.directives:
        if directive.word == "noqa-file" or any(_reaches(other, directive.line) for other in kept_by):
            continue  # the first is there for another linter
        if directive.word == "on":
            if not any(other.until == directive.line for other in silenced.directives):
                yield _unneeded(source, directive, (), "no # overhead: off above it is open")
            continue
        words = written(source, directive)
        wrong = [one for one in words if known.has_not(one, directive)]
        used = {prefix for of, prefix in silenced.used if of == directive}
        idle = [one for one in words if one.upper() not in used and known.has(one, directive)]
        if wrong:
            kept = [one for one in words if one not in wrong]
            yield _misspelled(
                source, directive, kept, "; ".join(unknown_rule(one, known.codes) for one in wrong)
            )
        elif idle:
            kept = [one for one in words if one not in idle]
            named = ", ".join(one for one in idle if one) or "any rule"
            yield _unneeded(source, directive, kept, f"there is no finding of {named} to silence")
    for line, column, end, why, _ in mistakes(source, silenced.directives, known.codes):
        if not any(_reaches(other, line) for other in kept_by):
            what = f"comment silences nothing: {why}"
            yield _finding(
                source, Span(line, column + 1, line, end + 1), what, "correct it, or remove it", None
            )


def _text(source: Source, directive: Directive) -> str:
    return source.line_text(directive.line)[directive.column : directive.end]


def _reaches(directive: Directive, line: int) -> bool:
    """Whether a comment is about a line: its own, those that follow ``off``, or all of the file."""
    if directive.word == "off":
        return directive.line <= line < directive.until
    return directive.word == "ignore-file" or directive.line == line


def _unneeded(source: Source, directive: Directive, kept: Collection[str], why: str) -> Finding:
    fix = _shortened(source, directive, kept) if kept else _removed(source, directive)
    what = f"{directive.word} comment is not needed: {why}"
    return _finding(source, span_of(directive), what, f"{fix.message}, so that it hides nothing later", fix)


def _misspelled(source: Source, directive: Directive, kept: Collection[str], why: str) -> Finding:
    """What is said of a comment that names no rule; what was meant may be worth more than its removal."""
    fix = _shortened(source, directive, kept) if kept else _removed(source, directive)
    what = f"{directive.word} comment names no rule: {why}"
    unsafe = fix._replace(applicability=Applicability.UNSAFE)
    return _finding(source, span_of(directive), what, "correct it, or remove it", unsafe)


def span_of(directive: Directive) -> Span:
    """Where an order stands in its file."""
    return Span(directive.line, directive.column + 1, directive.line, directive.end + 1)


def _finding(source: Source, span: Span, what: str, help_: str, fix: Fix | None) -> Finding:
    warmth = Warmth(Heat.COLD, "a comment does not run")
    return Finding(
        source.path, span, UNUSED, "unused-suppression", what, warmth, help_, fix, tier=Tier.CORRECTNESS
    )


def _shortened(source: Source, directive: Directive, kept: Collection[str]) -> Fix:
    """The fix that takes the other codes out of a comment."""
    start = source.starts[directive.line - 1]
    text = _text(source, directive)
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
