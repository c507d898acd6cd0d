"""The text edits of findings' fixes, for reports that show them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.report.in_a_row import together
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError
from overhead_lint.workspace.share import Share

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from overhead_lint.discovery.files import Target
    from overhead_lint.rule import Finding, Fix, TextEdit

    Edits = tuple[TextEdit, ...] | None

__all__ = ["Plans", "Sources"]

# Files with fixes that are worth starting processes for, and how many each is given at once.
_WORTH_PROCESSES: Final = 24
_BATCH: Final = 4

# Reports show the findings of one file after those of another, but for formats that order them anew.
_KEPT: Final = 16


class Sources(dict[Path, Source]):
    """The files that a report shows: those that were put here, and others, read when it comes to them.

    Of those that it reads only the last few are kept: all that have findings may be most of a project.
    """

    def __init__(self) -> None:
        super().__init__()
        self._read: dict[Path, Source] = {}

    def __missing__(self, path: Path) -> Source:
        found = self._read.get(path)
        if found is None:
            if len(self._read) >= _KEPT:
                del self._read[next(iter(self._read))]
            try:
                found = Source.read(path)
            except SourceError:  # it has gone since it was checked
                found = Source.from_bytes(path, b"")
            self._read[path] = found
        return found


class Plans:
    """Plans fixes when a report asks for their edits.

    Args:
        lint: gives the findings of a file with their fixes.
        sources: the files.
        jobs: processes that plan fixes at once.

    Attributes:
        targets: the files that have findings, by their paths as text.
    """

    def __init__(
        self, lint: Callable[[Source, Target], list[Finding]], sources: dict[Path, Source], jobs: int
    ) -> None:
        self._lint = lint
        self._sources = sources
        self._share = Share(jobs, least=_WORTH_PROCESSES, batch=_BATCH)
        self._planned: dict[Path, list[Finding]] = {}
        self._ahead: list[list[Finding]] = []
        self._edits: dict[int, Edits] = {}
        self.targets: dict[str, Target] = {}

    def expect(self, findings: Iterable[Finding]) -> None:
        """Take note of what a report shows: once it asks for edits, all of these are planned at once."""
        by_file: dict[Path, list[Finding]] = {}
        for finding in findings:
            if finding.fix is not None:
                by_file.setdefault(finding.path, []).append(finding)
        self._ahead = list(by_file.values())

    def of(self, finding: Finding) -> Edits:
        """The text edits of a fix; None where there is none, or none that can be carried out."""
        if self._ahead:
            ahead, self._ahead = self._ahead, []
            for place, found in self._share.results(self._in_file, list(enumerate(ahead))):
                self._edits.update(zip(map(id, ahead[place]), found, strict=True))
        return self._edits[id(finding)] if id(finding) in self._edits else self._plan(finding)

    def _in_file(self, numbered: tuple[int, list[Finding]]) -> tuple[int, list[Edits]]:
        """Return the edits of fixes in one file, with its number."""
        place, findings = numbered
        found = [self._plan(finding) for finding in findings]
        self._planned.pop(findings[0].path, None)
        return place, found

    def _plan(self, finding: Finding) -> Edits:
        if finding.fix is None:
            return None
        from overhead_lint.fixing import fixer

        planned = self._with_edits(finding)
        try:
            return fixer.plan(planned, self._sources[finding.path]) if planned is not None else None
        except fixer.CannotFix:
            return None

    def _with_edits(self, finding: Finding) -> Finding | None:
        """The finding with the edits of its fix: what is kept between runs only says what it does."""
        if finding.fix is None or finding.fix.edits:
            return finding
        if finding.path not in self._planned:
            try:
                again = self._lint(self._sources[finding.path], self.targets[str(finding.path)])
            except SourceError:  # it has changed since it was checked
                again = []
            self._planned[finding.path] = again
        found = self._planned[finding.path]
        if finding.also:
            return self._row(finding, finding.fix, found)
        same = (finding.span, finding.code, finding.message)
        return next((one for one in found if (one.span, one.code, one.message) == same), None)

    @staticmethod
    def _row(finding: Finding, fix: Fix, found: list[Finding]) -> Finding | None:
        """A finding that tells of a row, with the edits of all of it; None if the file has changed."""
        lines = {finding.span.line, *finding.also}
        near = [
            one
            for one in found
            if one.code == finding.code
            and one.span.line in lines
            and one.fix is not None
            and one.fix.message == fix.message
        ]
        # The message of the row tells of the others, too: that of the first by itself is what they share.
        shared = next((one.message for one in near if one.span == finding.span), None)
        row = [one for one in near if one.message == shared]
        return finding._replace(fix=together(row)) if len(row) == len(finding.also) + 1 else None
