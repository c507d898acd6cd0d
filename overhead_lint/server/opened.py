"""A document or a notebook as the editor has it open at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from overhead_lint.discovery.walking import is_skipped
from overhead_lint.server.views import CellsView, Document, View, notebook_text

if TYPE_CHECKING:
    from pygls.workspace import TextDocument, Workspace

    from overhead_lint.server.convert import Encoding
    from overhead_lint.syntax.source import Source

__all__ = ["UNTITLED", "Opened", "opened"]

UNTITLED: Final = "untitled:"
"""What addresses of buffers begin with that were never saved."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What the editor has open under one address.

    Attributes:
        uri: of the document, or of the notebook.
        path: of its file, or of one that it may be saved as; None for what is not to be checked.
        text: all of it; of a notebook its JSON.
        documents: it, or the cells of the notebook.
        is_notebook: whether it is one.
    """

    uri: str
    path: str | None
    text: str
    documents: tuple[Document, ...]
    is_notebook: bool

    def view(self, source: Source | None, encoding: Encoding) -> View:
        """It with the text that was checked, in the units that the client counts columns in."""
        if self.is_notebook:
            return CellsView(self.documents, source, encoding)
        return View(self.documents[0], source, encoding)


def opened(workspace: Workspace, uri: str) -> Opened | None:
    """What is open under an address; for a cell its notebook. None if nothing is.

    Args:
        workspace: the editor's documents.
        uri: of a document, a notebook or a cell.
    """
    notebook = workspace.get_notebook_document(notebook_uri=uri) or workspace.get_notebook_document(
        cell_uri=uri
    )
    if notebook is not None:
        return _notebook(workspace, notebook)
    known = workspace.text_documents.get(unquote(uri))
    if known is None:  # asked about without having been opened
        return None
    path = to_fs_path(uri)
    if path is None and uri.startswith(UNTITLED) and known.language_id == "python":
        # The settings of the folder that is open count for what may be saved there.
        path = str(Path(workspace.root_path or "", uri.replace("/", "_")))
    document = Document(uri, known.version, known.source)
    named = (
        None if path is None or not _is_python(known, path) or _is_left_out(workspace, Path(path)) else path
    )
    return Opened(uri, named, known.source, (document,), is_notebook=False)


def _is_python(document: TextDocument, path: str) -> bool:
    """Whether a document holds Python by what the editor says, or by its name where it says nothing."""
    if path.endswith(".ipynb"):  # of a notebook that is open as text
        return False
    return document.language_id == "python" or (not document.language_id and path.endswith(".py"))


def _is_left_out(workspace: Workspace, path: Path) -> bool:
    """Whether a file lies in a folder that a run over the open folders does not enter: it is a library's."""
    addresses = (*workspace.folders, workspace.root_uri or "")
    folders = [Path(folder) for folder in map(to_fs_path, addresses) if folder]
    if not folders:
        return False
    around = [folder for folder in folders if path.is_relative_to(folder)]
    below = path.relative_to(max(around, key=lambda folder: len(folder.parts))) if around else path
    return any(map(is_skipped, below.parts[:-1]))


def _notebook(workspace: Workspace, notebook: lsp.NotebookDocument) -> Opened:
    cells = tuple(_cell(workspace, cell) for cell in notebook.cells)
    path = to_fs_path(notebook.uri)
    named = path if path is not None and path.endswith(".ipynb") and cells else None
    shown = cells or (Document(notebook.uri, notebook.version, None),)
    return Opened(notebook.uri, named, notebook_text(cells), shown, is_notebook=True)


def _cell(workspace: Workspace, cell: lsp.NotebookCell) -> Document:
    # Markup and other languages are not synchronised, so their documents are not known.
    known = workspace.text_documents.get(unquote(cell.document))
    if known is None or cell.kind is not lsp.NotebookCellKind.Code or known.language_id != "python":
        return Document(cell.document, None, None)
    return Document(cell.document, known.version, known.source)
