"""What a run of ``overhead-lint check`` changes: fixes, and comments that silence findings."""

from __future__ import annotations

import dataclasses
import os
import sys
from functools import cached_property
from typing import TYPE_CHECKING

from overhead_lint.cli.complaints import complain
from overhead_lint.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from overhead_lint.cli.options import Options
    from overhead_lint.discovery.files import Target
    from overhead_lint.fixing.fixer import FixResult
    from overhead_lint.fixing.importers import Importers
    from overhead_lint.rule import Finding

__all__ = ["Changes"]


class Changes:
    """Changes files as the options ask for, and counts what became of their findings.

    Args:
        options: of the run.
        lint: gives the findings of a file with their fixes.
        fail: reports what could not be written.
        root: the folder of the project, whose other files may use what a fix leaves unused; None if there
            is none.

    Attributes:
        fixed: the findings that were, or would be, fixed.
        silenced: how many were silenced.
        unwritten: how many files could not be written.
        held: files with their fixed texts, which are not written at once.
    """

    def __init__(
        self,
        options: Options,
        lint: Callable[[Source, Target], list[Finding]],
        fail: Callable[[str], None],
        root: Path | None,
    ) -> None:
        self._options = options
        self._lint = lint
        self._fail = fail
        self._root = root
        self.fixed: list[Finding] = []
        self.silenced = 0
        self.unwritten = 0
        self.held: list[tuple[Source, str]] = []

    def fix(self, source: Source, target: Target, found: list[Finding]) -> tuple[Source, list[Finding]]:
        """Fix a file, or show how; gives what is left to report, and the text it is about."""
        from overhead_lint.fixing import fixer  # imports libcst: only runs that fix something pay for it
        from overhead_lint.report.place import where
        from overhead_lint.report.style import may_color, painted_diff

        result = fixer.fix_file(
            source,
            lambda text: self._lint(text, target),
            unsafe=self._options.unsafe,
            found=found,
            elsewhere=self._importers,
        )
        for failure in result.failures:
            # Its finding is left, which the exit status says.
            complain(failure.told(where(failure.finding, {source.path: source})))
        if result.changed:
            result = self._laid_out(result, target)
            if self._options.diff:
                color = may_color(sys.stdout, os.environ, self._options.report.color)
                sys.stdout.write(painted_diff(fixer.diff(source, result.after_text), color=color))
            elif self._options.holds_fixes:
                self.held.append((source, result.after_text))
            elif self._options.stdin is None and not self._written(source, result.after_text):
                return source, found
            self.fixed += result.applied
            source = Source.from_bytes(source.path, source.encode(result.after_text))
        return source, list(result.remaining)

    def _laid_out(self, result: FixResult, target: Target) -> FixResult:
        """The result as the formatter of the project has it, if the file was so."""
        from overhead_lint.fixing.layout import laid_out

        text = laid_out(result.before, result.after_text)
        if text == result.after_text:
            return result
        before = result.before
        remaining = self._lint(Source.from_bytes(before.path, before.encode(text)), target)
        if len(remaining) != len(result.remaining):  # a comment that silences has come to stand elsewhere
            return result
        return dataclasses.replace(result, after_text=text, remaining=tuple(remaining))

    @cached_property
    def _importers(self) -> Importers:
        from overhead_lint.fixing.importers import Importers

        return Importers(self._root)

    def add_ignores(
        self, source: Source, target: Target, found: list[Finding]
    ) -> tuple[Source, list[Finding]]:
        """Silence findings with comments; gives what is left to report, and the text it is about."""
        from overhead_lint.engine.silencer import silenced
        from overhead_lint.report.place import where

        after = silenced(source, found, self._options.add_ignore or "")
        left = self._lint(after, target) if after.text != source.text else found
        for finding in left:
            place = where(finding, {after.path: after})
            why = "was not silenced: no comment can stand on its lines"
            complain(f"{finding.path}:{place}: {finding.code} {why}")
        if after.text == source.text or not self._written(source, after.text):
            return source, found
        self.silenced += len(found) - len(left)
        return after, left

    def _written(self, source: Source, text: str) -> bool:
        from overhead_lint.fixing import fixer

        try:
            fixer.write(source, text)
        except (fixer.WriteError, fixer.CannotFix) as error:
            shown = str(error)
            self.unwritten += 1
            self._fail(shown if shown.startswith(str(source.path)) else f"{source.path}: {shown}")
            return False
        return True
