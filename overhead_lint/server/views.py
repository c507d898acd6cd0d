"""A source as an editor shows it: as one document, or as the cells of a notebook, each a document."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from overhead_lint.edits.lines import splice
from overhead_lint.server import convert

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from overhead_lint.rule import Finding, TextEdit
    from overhead_lint.syntax.source import Source
    from overhead_lint.syntax.source_error import SourceError

__all__ = ["CellsView", "Document", "View", "notebook_text"]


@dataclass(frozen=True, slots=True)
class Document:
    """A text that is open in the editor.

    Attributes:
        uri: as the editor names it.
        version: the editor's number of this text.
        text: it; of a cell that holds no Python code None.
    """

    uri: str
    version: int | None
    text: str | None


class View:
    """A file that is one document.

    Args:
        document: it.
        source: its text as it was checked.
        encoding: the units that the client counts columns in.
    """

    def __init__(self, document: Document, source: Source | None, encoding: convert.Encoding) -> None:
        self._document = document
        self._source = source
        self._encoding = encoding

    def line(self, uri: str, line: int) -> int:
        """The line of the source (from 1) that a line of a document (from 0) is."""
        return line + 1

    def place(self, finding: Finding) -> tuple[str, lsp.Range]:
        """The document and the place in it of a finding."""
        assert self._source is not None
        return self._document.uri, convert.range_of(finding, self._source, self._encoding)

    def diagnostics(self, findings: Iterable[Finding]) -> Mapping[str, list[lsp.Diagnostic]]:
        """What to show of findings, by document; an empty list where nothing was found."""
        source = self._source
        return {
            self._document.uri: [convert.diagnostic(item, self.place(item)[1], source) for item in findings]
        }

    def failure(self, error: SourceError) -> Mapping[str, list[lsp.Diagnostic]]:
        """What to show of a source that cannot be checked."""
        return {self._document.uri: [convert.syntax_error(error, self._source, self._encoding)]}

    def edits(self, planned: Sequence[TextEdit]) -> list[lsp.TextDocumentEdit]:
        """Edits of the source, as edits of documents."""
        assert self._source is not None
        return [_edited(self._document, convert.edits(planned, self._source, self._encoding))]

    def changed(self, after: str) -> list[lsp.TextDocumentEdit]:
        """What makes another text of the source."""
        assert self._source is not None
        return [_edited(self._document, [convert.changed(self._source.text, after, self._encoding)])]

    def version(self, uri: str) -> int | None:
        """The editor's number of the text of a document."""
        return self._document.version


class CellsView(View):
    """A notebook, whose cells are documents.

    Args:
        cells: all of them, from top to bottom.
        source: the notebook as it was checked.
        encoding: the units that the client counts columns in.
    """

    def __init__(self, cells: Sequence[Document], source: Source | None, encoding: convert.Encoding) -> None:
        super().__init__(cells[0], source, encoding)
        self._cells = cells
        notebook = source.notebook if source is not None else None
        found = zip(notebook.cells, notebook.starts, strict=True) if notebook is not None else ()
        self._starts = {cells[cell.number - 1].uri: start for cell, start in found}

    def line(self, uri: str, line: int) -> int:
        """See `View`; 0 in a cell that was not checked."""
        return self._starts[uri] + line if uri in self._starts else 0

    def place(self, finding: Finding) -> tuple[str, lsp.Range]:
        """See `View`."""
        assert self._source is not None
        assert self._source.notebook is not None
        whole = convert.range_of(finding, self._source, self._encoding)
        cell, line = self._source.notebook.place(finding.span.line)
        up = finding.span.line - line
        start, end = (lsp.Position(at.line - up, at.character) for at in (whole.start, whole.end))
        return self._cells[cell - 1].uri, lsp.Range(start, end)

    def diagnostics(self, findings: Iterable[Finding]) -> Mapping[str, list[lsp.Diagnostic]]:
        """See `View`."""
        by_cell: dict[str, list[lsp.Diagnostic]] = {cell.uri: [] for cell in self._cells}
        for finding in findings:
            uri, where = self.place(finding)
            by_cell[uri].append(convert.diagnostic(finding, where, self._source))
        return by_cell

    def failure(self, error: SourceError) -> Mapping[str, list[lsp.Diagnostic]]:
        """See `View`."""
        number, line = error.cell or (1, 1)
        at = lsp.Range(lsp.Position(line - 1, 0), lsp.Position(line - 1, 1))
        shown = lsp.Diagnostic(at, error.message, lsp.DiagnosticSeverity.Error, source=convert.NAME)
        return {
            cell.uri: [shown] if position == number else [] for position, cell in enumerate(self._cells, 1)
        }

    def edits(self, planned: Sequence[TextEdit]) -> list[lsp.TextDocumentEdit]:
        """See `View`."""
        assert self._source is not None
        return self.changed(splice(self._source.text, tuple(planned)))

    def changed(self, after: str) -> list[lsp.TextDocumentEdit]:
        """See `View`."""
        assert self._source is not None
        assert self._source.notebook is not None
        notebook = self._source.notebook
        return [
            _edited(self._cells[cell.number - 1], [convert.changed(cell.text, code, self._encoding)])
            for cell, code in zip(notebook.cells, notebook.codes(after), strict=True)
            if code != cell.text
        ]

    def version(self, uri: str) -> int | None:
        """See `View`."""
        return next((cell.version for cell in self._cells if cell.uri == uri), None)


def notebook_text(cells: Iterable[Document]) -> str:
    """The JSON of a notebook with these cells."""
    return json.dumps(
        {
            "cells": [
                {"cell_type": "code" if cell.text is not None else "raw", "source": cell.text or ""}
                for cell in cells
            ],
            "metadata": {},
            "nbformat": 4,
        }
    )


def _edited(document: Document, edited: list[lsp.TextEdit]) -> lsp.TextDocumentEdit:
    named = lsp.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
    return lsp.TextDocumentEdit(named, list(edited))
