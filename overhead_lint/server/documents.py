"""The documents that an editor has open, and what was found in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from overhead_lint.errors import Complaint
from overhead_lint.project.cross_file import NOTHING_TOLD
from overhead_lint.server.opened import UNTITLED
from overhead_lint.server.projects import Projects
from overhead_lint.syntax.source import Source, check_size
from overhead_lint.syntax.source_error import SourceError
from overhead_lint.workspace.single_file import FileLinter

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from overhead_lint.config.settings import SettingsFile
    from overhead_lint.project.cross_file import Told
    from overhead_lint.rule import Finding, Warmth
    from overhead_lint.workspace.single_file import LinterOf

__all__ = ["CannotCheck", "Checked", "Documents"]


class CannotCheck(Exception):
    """Settings or rule packs that cannot be used; the message is one line."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A document as it was checked.

    Attributes:
        text: as it is in the editor; of a notebook its JSON.
        source: the text that was checked; None if it is no text that Python reads.
        findings: what was found in it.
        error: why it could not be checked.
    """

    text: str
    source: Source | None
    findings: tuple[Finding, ...] = ()
    error: SourceError | None = None


class Documents:
    """Checks documents, and keeps the result of each until its text changes.

    Args:
        project: take heat from all files of a document's project.
    """

    def __init__(self, *, project: bool = True) -> None:
        self.projects = Projects()
        self._linter = FileLinter(self._heat_of if project else None)
        self._checked: dict[str, Checked] = {}

    def check(self, uri: str, path: Path, text: str) -> Checked:
        """Check a document.

        Raises:
            CannotCheck: the settings that count for it, or a rule pack, cannot be used.
        """
        known = self._checked.get(uri)
        if known is None or known.text != text:
            known = self._checked[uri] = self._check(path, text)
        return known

    def lint(self, source: Source) -> list[Finding]:
        """The findings in a text that may not be in the editor yet.

        Raises:
            CannotCheck: see `check`.
            SourceError: it cannot be checked.
        """
        try:
            return self._linter.lint(source, parse_anyway=True)
        except Complaint as error:
            raise CannotCheck(str(error)) from error

    def _heat_of(
        self, source: Source, file: SettingsFile | None, linter_of: LinterOf
    ) -> tuple[Mapping[str, Warmth] | None, Told]:
        if source.path.name.startswith(UNTITLED):
            return None, NOTHING_TOLD  # no other file speaks of what has no name yet
        return self.projects.heat_of(source, file, linter_of)

    def close(self, uri: str) -> None:
        """Forget a document."""
        self._checked.pop(uri, None)

    def forget(self) -> None:
        """Check everything anew, with settings and projects as they are on disk."""
        self._checked.clear()
        self._linter.forget()
        self.projects.forget()

    def prepared(self, root: Path) -> None:
        """Check everything anew, now that another process has looked into a project."""
        self._checked.clear()
        self.projects.prepared(root)

    def _check(self, path: Path, text: str) -> Checked:
        source = None
        try:
            data = text.encode(errors="surrogatepass")
            check_size(path, len(data))
            if path.suffix == ".ipynb":
                source = Source.from_bytes(path, data)
            else:
                # An editor has decoded the file already: a coding comment counts for the file on disk only.
                source = Source(path, data, text, "utf-8", bom=False)
            return Checked(text, source, tuple(self.lint(source)))
        except SourceError as error:
            return Checked(text, source, error=error)
