"""Notebooks in an editor: findings by cell, fixes that stay in their cells, cells that come and go."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from .editor import FIX_ALL, Editor, edited_documents, serve

IMPORTS = "import torch\n%matplotlib inline"
TEXT = "# Training"
STEP = "def step(batch):\n    with torch.autocast('cuda'):\n        return model(batch).sum()"
LOOP = (
    "for batch in loader:\n    loss = step(batch)\n    loss.backward()\n    optimizer.step()\n    loss.item()"
)
CODES = (IMPORTS, TEXT, STEP, LOOP)
FIX_NOTEBOOK = f"notebook.{FIX_ALL}"


class Notebook:
    """A notebook that is open in an editor; its second cell is Markdown."""

    def __init__(self, editor: Editor, path: Path) -> None:
        self.editor = editor
        self.uri = path.as_uri()
        self.cells = [f"vscode-notebook-cell:{path.as_posix()}#W{number}" for number in range(4)]
        self.texts = dict(zip(self.cells, CODES, strict=True))

    async def shown(self, number: int) -> dict[str, list[lsp.Diagnostic]]:
        """What is published for so many cells."""
        found: dict[str, list[lsp.Diagnostic]] = {}
        while len(found) < number:
            published = await self.editor.next_published()
            found[published.uri] = list(published.diagnostics)
        return found

    async def open(self) -> dict[str, list[lsp.Diagnostic]]:
        """Open it."""
        kinds = (lsp.NotebookCellKind.Code, lsp.NotebookCellKind.Markup)
        cells = [lsp.NotebookCell(kinds[n == 1], uri) for n, uri in enumerate(self.cells)]
        document = lsp.NotebookDocument(self.uri, "jupyter-notebook", 1, cells)
        texts = [
            lsp.TextDocumentItem(uri, "python", 1, code)
            for uri, code in self.texts.items()
            if code is not TEXT
        ]
        self.editor.client.notebook_document_did_open(lsp.DidOpenNotebookDocumentParams(document, texts))
        return await self.shown(4)

    def change(self, **cells: object) -> None:
        """Tell of a change to the cells."""
        change = lsp.NotebookDocumentChangeEvent(cells=lsp.NotebookDocumentCellChanges(**cells))  # type: ignore[arg-type]
        named = lsp.VersionedNotebookDocumentIdentifier(2, self.uri)
        self.editor.client.notebook_document_did_change(lsp.DidChangeNotebookDocumentParams(named, change))

    def write(self, cell: int, text: str, version: int = 2) -> None:
        """Replace the text of a cell."""
        self.texts[self.cells[cell]] = text
        content = lsp.NotebookDocumentCellContentChanges(
            lsp.VersionedTextDocumentIdentifier(version, self.cells[cell]),
            [lsp.TextDocumentContentChangeWholeDocument(text)],
        )
        self.change(text_content=[content])


@pytest.fixture
def path(declared: Path) -> Path:
    """A notebook of a project, empty on disk."""
    (declared / "overhead-lint.toml").touch()
    path = declared / "a b.ipynb"
    path.write_text(json.dumps({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return path


def test_findings_are_shown_in_their_cells(path: Path) -> None:
    async def body(editor: Editor) -> None:
        notebook = Notebook(editor, path)
        shown = await notebook.open()
        assert {uri: [item.code for item in found] for uri, found in shown.items()} == {
            notebook.cells[0]: [],
            notebook.cells[1]: [],
            notebook.cells[2]: ["OVH101"],
            notebook.cells[3]: ["OVH404"],
        }
        (autocast,) = shown[notebook.cells[2]]
        assert (autocast.range.start, autocast.range.end) == (lsp.Position(1, 9), lsp.Position(1, 31))
        assert "cell 4:1 loop over loader" in autocast.message
        document = lsp.TextDocumentIdentifier(notebook.cells[2])
        hover = lsp.HoverParams(document, lsp.Position(1, 12))
        page = await editor.client.text_document_hover_async(hover)
        assert page is not None and "OVH101" in str(page.contents)

    serve(body, path.parent)


def test_fixes_stay_in_their_cells_and_an_import_joins_the_others(path: Path) -> None:
    async def body(editor: Editor) -> None:
        notebook = Notebook(editor, path)
        await notebook.open()
        fix, ignore, everything = await editor.actions(notebook.cells[2], 1)
        fixed = {
            notebook.cells[0]: "import torch\nfrom overhead_lint import runtime\n%matplotlib inline",
            notebook.cells[2]: STEP.replace("torch.autocast", "runtime.autocast"),
        }
        assert edited_documents(notebook.texts, fix) == fixed
        assert edited_documents(notebook.texts, ignore) == {
            notebook.cells[2]: STEP.replace("'cuda'):", "'cuda'):  # overhead: ignore[OVH101]")
        }
        assert everything.kind == FIX_ALL
        assert edited_documents(notebook.texts, everything) == fixed
        (whole,) = await editor.actions(notebook.cells[0], 0, ["notebook.source.fixAll"])
        assert (whole.kind, edited_documents(notebook.texts, whole)) == (FIX_NOTEBOOK, fixed)
        assert await editor.actions(notebook.cells[0], 0, ["quickfix"]) == []

    serve(body, path.parent)


def test_findings_follow_cells_that_change_and_go(path: Path) -> None:
    async def body(editor: Editor) -> None:
        notebook = Notebook(editor, path)
        await notebook.open()
        notebook.write(2, "def step(:\n    pass")
        broken = await notebook.shown(4)
        (error,) = broken[notebook.cells[2]]
        assert (error.severity, error.range.start) == (lsp.DiagnosticSeverity.Error, lsp.Position(0, 0))
        assert broken[notebook.cells[3]] == []
        notebook.write(2, STEP, 3)
        assert len((await notebook.shown(4))[notebook.cells[2]]) == 1
        gone = [lsp.TextDocumentIdentifier(notebook.cells[3])]
        notebook.change(
            structure=lsp.NotebookDocumentCellChangeStructure(
                lsp.NotebookCellArrayChange(3, 1), did_close=gone
            )
        )
        assert not (await notebook.editor.next_published()).diagnostics
        assert all(not found for found in (await notebook.shown(3)).values()), "nothing calls step() now"
        named = lsp.NotebookDocumentIdentifier(notebook.uri)
        closed = [lsp.TextDocumentIdentifier(uri) for uri in (notebook.cells[0], notebook.cells[2])]
        editor.client.notebook_document_did_close(lsp.DidCloseNotebookDocumentParams(named, closed))
        assert set(await notebook.shown(2)) == {notebook.cells[0], notebook.cells[2]}

    serve(body, path.parent)


def test_a_notebook_that_is_open_as_text_is_left_alone(path: Path) -> None:
    other = path.parent / "m.py"

    async def body(editor: Editor) -> None:
        document = lsp.TextDocumentItem(path.as_uri(), "json", 1, path.read_text())
        editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))
        assert await editor.open(other, "def f(:\n") != []

    serve(body, path.parent)
