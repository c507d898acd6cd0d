"""Each finding with its source line, the reason for its heat, help, and what fixes it."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from overhead_lint.output.concise_format import headline
from overhead_lint.output.summary import summary
from overhead_lint.rule import Applicability, Finding, Heat

if TYPE_CHECKING:
    from overhead_lint.output import Report
    from overhead_lint.source import Source

__all__ = ["render"]

_FLAGS = {Applicability.SAFE: "--fix", Applicability.UNSAFE: "--fix --unsafe-fixes"}


def render(report: Report) -> str:
    """All findings, an empty line after each, then the summary."""
    blocks = [_finding(finding, report.sources[finding.path]) for finding in report.findings]
    return "\n\n".join([*blocks, summary(report)]) + "\n"


def _finding(finding: Finding, source: Source) -> str:
    number = str(finding.span.line)
    gutter = " " * len(number)
    lines = [headline(finding)]
    text = source.line_text(finding.span.line)
    if text:
        lines.append(f"{gutter} |")
        lines.append(f"{number} | {_printable(text)}")
        lines.append(f"{gutter} | {_underline(finding, text)}")
    if finding.warmth.heat > Heat.COLD:
        lines.append(f"{gutter} = heat: {finding.warmth.heat.label}: {finding.warmth.why}")
    if finding.help:
        lines.append(f"{gutter} = help: {finding.help}")
    if finding.fix is not None:
        fix = finding.fix
        shown = f"{fix.applicability.value} ({_FLAGS[fix.applicability]}): {fix.message}"
        lines.append(f"{gutter} = fix: {shown}")
    return "\n".join(lines)


def _underline(finding: Finding, text: str) -> str:
    """Carets under the marked characters; to the end of the line when the span goes on below."""
    span = finding.span
    end = span.end_column - 1 if span.end_line == span.line else len(text)
    start = span.column - 1
    before = "".join("\t" if char == "\t" else " " * _width(char) for char in text[:start])
    marked = sum(1 if char == "\t" else _width(char) for char in text[start:end])
    return before + "^" * max(marked, 1)


def _width(char: str) -> int:
    """Terminal columns that a character takes."""
    if unicodedata.combining(char) or unicodedata.category(char) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _printable(text: str) -> str:
    """A source line without characters that would move the cursor or change the terminal."""
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(char) == "Cc" and char != "\t" else char
        for char in text
    )
