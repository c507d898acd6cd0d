"""The server itself: what it answers to which request."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from overhead_lint import __version__, packs
from overhead_lint.rule import Applicability
from overhead_lint.server import convert
from overhead_lint.server.documents import CannotCheck, Checked, Documents
from overhead_lint.server.views import CellsView, Document, View, notebook_text

if TYPE_CHECKING:
    from overhead_lint.rule import Finding
    from overhead_lint.source import Source

__all__ = ["make_server"]

FIX_ALL: Final = "source.fixAll.overheadLint"
FIX_NOTEBOOK: Final = f"notebook.{FIX_ALL}"
_NOTEBOOKS: Final = lsp.NotebookDocumentSyncOptions(
    [lsp.NotebookDocumentFilterWithNotebook("jupyter-notebook", cells=[lsp.NotebookCellLanguage("python")])],
    save=True,
)


def make_server() -> LanguageServer:
    """A server with all its features, not started."""
    server = _Server("overhead-lint", __version__, notebook_document_sync=_NOTEBOOKS)
    kinds = [lsp.CodeActionKind.QuickFix, FIX_ALL, FIX_NOTEBOOK]
    _register(server, lsp.INITIALIZE, server.begin)
    _register(server, lsp.TEXT_DOCUMENT_DID_OPEN, server.opened)
    _register(server, lsp.TEXT_DOCUMENT_DID_CHANGE, server.changed)
    _register(server, lsp.TEXT_DOCUMENT_DID_SAVE, server.saved)
    _register(server, lsp.TEXT_DOCUMENT_DID_CLOSE, server.closed)
    _register(server, lsp.NOTEBOOK_DOCUMENT_DID_OPEN, server.notebook_opened)
    _register(server, lsp.NOTEBOOK_DOCUMENT_DID_CHANGE, server.notebook_changed)
    _register(server, lsp.NOTEBOOK_DOCUMENT_DID_SAVE, server.saved)
    _register(server, lsp.NOTEBOOK_DOCUMENT_DID_CLOSE, server.notebook_closed)
    _register(server, lsp.TEXT_DOCUMENT_HOVER, server.hover)
    _register(server, lsp.TEXT_DOCUMENT_CODE_ACTION, server.actions, lsp.CodeActionOptions(kinds))
    return server


def _register(
    server: LanguageServer, feature: str, method: Callable[[Any], object], options: object = None
) -> None:
    def handler(parameters: Any) -> object:  # pygls marks what it registers, which a method cannot bear
        return method(parameters)

    server.feature(feature, options)(handler)


class _Server(LanguageServer):
    """Its methods are registered as features; pygls calls them in one thread."""

    def __init__(self, name: str, version: str, **options: Any) -> None:
        super().__init__(name, version, **options)
        self._documents = Documents()
        self._complaint = ""

    @property
    def _encoding(self) -> convert.Encoding:
        return convert.Encoding(self.workspace.position_encoding)

    def begin(self, parameters: object) -> None:
        """Take the options of the client."""
        # pygls calls this once more when the client is ready, with parameters of another class.
        if not isinstance(parameters, lsp.InitializeParams):
            return
        options = parameters.initialization_options
        project = options.get("project", True) if isinstance(options, dict) else True
        if not isinstance(project, bool):
            self._complain(f"initializationOptions: project takes true or false, not {project!r}")
        self._documents = Documents(project=bool(project))

    def opened(self, parameters: lsp.DidOpenTextDocumentParams) -> None:
        """Check a document that was opened."""
        self._publish(parameters.text_document.uri)

    def changed(self, parameters: lsp.DidChangeTextDocumentParams) -> None:
        """Check a document that was changed."""
        self._publish(parameters.text_document.uri)

    def saved(self, parameters: lsp.DidSaveTextDocumentParams | lsp.DidSaveNotebookDocumentParams) -> None:
        """Check all documents anew: what was saved may be settings, or make others hot."""
        self._documents.forget()
        for document in list(self.workspace.text_documents.values()):
            if self.workspace.get_notebook_document(cell_uri=document.uri) is None:
                self._publish(document.uri)
        for notebook in list(self.workspace.notebook_documents.values()):
            self._publish_notebook(notebook)

    def closed(self, parameters: lsp.DidCloseTextDocumentParams) -> None:
        """Take back what was found in a document."""
        uri = parameters.text_document.uri
        self._documents.close(uri)
        self._show(uri, [])

    def notebook_opened(self, parameters: lsp.DidOpenNotebookDocumentParams) -> None:
        """Check a notebook that was opened."""
        self._publish_notebook(parameters.notebook_document)

    def notebook_changed(self, parameters: lsp.DidChangeNotebookDocumentParams) -> None:
        """Check a notebook whose cells were changed, added, moved or removed."""
        cells = parameters.change.cells
        for gone in (cells.structure.did_close if cells and cells.structure else None) or ():
            self._show(gone.uri, [])
        notebook = self.workspace.get_notebook_document(notebook_uri=parameters.notebook_document.uri)
        if notebook is not None:
            self._publish_notebook(notebook)

    def notebook_closed(self, parameters: lsp.DidCloseNotebookDocumentParams) -> None:
        """Take back what was found in a notebook."""
        self._documents.close(parameters.notebook_document.uri)
        for cell in parameters.cell_text_documents:
            self._show(cell.uri, [])

    def hover(self, parameters: lsp.HoverParams) -> lsp.Hover | None:
        """The page of the rule of the finding under the cursor."""
        uri, place = parameters.text_document.uri, parameters.position
        checked, view = self._check(uri)
        for finding in checked.findings:
            document, where = view.place(finding)
            if document == uri and where.start <= place <= where.end:
                page = _page(finding.code)
                return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, page), where) if page else None
        return None

    def actions(self, parameters: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """Fixes and comments for the findings on the lines that were asked for; all safe fixes."""
        uri = parameters.text_document.uri
        checked, view = self._check(uri)
        if checked.source is None:
            return []
        wanted = parameters.context.only
        first, last = (view.line(uri, at.line) for at in (parameters.range.start, parameters.range.end))
        found: list[lsp.CodeAction] = []
        if _asked(lsp.CodeActionKind.QuickFix, wanted):
            for finding in checked.findings:
                if finding.span.line <= last and first <= finding.span.end_line:
                    found += self._quick_fixes(finding, checked.source, view)
        kinds = (FIX_ALL, FIX_NOTEBOOK) if wanted else (FIX_ALL,)
        kind = next((kind for kind in kinds if _asked(kind, wanted)), None)
        if kind is not None:
            found += self._fix_all(kind, checked, view)
        return found

    def _quick_fixes(self, finding: Finding, source: Source, view: View) -> Iterator[lsp.CodeAction]:
        from overhead_lint import fixer  # imports libcst
        from overhead_lint.silencer import silenced

        about = [convert.diagnostic(finding, view.place(finding)[1], source)]
        if finding.fix is not None:
            safe = finding.fix.applicability is Applicability.SAFE
            try:
                planned = fixer.plan(finding, source)
            except fixer.CannotFix:
                planned = ()
            if planned:
                title = f"{finding.code}: {finding.fix.message}{'' if safe else ' (unsafe)'}"
                quick_fix = lsp.CodeActionKind.QuickFix
                yield _action(title, quick_fix, view.edits(planned), about, preferred=safe)
        after = silenced(source, [finding], "")
        if after.text != source.text:
            title = f"{finding.code}: ignore it here"
            yield _action(title, lsp.CodeActionKind.QuickFix, view.changed(after.text), about)

    def _fix_all(self, kind: str, checked: Checked, view: View) -> Iterator[lsp.CodeAction]:
        from overhead_lint import fixer

        if checked.source is None or not any(_is_safe(finding) for finding in checked.findings):
            return
        result = fixer.fix_file(checked.source, self._documents.lint, unsafe=False, found=checked.findings)
        if result.changed:
            title = "Fix all that overhead-lint can fix safely"
            yield _action(title, kind, view.changed(result.after_text))

    def _publish(self, uri: str) -> None:
        self._show_all(*self._check(uri))

    def _publish_notebook(self, notebook: lsp.NotebookDocument) -> None:
        self._show_all(*self._check_notebook(notebook))

    def _show_all(self, checked: Checked, view: View) -> None:
        if checked.error is not None:
            shown = view.failure(checked.error)
        elif checked.source is not None:
            shown = view.diagnostics(checked.findings)
        else:
            return
        for uri, found in shown.items():
            self._show(uri, found, view.version(uri))

    def _show(self, uri: str, found: list[lsp.Diagnostic], version: int | None = None) -> None:
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, version))

    def _check(self, uri: str) -> tuple[Checked, View]:
        """What is in a document, or in the notebook that it is a cell of."""
        notebook = self.workspace.get_notebook_document(cell_uri=uri)
        if notebook is not None:
            return self._check_notebook(notebook)
        known = self.workspace.text_documents.get(unquote(uri))
        if known is None:  # asked about without having been opened
            return Checked("", None), View(Document(uri, None, None), None, self._encoding)
        document = Document(uri, known.version, known.source)
        path = to_fs_path(uri)
        is_json = path is not None and path.endswith(".ipynb")  # of a notebook that is open as text
        checked = self._check_text(uri, None if is_json else path, known.source)
        return checked, View(document, checked.source, self._encoding)

    def _check_notebook(self, notebook: lsp.NotebookDocument) -> tuple[Checked, View]:
        cells = [self._cell(cell) for cell in notebook.cells]
        path = to_fs_path(notebook.uri)
        named = path if path is not None and path.endswith(".ipynb") and cells else None
        checked = self._check_text(notebook.uri, named, notebook_text(cells))
        if not cells:
            cells = [Document(notebook.uri, notebook.version, None)]
        return checked, CellsView(cells, checked.source, self._encoding)

    def _cell(self, cell: lsp.NotebookCell) -> Document:
        # Markup and other languages are not synchronised, so their documents are not known.
        known = self.workspace.text_documents.get(unquote(cell.document))
        if known is None or cell.kind is not lsp.NotebookCellKind.Code or known.language_id != "python":
            return Document(cell.document, None, None)
        return Document(cell.document, known.version, known.source)

    def _check_text(self, uri: str, path: str | None, text: str) -> Checked:
        """What is in a text; nothing in one that is no file, or with settings that cannot be used."""
        if path is None:
            return Checked(text, None)
        try:
            checked = self._documents.check(uri, Path(path), text)
        except CannotCheck as error:
            self._complain(str(error))
            return Checked(text, None)
        self._complaint = ""
        return checked

    def _complain(self, text: str) -> None:
        """Show an error, once as long as it lasts."""
        if text != self._complaint:
            self._complaint = text
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, f"overhead-lint: {text}"))


def _asked(kind: str, wanted: object) -> bool:
    """Whether a kind of action was asked for: any is where none is named; ``source`` means ``source.x``."""
    if not isinstance(wanted, (list, tuple)) or not wanted:
        return True
    names = [str(getattr(one, "value", one)) for one in wanted]
    return any(kind == name or kind.startswith(f"{name}.") for name in names)


def _action(
    title: str,
    kind: str,
    changes: list[lsp.TextDocumentEdit],
    about: list[lsp.Diagnostic] | None = None,
    *,
    preferred: bool = False,
) -> lsp.CodeAction:
    edit = lsp.WorkspaceEdit(document_changes=list(changes))
    return lsp.CodeAction(title, kind, about, preferred or None, edit=edit)


def _is_safe(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.applicability is Applicability.SAFE


@cache
def _pages() -> dict[str, Path]:
    return {loaded.rule.code: loaded.page for loaded in packs.load() if loaded.page is not None}


def _page(code: str) -> str:
    path = _pages().get(code)
    return path.read_text(encoding="utf-8") if path is not None else ""
