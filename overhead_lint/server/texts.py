"""Texts of documents, which change where the editor changed them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pygls import workspace

if TYPE_CHECKING:
    from lsprotocol.types import InitializeParams

__all__ = ["Workspace"]


class _Text(workspace.TextDocument):
    """A document whose lines end where the protocol says: after a line feed, a return, or both.

    For pygls a form feed ends one, too, and some rarer characters: an edit below one would be made in the
    wrong line.
    """

    @property
    def lines(self) -> Sequence[str]:
        """The lines with their ends."""
        return tuple(io.StringIO(self.source, newline=""))


class Workspace(workspace.Workspace):
    """The documents that an editor has open.

    Args:
        parameters: what the editor said at the start.
        stock: as pygls made it.
    """

    def __init__(self, parameters: InitializeParams, stock: workspace.Workspace) -> None:
        folders = parameters.workspace_folders
        super().__init__(stock.root_uri, workspace_folders=folders, position_encoding=stock.position_encoding)

    def _create_text_document(
        self,
        doc_uri: str,
        source: str | None = None,
        version: int | None = None,
        language_id: str | None = None,
    ) -> workspace.TextDocument:
        codec = self.position_codec
        return _Text(doc_uri, source, version, language_id, position_codec=codec)
