"""``overhead-lint [check] [PATH...]``: lint, and fix when asked to."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint import files, output
from overhead_lint.cli import baseline as cli_baseline
from overhead_lint.cli import evidence as cli_evidence
from overhead_lint.cli import options as cli_options
from overhead_lint.cli import report
from overhead_lint.cli.changes import Changes, complain
from overhead_lint.cli.fix_plans import Plans, Sources
from overhead_lint.cli.selected_rules import Linters, SelectedRules, open_cache
from overhead_lint.errors import Complaint, on_one_line
from overhead_lint.output.in_a_row import told_as_one
from overhead_lint.output.summary import count
from overhead_lint.roots import overrides, project_files, root_of
from overhead_lint.rule import Heat
from overhead_lint.settings import SettingsError
from overhead_lint.source import NotSource, Source, SourceError, check_size
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.workspace import Workspace

if TYPE_CHECKING:
    from overhead_lint.baseline import Baseline, Scope
    from overhead_lint.cache.folder_listings import Listings
    from overhead_lint.cache.store import Cache
    from overhead_lint.cli.options import Options
    from overhead_lint.rule import Finding

__all__ = ["run"]


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        0 clean, 1 findings left, 2 wrong use or a file that could not be checked.
    """
    try:
        options = cli_options.parse(arguments)
        if options.watch:
            from overhead_lint.cli import watch

            return watch.run(arguments, run)
        report.check_use(options.report, diff=options.diff)
        rules = SelectedRules(options)
        root = root_of(options.paths, options.file.path if options.file else None)
        cache = open_cache(options, root, rules)
        if cache is None or not cache.entries or options.show_settings:
            rules.check_codes()
        if options.show_settings:
            print(options.show_settings)
            return 0
        measured = cli_evidence.load(options.evidence)
        baseline = cli_baseline.load(options.baseline)
        return _checked(_Check(options, rules, baseline, measured, root, cache), options)
    except SettingsError as error:
        complain(str(error))
        return 2
    except Complaint as error:
        complain(f"overhead-lint: {error}")
        return 2


def _checked(check: _Check, options: Options) -> int:
    """Check all files; the exit status."""
    report.check_place(options.report, _read_besides(options))
    if options.stdin is not None:
        data = sys.stdin.buffer.read()
        if not (options.force_exclude and options.file and options.file.excludes(options.stdin)):
            check.text(options.stdin, data)
        elif options.fix:
            sys.stdout.buffer.write(data)
        return check.finish()
    targets = []
    for target in _targets(options, check.listings):
        if isinstance(target, files.PathError):
            check.fail(str(target))
        elif options.show_files:
            print(on_one_line(target.text))
        else:
            targets.append(target)
    if options.report.output_file is not None:
        report.check_place(options.report, (target.path for target in targets))
    check.check(targets)
    return check.finish()


def _read_besides(options: Options) -> Iterator[Path]:
    """What a run reads besides the files that it checks."""
    yield from (file.path for file in (options.file.files() if options.file else ()))
    yield from filter(None, (options.baseline.path, options.evidence.path, options.stdin))


def _targets(options: Options, listings: Listings | None) -> list[files.Target | files.PathError]:
    """The files to check: those that no setting leaves out; of those that were named all, if not forced."""
    file = options.file
    found = files.collect(options.paths, listings)
    if file is None or not file.may_exclude():
        return found
    left = [
        target
        for target in found
        if isinstance(target, files.PathError)
        or (target.named and not options.force_exclude)
        or not file.excludes(target.path)
    ]
    if found and not left and not (options.force_exclude or options.report.quiet):
        complain(f"{file.path}: exclude leaves nothing to check of {count(len(found), 'file')}")
    return left


def _others(options: Options, listings: Listings | None, root: Path) -> Iterator[files.Target]:
    """The files of a project that were not named."""
    if any(os.path.normpath(path.absolute()) == str(root) for path in options.paths):
        return  # all of them were
    yield from project_files(options.file, root, listings)


class _Check:
    """One run over the files: gathers findings, fixes, and counts what went wrong.

    Attributes:
        listings: what earlier runs found below folders; None to list all anew.
    """

    def __init__(
        self,
        options: Options,
        rules: SelectedRules,
        known: Baseline | None,
        measured: cli_evidence.Measured | None,
        root: Path | None,
        cache: Cache | None,
    ) -> None:
        self.listings = cache.listings if cache is not None else None
        self._root = root
        self._cache = cache
        self._options = options
        self._rules = rules
        self._known = known
        self._measured = measured
        self._linters = Linters(options, rules)
        self._findings: list[Finding] = []
        self._sources = Sources()
        self._plans = Plans(self._lint, self._sources)
        self._changes = Changes(options, self._lint, self.fail, root)
        self._checked: list[files.Target] = []
        self._errors: list[str] = []
        self._workspace: Workspace | None = None
        self._overrides = overrides(options.settings, options.file, root)

    def fail(self, line: str) -> None:
        """Report something that could not be checked or fixed."""
        self._errors.append(line)
        complain(line)

    def check(self, targets: Sequence[files.Target]) -> None:
        """Check files, and fix them if that is asked for."""
        options = self._options
        self._workspace = self._new_workspace(targets, saves=options.explain is None)
        if self._overrides is not None:
            from overhead_lint.cli.unused_heat_entries import unused_names  # costs start-up

            for unused in unused_names(options, self._overrides, self._root, self._cache):
                complain(unused)
        if options.explain is not None:
            path, line, cell = options.explain
            if path.exists():  # else that was said when files were looked for
                self._explain(path, line, cell, self._workspace)
            return
        clean = self._workspace.clean() if self._measured is None else ()
        for target in targets:
            if target[0] in clean:
                self._checked.append(target)
            else:
                self._file(target, self._workspace)
        self._workspace.save()
        if self._cache is not None and self._cache.unwritable and not options.report.quiet:
            complain(f"overhead-lint: {self._cache.unwritable}; the next run looks at all files anew")

    def text(self, path: Path, data: bytes) -> None:
        """Check the text of a file that is not on disk, or not yet; with ``--fix`` it goes to stdout."""
        options, target = self._options, files.named(path)
        try:
            check_size(path, len(data))
            source = Source.from_bytes(path, data)
            self._workspace = self._new_workspace((), saves=False)
            self._workspace.put(source)
            found = self._lint(source, target)
            if options.fix or options.diff:
                source, found = self._changes.fix(source, target, found)
        except SourceError as error:
            self.fail(str(error))
            if options.fix:
                sys.stdout.buffer.write(data)
            return
        if options.fix:
            sys.stdout.buffer.write(source.data)
        self._sources[path] = source
        self._checked.append(target)
        self._findings.extend(found)

    def _new_workspace(self, targets: Sequence[files.Target], *, saves: bool) -> Workspace:
        options = self._options
        return Workspace(
            self._root,
            targets,
            partial(_others, options, self.listings),
            lambda: Examiner(self._linters.of),
            cache=self._cache,
            jobs=options.jobs,
            alone=not options.project,
            saves=saves,
            override=self._overrides,
        )

    def _explain(self, path: Path, line: int, cell: int, workspace: Workspace) -> None:
        """Print why a place is as hot as it is."""
        from overhead_lint.cli.explain import explain  # few runs ask for it

        try:
            told = explain(path, line, cell, workspace)
        except (Complaint, SourceError) as error:
            self.fail(str(error))
            return
        print(*map(on_one_line, told), sep="\n")
        if self._root is None and self._options.project:
            print("    judged by itself: no settings file, .git or packaging metadata lies above")

    def _lint(self, source: Source, target: files.Target) -> list[Finding]:
        """The findings of a file with their fixes, at the heat that the project gives its functions."""
        assert self._workspace is not None, "the workspace is made before any file is linted"
        warmths = self._workspace.warmths(target.path)
        linter = self._linters.of(target)
        found = linter.lint(source, cold=target.cold, parse_anyway=target.named, warmths=warmths)
        if self._measured is None:
            return found
        anywhere = self._linters.of(target, Heat.COLD).lint(source)
        return self._measured.judged(found, anywhere, source, linter)

    def _file(self, target: files.Target, workspace: Workspace) -> None:
        options = self._options
        try:
            found = workspace.findings(target)
            if self._measured is not None:
                if self._measured.knows(target.path):
                    found = self._lint(Source.read(target.path), target)
                else:
                    found = self._measured.elsewhere(found)
            fixable = (options.fix or options.diff) and any(finding.fix for finding in found)
            if fixable or (found and options.add_ignore):
                source = Source.read(target.path)
                found = found if self._measured is not None else self._lint(source, target)
                change = self._changes.fix if fixable else self._changes.add_ignores
                source, found = change(source, target, found)
                self._sources[target.path] = source
        except NotSource as error:
            if target.named:
                self.fail(str(error))
            else:
                complain(f"{error} (left out)")
            return
        except SourceError as error:
            self.fail(str(error))
            return
        self._checked.append(target)
        if found:
            self._findings.extend(found)
            self._plans.targets[target.text] = target

    def finish(self) -> int:
        """Print the report, and give the exit status."""
        if self._options.show_files or self._options.explain is not None:
            return 2 if self._errors else 0
        try:
            if self._options.baseline.write:
                return self._write_baseline()
            return self._report()
        except Complaint as error:
            complain(f"overhead-lint: {error}")
            return 2

    def _report(self) -> int:
        options = self._options.report
        compared = cli_baseline.Compared(self._findings)
        if self._known is not None:
            compared = cli_baseline.compare(
                self._known, self._options.baseline, self._findings, self._sources, self._scope()
            )
        left = compared.findings
        if left and not options.quiet:
            from overhead_lint.cli.comment_notes import notes  # costs start-up

            for note in notes(left, self._sources, self._rules):
                complain(note)
        done = output.Report(
            told_as_one(left) if self._measured is None else self._measured.sorted(left),
            self._sources,
            self._rules,
            self._plans.of,
            fixed=self._changes.fixed,
            errors=tuple(self._errors),
            baselined=compared.known,
            unwritten=self._changes.unwritten,
        )
        if not self._options.diff:
            fixes_stdin = self._options.stdin is not None and self._options.fix
            report.show(done, options, sys.stderr if fixes_stdin else sys.stdout)
        elif not options.quiet:
            from overhead_lint.output import dry_run  # costs start-up

            complain(dry_run.render(done).rstrip("\n"))
        if self._changes.silenced and not options.quiet:
            complain(f"Silenced {count(self._changes.silenced, 'finding')}.")
        would_fix = self._options.diff and self._changes.fixed > 0
        return report.exit_status(done, options, failed=would_fix or compared.stale)

    def _write_baseline(self) -> int:
        assert self._known is not None, "a baseline that is to be written was made before the run"
        line = cli_baseline.update(self._known, self._findings, self._sources, self._scope())
        if not self._options.report.quiet:
            print(line)
        return 2 if self._errors else 0

    def _scope(self) -> Scope:
        from overhead_lint.baseline import Scope  # costs start-up

        return Scope([target.path for target in self._checked], frozenset(rule.code for rule in self._rules))
