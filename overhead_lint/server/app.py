"""The server itself: what it answers to which request."""

from __future__ import annotations

import asyncio
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types as lsp
from pygls.exceptions import FeatureNotificationError
from pygls.lsp.server import LanguageServer

from overhead_lint import __version__
from overhead_lint.config.settings import OWN, SHARED
from overhead_lint.discovery.dependencies import DECLARING
from overhead_lint.engine import packs
from overhead_lint.engine.short_page import short_page
from overhead_lint.server import convert
from overhead_lint.server.actions import FIX_ALL, FIX_NOTEBOOK, actions
from overhead_lint.server.documents import CannotCheck, Checked, Documents
from overhead_lint.server.opened import Opened, opened
from overhead_lint.server.preparing import prepare
from overhead_lint.server.progress import progress
from overhead_lint.server.texts import Workspace
from overhead_lint.server.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping

    from overhead_lint.server.views import View

__all__ = ["Server", "make_server"]

_PAUSE: Final = 0.1
"""Seconds without a change after which a text is checked."""
_NOTEBOOKS: Final = lsp.NotebookDocumentSyncOptions(
    [lsp.NotebookDocumentFilterWithNotebook("jupyter-notebook", cells=[lsp.NotebookCellLanguage("python")])],
    save=True,
)


def make_server() -> Server:
    """A server with all its features, not started."""
    server = Server("overhead-lint", __version__, notebook_document_sync=_NOTEBOOKS)
    kinds = [lsp.CodeActionKind.QuickFix, FIX_ALL, FIX_NOTEBOOK]
    _register(server, lsp.INITIALIZE, server.begin)
    _register(server, lsp.INITIALIZED, server.ready)
    _register(server, lsp.SHUTDOWN, server.shut_down)
    _register(server, lsp.EXIT, server.end)
    _register(server, lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, server.saved)
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
    server: LanguageServer, feature: str, method: Callable[[Any], Any], options: object = None
) -> None:
    # pygls marks what it registers, which a method cannot bear, and runs coroutine functions as tasks.
    async def awaited(parameters: Any) -> object:
        return await method(parameters)

    def handler(parameters: Any) -> object:
        return method(parameters)

    server.feature(feature, options)(awaited if asyncio.iscoroutinefunction(method) else handler)


class Server(LanguageServer):
    """Its methods are registered as features; pygls calls them in the thread of its loop.

    Whatever takes longer is done by one other thread, so that the editor is heard in the meantime.

    Attributes:
        status: what the process is to end with: 1 if it was told to exit and not, before, to shut down.
    """

    def __init__(self, name: str, version: str, **options: Any) -> None:
        super().__init__(name, version, **options)
        self._documents = Documents()
        self._worker = Worker()
        self._due: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._preparing: set[Path] = set()
        self._complaint = ""
        self._is_shut_down = False
        self.status = 0

    @property
    def _encoding(self) -> convert.Encoding:
        return convert.Encoding(self.workspace.position_encoding)

    def begin(self, parameters: object) -> None:
        """Take the options of the client."""
        # pygls calls this once more when the client is ready, with parameters of another class.
        if not isinstance(parameters, lsp.InitializeParams):
            return
        self.protocol._workspace = Workspace(parameters, self.workspace)
        options = parameters.initialization_options
        project = options.get("project", True) if isinstance(options, dict) else True
        if not isinstance(project, bool):
            self._complain(f"initializationOptions: project takes true or false, not {project!r}")
        self._documents = Documents(project=bool(project))

    def ready(self, parameters: lsp.InitializedParams) -> None:
        """Ask the client to tell of settings files that are changed: it shows none of them to this server.

        And of those that declare dependencies, which decide what may be fixed.
        """
        workspace = self.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace is not None else None
        if watched is None or not watched.dynamic_registration:
            return
        options = lsp.DidChangeWatchedFilesRegistrationOptions(
            [lsp.FileSystemWatcher(f"**/{name}") for name in (OWN, SHARED, *DECLARING)]
        )
        wanted = lsp.Registration("settings", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        self.client_register_capability(lsp.RegistrationParams([wanted]))

    def shut_down(self, parameters: None) -> None:
        """Remember that the client announced the end."""
        self._is_shut_down = True

    def end(self, parameters: None) -> None:
        """Set the status that the protocol asks for: pygls keeps its own to itself."""
        self.status = 0 if self._is_shut_down else 1

    def opened(self, parameters: lsp.DidOpenTextDocumentParams) -> None:
        """Check a document that was opened."""
        self._check_soon(parameters.text_document.uri)

    def changed(self, parameters: lsp.DidChangeTextDocumentParams) -> None:
        """Check a document that was changed, unless more changes follow at once."""
        self._check_soon(parameters.text_document.uri, _PAUSE)

    def saved(
        self,
        parameters: lsp.DidSaveTextDocumentParams
        | lsp.DidSaveNotebookDocumentParams
        | lsp.DidChangeWatchedFilesParams,
    ) -> None:
        """Check all documents anew: what was saved may be settings, or make others hot."""
        self._start(self._check_all_after(self._documents.forget))

    def closed(self, parameters: lsp.DidCloseTextDocumentParams) -> None:
        """Take back what was found in a document."""
        self._forget(parameters.text_document.uri)
        self._show(parameters.text_document.uri, [])

    def notebook_opened(self, parameters: lsp.DidOpenNotebookDocumentParams) -> None:
        """Check a notebook that was opened."""
        self._check_soon(parameters.notebook_document.uri)

    def notebook_changed(self, parameters: lsp.DidChangeNotebookDocumentParams) -> None:
        """Check a notebook whose cells were changed, added, moved or removed."""
        cells = parameters.change.cells
        for gone in (cells.structure.did_close if cells and cells.structure else None) or ():
            self._show(gone.uri, [])
        self._check_soon(parameters.notebook_document.uri, _PAUSE)

    def notebook_closed(self, parameters: lsp.DidCloseNotebookDocumentParams) -> None:
        """Take back what was found in a notebook."""
        self._forget(parameters.notebook_document.uri)
        for cell in parameters.cell_text_documents:
            self._show(cell.uri, [])

    async def hover(self, parameters: lsp.HoverParams) -> lsp.Hover | None:
        """The page of the rule of the finding under the cursor."""
        uri, place = parameters.text_document.uri, parameters.position
        checked, view = await self._check(opened(self.workspace, uri))
        if view is None:
            return None
        for finding in checked.findings:
            document, where = view.place(finding)
            if document == uri and where.start <= place <= where.end:
                page = _page(finding.code)
                return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, page), where) if page else None
        return None

    async def actions(self, parameters: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """Fixes and comments for the findings on the lines that were asked for; all safe fixes."""
        checked, view = await self._check(opened(self.workspace, parameters.text_document.uri))
        if view is None or checked.source is None:
            return []
        found = partial(actions, parameters, checked.findings, checked.source, view, self._documents.lint)
        return await self._worker.do(found)

    def _start(self, task: Coroutine[Any, Any, None]) -> None:
        """Start what is not waited for."""
        started = asyncio.get_running_loop().create_task(task)
        self._tasks.add(started)  # the loop itself holds tasks weakly
        started.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = task.exception() if not task.cancelled() else None
        if isinstance(error, Exception):
            self.report_server_error(error, FeatureNotificationError)

    def _check_soon(self, uri: str, after: float = 0.0) -> None:
        """Check what is open under an address in some seconds, and not when that was due before."""
        self._cancel(uri)
        self._due[uri] = asyncio.get_running_loop().call_later(after, lambda: self._start(self._publish(uri)))

    def _cancel(self, uri: str) -> None:
        due = self._due.pop(uri, None)
        if due is not None:
            due.cancel()

    def _forget(self, uri: str) -> None:
        self._cancel(uri)
        self._start(self._worker.do(partial(self._documents.close, uri)))

    async def _check_all_after(self, change: Callable[[], None]) -> None:
        """Check all that is open, after a change to what is known."""
        await self._worker.do(change)
        # The keys of the workspace are unquoted; an editor knows a document by the address that it gave.
        open_ = [opened(self.workspace, one.uri) for one in self.workspace.text_documents.values()]
        books = [opened(self.workspace, one.uri) for one in self.workspace.notebook_documents.values()]
        for uri in dict.fromkeys(one.uri for one in (*open_, *books) if one is not None):
            self._check_soon(uri)

    async def _publish(self, uri: str) -> None:
        """Check what is open under an address, and show what was found."""
        before = opened(self.workspace, uri)
        checked, view = await self._check(before)
        now = opened(self.workspace, uri)
        if view is None or before is None or now is None or now.text != before.text:
            return  # closed, or changed, which has it checked again
        if checked.error is not None:
            self._show_all(view.failure(checked.error), view)
        elif checked.source is not None:
            self._show_all(view.diagnostics(checked.findings), view)
        await self._prepare_wanted()

    async def _prepare_wanted(self) -> None:
        wanted = await self._worker.do(lambda: set(self._documents.projects.wanted))
        for root in wanted - self._preparing:
            self._preparing.add(root)
            self._start(self._prepare(root))

    async def _prepare(self, root: Path) -> None:
        """Let another process look into a large project, then check its documents anew."""
        async with progress(self, f"overhead-lint: reading {root.name}"):
            kept = await prepare(root)
        if not kept:  # it stays among those that are wanted, and nobody looks into it again
            self._complain(f"{root}: nothing can be kept there, so each file is judged by itself")
            return
        self._preparing.discard(root)
        await self._check_all_after(partial(self._documents.prepared, root))

    async def _check(self, one: Opened | None) -> tuple[Checked, View | None]:
        """What is in a document or notebook; nothing in what is no file, or where settings are wrong."""
        if one is None:
            return Checked("", None), None
        checked = Checked(one.text, None)
        if one.path is not None:
            path = Path(one.path)
            try:
                checked = await self._worker.do(partial(self._documents.check, one.uri, path, one.text))
            except CannotCheck as error:
                self._complain(str(error))
            else:
                self._complaint = ""
        return checked, one.view(checked.source, self._encoding)

    def _show_all(self, shown: Mapping[str, list[lsp.Diagnostic]], view: View) -> None:
        for uri, found in shown.items():
            self._show(uri, found, view.version(uri))

    def _show(self, uri: str, found: list[lsp.Diagnostic], version: int | None = None) -> None:
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, version))

    def _complain(self, text: str) -> None:
        """Show an error, once as long as it lasts."""
        if text != self._complaint:
            self._complaint = text
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, f"overhead-lint: {text}"))


@cache
def _pages() -> dict[str, Path]:
    try:
        rules = packs.load()
    except packs.PackError:  # of a pack that the settings may leave out; they are none of a page's
        rules = packs.load(())
    return {loaded.rule.code: loaded.page for loaded in rules if loaded.page is not None}


def _page(code: str) -> str:
    path = _pages().get(code)
    return short_page(path.read_text(encoding="utf-8")) if path is not None else ""
