"""How the formats that other programs read name files."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from overhead_lint.rule import Finding
    from overhead_lint.source import Source

__all__ = ["in_cell", "is_notebook", "lines", "reason", "relative_to", "root", "where"]


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


def root(environ: Mapping[str, str], *variables: str) -> Path:
    """The folder that paths are relative to: what the first variable that is set names, else this one."""
    named = next((environ[variable] for variable in variables if environ.get(variable)), None)
    return Path(named) if named is not None else Path.cwd()


def relative_to(path: Path, folder: Path) -> str:
    """A path below a folder with slashes between its parts; the absolute path if it is elsewhere.

    The folder that a file lies in is resolved, so that ``a/../b.py`` is named as the server knows it.
    """
    real = Path(os.path.realpath(path.parent)) / path.name
    try:
        return real.relative_to(os.path.realpath(folder)).as_posix()
    except ValueError:
        return real.as_posix()
