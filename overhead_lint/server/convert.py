"""Positions, findings and edits, as the Language Server Protocol has them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from lsprotocol import types as lsp

from overhead_lint.report.chain_places import chain_places
from overhead_lint.report.cost_texts import told
from overhead_lint.report.expected_cost import reference
from overhead_lint.report.place import reason
from overhead_lint.rule import Heat, Tier
from overhead_lint.server.rule_pages import page_uri
from overhead_lint.syntax.source import NEWLINE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from overhead_lint.rule import Finding, TextEdit
    from overhead_lint.syntax.source import Source
    from overhead_lint.syntax.source_error import SourceError

__all__ = ["NAME", "Encoding", "changed", "diagnostic", "edits", "range_of", "syntax_error"]

Encoding = lsp.PositionEncodingKind
NAME: Final = "overhead-lint"
_CODECS: Final = {
    Encoding.Utf8: ("utf-8", 1),
    Encoding.Utf16: ("utf-16-le", 2),
    Encoding.Utf32: ("utf-32-le", 4),
}


def diagnostic(finding: Finding, where: lsp.Range, source: Source | None) -> lsp.Diagnostic:
    """A finding; its tier decides between a warning and an information."""
    heat, cost = finding.warmth.heat, reference().cost(finding)
    why = reason(finding, {finding.path: source}) if source is not None else finding.warmth.why
    is_small = heat is Heat.PRESUMED or cost.tier in (Tier.MINOR, Tier.MICRO)
    severity = lsp.DiagnosticSeverity.Information if is_small else lsp.DiagnosticSeverity.Warning
    lines = [finding.message, *([f"help: {finding.help}"] if finding.help else []), f"cost: {told(cost)}"]
    page = page_uri(finding.code)
    return lsp.Diagnostic(
        range=where,
        message="\n".join([*lines, f"{heat.label}: {why}"]),
        severity=severity,
        code=finding.code,
        code_description=lsp.CodeDescription(page) if page is not None else None,
        source=NAME,
        related_information=list(_chain(finding)) or None,
        data={"tier": cost.tier.value, "seconds_per_step": cost.seconds},
    )


def _chain(finding: Finding) -> Iterator[lsp.DiagnosticRelatedInformation]:
    """The links of the chain that makes the place hot, for the editor to lead there."""
    for place in chain_places(finding.warmth):
        at = lsp.Position(place.line - 1, 0)
        uri = Path(place.path).absolute().as_uri()
        yield lsp.DiagnosticRelatedInformation(lsp.Location(uri, lsp.Range(at, at)), place.what)


def syntax_error(error: SourceError, source: Source | None, encoding: Encoding) -> lsp.Diagnostic:
    """Why a file cannot be checked, at the place where that shows."""
    start = lsp.Position(max(0, error.line - 1), 0)
    if source is not None and error.line:
        start = _position(source, error.line, max(1, error.column), encoding)
    end = lsp.Position(start.line, start.character + 1)
    return lsp.Diagnostic(lsp.Range(start, end), error.message, lsp.DiagnosticSeverity.Error, source=NAME)


def range_of(finding: Finding, source: Source, encoding: Encoding) -> lsp.Range:
    """Where a finding stands."""
    span = finding.span
    return lsp.Range(
        _position(source, span.line, span.column, encoding),
        _position(source, span.end_line, span.end_column, encoding),
    )


def edits(planned: Iterable[TextEdit], source: Source, encoding: Encoding) -> list[lsp.TextEdit]:
    """Text edits of a source."""
    return [
        lsp.TextEdit(
            lsp.Range(*(_position(source, *source.position(offset), encoding) for offset in edit[:2])),
            edit.text,
        )
        for edit in planned
    ]


def changed(before: str, after: str, encoding: Encoding) -> lsp.TextEdit:
    """One edit that makes another text, common lines at both ends left out."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    kept = len("".join(old[: len(old) - tail]))
    where = (_at(before, len("".join(old[:head])), encoding), _at(before, kept, encoding))
    return lsp.TextEdit(lsp.Range(*where), "".join(new[head : len(new) - tail]))


def _at(text: str, offset: int, encoding: Encoding) -> lsp.Position:
    """The position of an offset in a text; lines end as Python's do."""
    lines = NEWLINE.split(text[:offset])
    return lsp.Position(len(lines) - 1, _units(lines[-1], encoding))


def _position(source: Source, line: int, column: int, encoding: Encoding) -> lsp.Position:
    """A position from 1 in characters, as one from 0 in the units of the client."""
    return lsp.Position(line - 1, _units(source.line_text(line)[: column - 1], encoding))


def _units(text: str, encoding: Encoding) -> int:
    codec, size = _CODECS[encoding]
    return len(text.encode(codec, "surrogatepass")) // size
