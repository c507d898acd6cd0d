"""Positions, findings and edits, as the Language Server Protocol has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types as lsp

from overhead_lint.rule import Heat, TextEdit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhead_lint.rule import Finding
    from overhead_lint.source import Source, SourceError

__all__ = ["Encoding", "changed", "diagnostic", "edits", "range_of", "syntax_error"]

Encoding = lsp.PositionEncodingKind
_NAME: Final = "overhead-lint"
_CODECS: Final = {
    Encoding.Utf8: ("utf-8", 1),
    Encoding.Utf16: ("utf-16-le", 2),
    Encoding.Utf32: ("utf-32-le", 4),
}


def diagnostic(finding: Finding, source: Source, encoding: Encoding) -> lsp.Diagnostic:
    """A finding; its heat decides between a warning and an information."""
    heat, why = finding.warmth
    severity = lsp.DiagnosticSeverity.Information if heat <= Heat.PRESUMED else lsp.DiagnosticSeverity.Warning
    lines = [finding.message, *([f"help: {finding.help}"] if finding.help else []), f"{heat.label}: {why}"]
    return lsp.Diagnostic(
        range=range_of(finding, source, encoding),
        message="\n".join(lines),
        severity=severity,
        code=finding.code,
        source=_NAME,
    )


def syntax_error(error: SourceError, source: Source | None, encoding: Encoding) -> lsp.Diagnostic:
    """Why a file cannot be checked, at the place where that shows."""
    start = lsp.Position(max(0, error.line - 1), 0)
    if source is not None and error.line:
        start = _position(source, error.line, max(1, error.column), encoding)
    end = lsp.Position(start.line, start.character + 1)
    return lsp.Diagnostic(lsp.Range(start, end), error.message, lsp.DiagnosticSeverity.Error, source=_NAME)


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


def changed(source: Source, after: str, encoding: Encoding) -> list[lsp.TextEdit]:
    """One edit that makes another text of a source, common lines at both ends left out."""
    before, wanted = source.text.splitlines(keepends=True), after.splitlines(keepends=True)
    head = 0
    while head < min(len(before), len(wanted)) and before[head] == wanted[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(wanted)) - head and before[-1 - tail] == wanted[-1 - tail]:
        tail += 1
    start = sum(map(len, before[:head]))
    end = len(source.text) - sum(map(len, before[len(before) - tail :]))
    text = "".join(wanted[head : len(wanted) - tail])
    return edits([TextEdit(start, end, text)], source, encoding)


def _position(source: Source, line: int, column: int, encoding: Encoding) -> lsp.Position:
    """A position from 1 in characters, as one from 0 in the units of the client."""
    codec, size = _CODECS[encoding]
    before = source.line_text(line)[: column - 1]
    return lsp.Position(line - 1, len(before.encode(codec, "surrogatepass")) // size)
