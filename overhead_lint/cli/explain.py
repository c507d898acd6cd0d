"""``--explain-heat FILE:LINE``: why a place is as hot as it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.errors import Complaint
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError

if TYPE_CHECKING:
    from overhead_lint.workspace.workspace import Workspace

__all__ = ["explain"]


def explain(path: Path, line: int, cell: int, workspace: Workspace) -> list[str]:
    """Why the statement on a line is as hot as it is, line by line.

    Args:
        path: the file.
        line: from 1; of a notebook, in its cell.
        cell: of a notebook, from 1; 0 if none was named.
        workspace: of the project.

    Raises:
        Complaint: a cell of what is no notebook, or one that cannot be read.
        SourceError: the file cannot be read or parsed, or no statement stands on the line.
    """
    is_notebook = path.suffix == ".ipynb"
    if cell and not is_notebook:
        raise Complaint(f"{path}: is no notebook, so it has no cell {cell}")
    try:
        return workspace.explain(path, _line_of(path, line, cell) if is_notebook else line)
    except SourceError as error:
        if not cell or error.cell is not None:  # another cell is to blame
            raise
        raise Complaint(f"{path}:cell {cell}:{line}: {error.message}") from error


def _line_of(path: Path, line: int, cell: int) -> int:
    """The line that a line of a cell is among all code of its notebook.

    Raises:
        SourceError: it cannot be read, or has no such code.
    """
    notebook = Source.read(path).notebook
    assert notebook is not None, "notebooks are told by their names"
    if not cell:
        raise SourceError(path, 0, 0, f"is a notebook: name the cell, too, as in {path}:cell 1:{line}")
    found = notebook.line(cell, line)
    if found is None:
        raise SourceError(path, 0, 0, "there is no such line of Python code")
    return found
