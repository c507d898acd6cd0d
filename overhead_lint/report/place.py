"""Where findings are, for people and for other programs: lines of files, and of cells of notebooks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from overhead_lint.rule import Finding
    from overhead_lint.syntax.source import Source

__all__ = ["in_cell", "is_notebook", "lines", "reason", "where"]


def where(finding: Finding, sources: Mapping[Path, Source]) -> str:
    """Line and column of a finding, for people: ``12:5``; in a notebook ``cell 3:2:5``."""
    line, column = finding.span.line, finding.span.column
    if not is_notebook(finding.path):
        return f"{line}:{column}"
    cell, line = in_cell(sources[finding.path], line)
    return f"cell {cell}:{line}:{column}"


def is_notebook(path: Path) -> bool:
    """Whether a file is a notebook, by its name."""
    return str(path).endswith(".ipynb") and path.suffix == ".ipynb"  # a path keeps its text, not its suffix


def in_cell(source: Source, line: int) -> tuple[int, int]:
    """Cell of a notebook (from 1; 0 for any other file) and line in it."""
    return source.notebook.place(line) if source.notebook is not None else (0, line)


def lines(finding: Finding, sources: Mapping[Path, Source]) -> tuple[int, int]:
    """First and last line of a finding in its file; of a notebook in its JSON."""
    span = finding.span
    notebook = sources[finding.path].notebook if is_notebook(finding.path) else None
    if notebook is None:
        return span.line, span.end_line
    return notebook.json_line(span.line), notebook.json_line(span.end_line)


def reason(finding: Finding, sources: Mapping[Path, Source]) -> str:
    """Why a place is hot; lines of the finding's own notebook are named by their cells."""
    why, path = finding.warmth.why, finding.path
    if not is_notebook(path):
        return why
    notebook = sources[path].notebook
    if notebook is None:
        return why
    name = re.escape(path.name)
    why = re.sub(rf"(?<={name}):(\d+)", lambda match: f":{notebook.told(int(match[1]))}", why)
    return notebook.retold(why)
