"""``overhead-lint [check] PATH...``: lint, and fix when asked to."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint import files, output, packs
from overhead_lint.baseline import Baseline, BaselineError, Scope
from overhead_lint.cli import baseline as cli_baseline
from overhead_lint.cli import evidence as cli_evidence
from overhead_lint.cli import options as cli_options
from overhead_lint.cli import report
from overhead_lint.engine import Linter
from overhead_lint.evidence import EvidenceError
from overhead_lint.output import dry_run
from overhead_lint.output.summary import count
from overhead_lint.rule import Heat
from overhead_lint.settings import SettingsError
from overhead_lint.source import Source, SourceError
from overhead_lint.workspace import Workspace, root_of

if TYPE_CHECKING:
    from overhead_lint.cli.options import Options
    from overhead_lint.config import Settings
    from overhead_lint.rule import Finding, Rule, TextEdit

__all__ = ["run"]


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        0 clean, 1 findings left, 2 wrong use or a file that could not be checked.
    """
    try:
        options = cli_options.parse(arguments)
        report.check_use(options.report, diff=options.diff)
        loaded = packs.load(options.rule_packs)
        _check_codes(options, loaded)
        if options.show_settings:
            print(options.show_settings)
            return 0
        settings = options.settings
        rules = packs.select(loaded, settings.select, settings.ignore, preview=settings.preview)
        audited = [one.rule for one in loaded if not one.rule.preview]
        measured = cli_evidence.load(options.evidence)
        check = _Check(options, rules, audited, cli_baseline.load(options.baseline), measured)
    except SettingsError as error:
        _complain(str(error))
        return 2
    except (packs.PackError, packs.UnknownCode, report.ReportError, BaselineError, EvidenceError) as error:
        _complain(f"overhead-lint: {error}")
        return 2
    targets = []
    for target in _targets(options):
        if isinstance(target, files.PathError):
            check.fail(str(target))
        elif options.show_files:
            print(target.path)
        else:
            targets.append(target)
    check.check(targets)
    return check.finish()


def _targets(options: Options) -> Iterator[files.Target | files.PathError]:
    """The files to check: those that were named, and those below folders that no setting leaves out."""
    for target in files.collect(options.paths):
        if isinstance(target, files.PathError) or target.named or not _excluded(options, target.path):
            yield target


def _excluded(options: Options, path: Path) -> bool:
    return options.file is not None and options.file.excludes(path)


def _check_codes(options: Options, loaded: Sequence[packs.LoadedRule]) -> None:
    for code, place in options.file.codes() if options.file else ():
        try:
            packs.select(loaded, [code], [], preview=options.settings.preview)
        except packs.UnknownCode as error:
            raise SettingsError(f"{place}: {error}") from error


def _complain(line: str) -> None:
    print(line, file=sys.stderr)


class _Check:
    """One run over the files: gathers findings, fixes, and counts what went wrong."""

    def __init__(
        self,
        options: Options,
        rules: Sequence[Rule],
        audited: Sequence[Rule],
        known: Baseline | None,
        measured: cli_evidence.Measured | None,
    ) -> None:
        self._options = options
        self._rules = rules
        self._known = known
        self._measured = measured
        self._known_rules = audited
        self._linters: dict[tuple[tuple[str, ...], Heat], Linter] = {}
        self._findings: list[Finding] = []
        self._sources: dict[Path, Source] = {}
        self._checked: list[Path] = []
        self._fixed = 0
        self._silenced = 0
        self._errors: list[str] = []
        self._workspace: Workspace | None = None

    def fail(self, line: str) -> None:
        """Report something that could not be checked or fixed."""
        self._errors.append(line)
        _complain(line)

    def check(self, targets: Sequence[files.Target]) -> None:
        """Check files, and fix them if that is asked for."""
        if self._options.project:
            settings = self._options.file.path if self._options.file else None
            root = root_of(self._options.paths, settings)
            self._workspace = Workspace(root, targets, partial(_excluded, self._options))
        for target in targets:
            self._file(target)

    def _lint(self, source: Source, target: files.Target, *, parse_anyway: bool = False) -> list[Finding]:
        warmths = self._workspace.warmths(target.path) if self._workspace is not None else None
        rules = self._rules_of(target)
        linter = self._linter(rules, self._options.settings)
        found = linter.lint(source, cold=target.cold, parse_anyway=parse_anyway, warmths=warmths)
        if self._measured is None:
            return found
        anywhere = self._linter(rules, replace(self._options.settings, min_heat=Heat.COLD)).lint(source)
        return self._measured.judged(found, anywhere, source, linter)

    def _file(self, target: files.Target) -> None:
        try:
            source = Source.read(target.path)
            found = self._lint(source, target, parse_anyway=target.named)
            if any(finding.fix for finding in found) and (self._options.fix or self._options.diff):
                source, found = self._fix(source, target, found)
            elif found and self._options.add_ignore:
                source, found = self._add_ignores(source, target, found)
        except SourceError as error:
            self.fail(str(error))
            return
        self._checked.append(target.path)
        if found:
            self._findings.extend(found)
            self._sources[source.path] = source

    def _rules_of(self, target: files.Target) -> tuple[Rule, ...]:
        """The rules that count in a file."""
        ignored = self._options.file.ignored(target.path) if self._options.file else ()
        if "ALL" in ignored:
            return ()
        return tuple(rule for rule in self._rules if not (ignored and rule.code.startswith(ignored)))

    def _linter(self, rules: tuple[Rule, ...], settings: Settings) -> Linter:
        key = tuple(rule.code for rule in rules), settings.min_heat
        if key not in self._linters:
            self._linters[key] = Linter(rules, settings, self._known_rules)
        return self._linters[key]

    def _fix(
        self, source: Source, target: files.Target, found: list[Finding]
    ) -> tuple[Source, list[Finding]]:
        """Fix a file, or show how; gives what is left to report, and the text it is about."""
        from overhead_lint import fixer  # imports libcst: only runs that fix something pay for it

        result = fixer.fix_file(
            source,
            lambda text: self._lint(text, target),
            unsafe=self._options.unsafe,
            found=found,
        )
        for failure in result.failures:
            _complain(str(failure))  # its finding is left, which the exit status says
        if result.changed:
            if self._options.diff:
                sys.stdout.write(fixer.diff(source, result.after_text))
            elif not self._written(source, result.after_text):
                return source, found
            self._fixed += len(result.applied)
            source = Source.from_bytes(source.path, source.encode(result.after_text))
        return source, list(result.remaining)

    def _add_ignores(
        self, source: Source, target: files.Target, found: list[Finding]
    ) -> tuple[Source, list[Finding]]:
        """Silence findings with comments; gives what is left to report, and the text it is about."""
        from overhead_lint.silencer import silenced

        after = silenced(source, found, self._options.add_ignore)
        left = self._lint(after, target) if after.text != source.text else found
        for finding in left:
            place = f"{finding.path}:{finding.span.line}:{finding.span.column}"
            _complain(f"{place}: {finding.code} was not silenced: no comment can stand on its lines")
        if after.text == source.text or not self._written(source, after.text):
            return source, found
        self._silenced += len(found) - len(left)
        return after, left

    def _written(self, source: Source, text: str) -> bool:
        from overhead_lint import fixer

        try:
            fixer.write(source, text)
        except (fixer.WriteError, fixer.CannotFix) as error:
            shown = str(error)
            self.fail(shown if shown.startswith(str(source.path)) else f"{source.path}: {shown}")
            return False
        return True

    def finish(self) -> int:
        """Print the report, and give the exit status."""
        if self._options.show_files:
            return 2 if self._errors else 0
        try:
            if self._options.baseline.write:
                return self._write_baseline()
            return self._report()
        except (report.ReportError, BaselineError) as error:
            _complain(f"overhead-lint: {error}")
            return 2

    def _report(self) -> int:
        options = self._options.report
        compared = cli_baseline.Compared(self._findings)
        if self._known is not None:
            compared = cli_baseline.compare(
                self._known, self._options.baseline, self._findings, self._sources, self._scope()
            )
        left = compared.findings
        done = output.Report(
            left if self._measured is None else self._measured.sorted(left),
            self._sources,
            self._rules,
            self._plan,
            self._fixed,
            tuple(self._errors),
            compared.known,
        )
        if not self._options.diff:
            report.show(done, options)
        elif not options.quiet:
            _complain(dry_run.render(done).rstrip("\n"))
        if self._silenced and not options.quiet:
            _complain(f"Silenced {count(self._silenced, 'finding')}.")
        would_fix = self._options.diff and self._fixed > 0
        return report.exit_status(done, options, failed=would_fix or compared.stale)

    def _write_baseline(self) -> int:
        assert self._known is not None, "a baseline that is to be written was made before the run"
        line = cli_baseline.update(self._known, self._findings, self._sources, self._scope())
        if not self._options.report.quiet:
            print(line)
        return 2 if self._errors else 0

    def _scope(self) -> Scope:
        return Scope(self._checked, frozenset(rule.code for rule in self._rules))

    def _plan(self, finding: Finding) -> tuple[TextEdit, ...] | None:
        """The text edits of a fix; None where there is none, or none that can be carried out."""
        if finding.fix is None:
            return None
        from overhead_lint import fixer

        try:
            return fixer.plan(finding, self._sources[finding.path])
        except fixer.CannotFix:
            return None
