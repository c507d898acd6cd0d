"""The findings as a flake8 plugin, for projects that run flake8 already.

flake8 runs it where its configuration names it, so that an install of overhead-lint alone changes no run of
flake8. Settings come from the nearest settings file of each file, as for the command; heat from the file
alone, since flake8 shows a plugin one file at a time; fixes, baselines and formats need the command.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint import __version__
from overhead_lint.errors import Complaint
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError
from overhead_lint.workspace.single_file import FileLinter

if TYPE_CHECKING:
    import ast

__all__ = ["Plugin"]

_FAILED = "OVH000"


class Plugin:
    """What flake8 makes for each file.

    Args:
        tree: the file as flake8 parsed it; having asked for it, the plugin is not run where it fails.
        filename: the file as flake8 names it; ``-`` or ``stdin`` for standard input.
        lines: its lines.
    """

    name = "overhead-lint"
    version = __version__

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        self._path = Path(filename)
        self._text = "".join(lines)

    def run(self) -> Iterator[tuple[int, int, str, type[Plugin]]]:
        """Line from 1, column from 0 and text of each finding."""
        try:
            found = self._findings()
        except (Complaint, SourceError) as error:
            yield 1, 0, f"{_FAILED} cannot be checked: {error}", Plugin
            return
        for line, column, text in found:
            yield line, column, text, Plugin

    def _findings(self) -> list[tuple[int, int, str]]:
        # flake8 has decoded the file already: a coding comment counts for what is on disk only.
        source = Source(self._path, self._text.encode(errors="surrogatepass"), self._text, "utf-8", bom=False)
        return [
            (finding.span.line, finding.span.column - 1, f"{finding.code} {finding.message}")
            for finding in _linter().lint(source)
        ]


@cache
def _linter() -> FileLinter:
    return FileLinter()
