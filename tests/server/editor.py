"""An editor that talks to the language server over its standard input and output.

Servers are forks of a process that has imported what they do: pygls takes longer than most conversations.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from warm_python import connected, forks

__all__ = ["FIX_ALL", "Editor", "applied", "edited_documents", "serve"]

T = TypeVar("T")
_SERVER: Final = ("-m", "overhead_lint", "server")
_TAKES_LONG: Final = ("overhead_lint.cli.main", "overhead_lint.server.app")
FIX_ALL = "source.fixAll.overheadLint"


class Editor:
    """A client that remembers what the server published, and waits for it."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.published: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()
        self.shown: list[str] = []
        self.watched: list[str] = []

    async def next_published(self) -> lsp.PublishDiagnosticsParams:
        """What is published next, with its document."""
        return await asyncio.wait_for(self.published.get(), 60)

    async def diagnostics(self) -> list[lsp.Diagnostic]:
        """What is published next."""
        return list((await self.next_published()).diagnostics)

    async def open(self, path: Path, text: str) -> list[lsp.Diagnostic]:
        """Open a document."""
        document = lsp.TextDocumentItem(path.as_uri(), "python", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))
        return await self.diagnostics()

    async def change(self, path: Path, text: str, version: int) -> list[lsp.Diagnostic]:
        """Replace the text of a document."""
        document = lsp.VersionedTextDocumentIdentifier(version, path.as_uri())
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [whole]))
        return await self.diagnostics()

    async def close(self, path: Path) -> None:
        """Close a document, of which nothing is told from then on."""
        document = lsp.TextDocumentIdentifier(path.as_uri())
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(document))
        assert await self.diagnostics() == []

    async def actions(
        self, document: Path | str, line: int, only: list[str] | None = None
    ) -> list[lsp.CodeAction]:
        """Code actions for a line from 0 of a file, or of the document with an address."""
        where = lsp.Range(lsp.Position(line, 0), lsp.Position(line, 0))
        context = lsp.CodeActionContext([], only=only)
        uri = document if isinstance(document, str) else document.as_uri()
        found = await self.client.text_document_code_action_async(
            lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), where, context)
        )
        return [action for action in found or () if isinstance(action, lsp.CodeAction)]


def serve(
    body: Callable[[Editor], Awaitable[T]],
    root: Path,
    options: object = None,
    encodings: list[lsp.PositionEncodingKind | str] | None = None,
) -> T:
    """Start a server, run a conversation with it, and stop it."""

    async def conversation() -> T:
        client = LanguageClient("tests", "1")
        editor = Editor(client)

        def published(parameters: lsp.PublishDiagnosticsParams) -> None:
            editor.published.put_nowait(parameters)

        def shown(parameters: lsp.ShowMessageParams) -> None:
            editor.shown.append(parameters.message)

        client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(published)

        def registered(parameters: lsp.RegistrationParams) -> None:
            for one in parameters.registrations:
                options: Any = one.register_options  # as JSON has them
                editor.watched += [watcher["globPattern"] for watcher in options["watchers"]]

        client.feature(lsp.WINDOW_SHOW_MESSAGE)(shown)
        client.feature(lsp.CLIENT_REGISTER_CAPABILITY)(registered)
        ended = await _started(client)
        general = lsp.GeneralClientCapabilities(position_encodings=encodings)
        watching = lsp.WorkspaceClientCapabilities(
            did_change_watched_files=lsp.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
        )
        notebooks = lsp.NotebookDocumentClientCapabilities(lsp.NotebookDocumentSyncClientCapabilities())
        parameters = lsp.InitializeParams(
            lsp.ClientCapabilities(watching, general=general, notebook_document=notebooks),
            root_uri=root.as_uri(),
            initialization_options=options,
        )
        await asyncio.wait_for(client.initialize_async(parameters), 60)
        client.initialized(lsp.InitializedParams())
        result = await body(editor)
        await client.shutdown_async(None)
        client.exit(None)
        await asyncio.wait_for(client.stop(), 30)  # type: ignore[no-untyped-call]
        assert ended() == 0
        return result

    return asyncio.run(conversation())


async def _started(client: LanguageClient) -> Callable[[], int | None]:
    """Start a server and connect a client with it; gives what tells the status that it ended with."""
    if not forks():
        await client.start_io(sys.executable, *_SERVER)
        process = client._server
        assert process is not None
        return lambda: process.returncode
    with socket.create_server(("127.0.0.1", 0)) as listening:
        await client.start_tcp(*listening.getsockname())
        theirs, _ = listening.accept()
    with theirs:
        return connected(theirs, *_SERVER, modules=_TAKES_LONG)


def applied(text: str, action: lsp.CodeAction) -> str:
    """A text of ASCII characters after an action that edits one document."""
    (edited,) = edited_documents({"": text}, action, any_name=True).values()
    return edited


def edited_documents(
    texts: dict[str, str], action: lsp.CodeAction, *, any_name: bool = False
) -> dict[str, str]:
    """Texts of ASCII characters, by address, after an action; only those that it edits."""
    assert action.edit is not None and action.edit.document_changes is not None
    done = {}
    for change in action.edit.document_changes:
        assert isinstance(change, lsp.TextDocumentEdit)
        uri = "" if any_name else change.text_document.uri
        done[uri] = _edited(texts[uri], change)
    assert len(done) == len(action.edit.document_changes)
    return done


def _edited(text: str, change: lsp.TextDocumentEdit) -> str:
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for edit in sorted(change.edits, key=lambda edit: edit.range.start, reverse=True):
        assert isinstance(edit, lsp.TextEdit)
        start, end = (starts[at.line] + at.character for at in (edit.range.start, edit.range.end))
        text = text[:start] + edit.new_text + text[end:]
    return text
