"""What the editor shows while something takes long."""

from __future__ import annotations

import uuid
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from pygls.lsp.server import LanguageServer

__all__ = ["progress"]


@asynccontextmanager
async def progress(server: LanguageServer, title: str) -> AsyncIterator[None]:
    """Tell an editor that can show it that something goes on; it is not said how far it is.

    Args:
        server: what talks to the editor.
        title: what goes on.
    """
    window = server.client_capabilities.window
    if window is None or not window.work_done_progress:
        yield
        return
    token = f"overhead-lint {uuid.uuid4()}"
    try:
        await server.work_done_progress.create_async(token)
    except JsonRpcException:  # the editor does not want to
        yield
        return
    server.work_done_progress.begin(token, lsp.WorkDoneProgressBegin(title))
    try:
        yield
    finally:
        server.work_done_progress.end(token, lsp.WorkDoneProgressEnd())
