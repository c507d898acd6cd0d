"""``overhead-lint [check] PATH...``: lint, and fix when asked to."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint import files, output, packs
from overhead_lint.cli import options as cli_options
from overhead_lint.engine import Linter
from overhead_lint.source import Source, SourceError

if TYPE_CHECKING:
    from overhead_lint.cli.options import Options
    from overhead_lint.rule import Finding, TextEdit

__all__ = ["run"]


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        0 clean, 1 findings left, 2 wrong use or a file that could not be checked.
    """
    options = cli_options.parse(arguments)
    try:
        rules = packs.select(packs.load(), options.settings.select, options.settings.ignore)
    except (packs.PackError, packs.UnknownCode) as error:
        _complain(f"overhead-lint: {error}")
        return 2
    check = _Check(options, Linter(rules, options.settings))
    for target in files.collect(options.paths):
        if isinstance(target, files.PathError):
            check.fail(str(target))
        else:
            check.file(target)
    return check.finish()


def _complain(line: str) -> None:
    print(line, file=sys.stderr)


class _Check:
    """One run over the files: gathers findings, fixes, and counts what went wrong."""

    def __init__(self, options: Options, linter: Linter) -> None:
        self._options = options
        self._linter = linter
        self._findings: list[Finding] = []
        self._sources: dict[Path, Source] = {}
        self._fixed = 0
        self._errors = 0

    def fail(self, line: str) -> None:
        """Report something that could not be checked or fixed."""
        self._errors += 1
        _complain(line)

    def file(self, target: files.Target) -> None:
        """Check one file, and fix it if that is asked for."""
        try:
            source = Source.read(target.path)
            found = self._linter.lint(source, cold=target.cold, parse_anyway=target.named)
            if any(finding.fix for finding in found) and (self._options.fix or self._options.diff):
                source, found = self._fix(source, target)
        except SourceError as error:
            self.fail(str(error))
            return
        if found:
            self._findings.extend(found)
            self._sources[source.path] = source

    def _fix(self, source: Source, target: files.Target) -> tuple[Source, list[Finding]]:
        """Fix a file, or show how; gives what is left to report, and the text it is about."""
        from overhead_lint import fixer  # imports libcst: only runs that fix something pay for it

        result = fixer.fix_file(
            source,
            lambda text: self._linter.lint(text, cold=target.cold),
            unsafe=self._options.unsafe,
        )
        for failure in result.failures:
            _complain(str(failure))  # its finding is left, which the exit status says
        if result.changed:
            if self._options.diff:
                sys.stdout.write(fixer.diff(source, result.after_text))
            else:
                try:
                    fixer.write(source, result.after_text)
                except (fixer.WriteError, fixer.CannotFix) as error:
                    shown = str(error)
                    self.fail(shown if shown.startswith(str(source.path)) else f"{source.path}: {shown}")
                    return source, self._linter.lint(source, cold=target.cold)
            self._fixed += len(result.applied)
            source = Source.from_bytes(source.path, source.encode(result.after_text))
        return source, list(result.remaining)

    def finish(self) -> int:
        """Print the report, and give the exit status."""
        edits = self._edits() if self._options.output_format == "json" else {}
        report = output.Report(self._findings, self._sources, edits, self._fixed, self._errors)
        if self._options.diff:
            _complain(output.render("dry_run", report).rstrip("\n"))
        else:
            sys.stdout.write(output.render(self._options.output_format, report))
        if self._errors:
            return 2
        return 1 if self._findings or (self._options.diff and self._fixed) else 0

    def _edits(self) -> dict[int, tuple[TextEdit, ...]]:
        """The text edits of all fixes that can be carried out, by ``id()`` of their finding."""
        planned: dict[int, tuple[TextEdit, ...]] = {}
        for finding in self._findings:
            if finding.fix is not None:
                from overhead_lint import fixer

                try:
                    planned[id(finding)] = fixer.plan(finding, self._sources[finding.path])
                except fixer.CannotFix:
                    continue
        return planned
