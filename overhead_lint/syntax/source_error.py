"""Why a source cannot be checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.errors import on_one_line

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["NotSource", "SourceError"]


class SourceError(Exception):
    """A file that cannot be checked.

    Args:
        path: the file, as it was named.
        line: line from 1, or 0 where the whole file is meant.
        column: column from 1 in characters, in the cell where there is one, or 0.
        message: what is wrong, in one line, without the position.
        cell: of a notebook the cell and the line in it, both from 1, where one is to blame.
    """

    def __init__(
        self, path: Path, line: int, column: int, message: str, cell: tuple[int, int] | None = None
    ) -> None:
        super().__init__(path, line, column, message, cell)
        self.path = path
        self.line = line
        self.column = column
        self.message = message
        self.cell = cell

    def __str__(self) -> str:
        """The error as one line: ``path:line:column: message``, in a notebook with its cell."""
        place = f":{self.line}:{self.column}" if self.line else ""
        if self.cell is not None:
            place = f":cell {self.cell[0]}:{self.cell[1]}:{self.column}"
        return on_one_line(f"{self.path}{place}: {self.message}")


class NotSource(SourceError):
    """A file that nobody wrote by hand: binary, or huge. Where it was not named, it is left out."""
