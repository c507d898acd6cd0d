"""``overhead-lint [check] [PATH...]``: lint, and fix when asked to."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint import report as output
from overhead_lint.cli import baseline as cli_baseline
from overhead_lint.cli import evidence as cli_evidence
from overhead_lint.cli import options as cli_options
from overhead_lint.cli import report
from overhead_lint.cli.complaints import complain
from overhead_lint.cli.fix_plans import Plans, Sources
from overhead_lint.cli.part import Part
from overhead_lint.cli.parts import split
from overhead_lint.config.settings import SettingsError, upward
from overhead_lint.discovery import files
from overhead_lint.errors import Complaint, on_one_line
from overhead_lint.report.expected_cost import reference
from overhead_lint.report.in_a_row import told_as_one
from overhead_lint.support.plurals import count
from overhead_lint.syntax.source import Source, check_size
from overhead_lint.syntax.source_error import NotSource, SourceError
from overhead_lint.workspace.roots import root_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from overhead_lint.cli.options import Options
    from overhead_lint.config.settings import SettingsFile
    from overhead_lint.fixing.trial import Trial
    from overhead_lint.report.baseline import Baseline, Scope
    from overhead_lint.report.expected_cost import Cost
    from overhead_lint.rule import Finding, Rule

__all__ = ["run"]


def run(arguments: Sequence[str], *, describes: bool = False) -> int:
    """Run the command.

    Args:
        arguments: without the command.
        describes: whether they are those of ``fix-report``, which tells of fixes and not of findings.

    Returns:
        0 clean, 1 findings left, 2 wrong use or a file that could not be checked.
    """
    try:
        options = cli_options.parse(arguments, describes=describes)
        if options.watch:
            from overhead_lint.cli import watch

            return watch.run(arguments, run)
        report.check_use(options.report, diff=options.diff)
        check = _Check(options)
        check.main.check_codes()
        if options.show_settings:
            print(options.show_settings)
            return 0
        if options.verify is not None:
            from overhead_lint.fixing.trial import check_command  # few runs ask for it

            check_command(options.verify, Path.cwd())
        check.load()
        return _checked(check, options)
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
        if _left(options, [files.named(options.stdin)]):
            check.text(options.stdin, data)
        elif options.fix:
            sys.stdout.buffer.write(data)
        return check.finish()
    below = files.collected(options.paths, check.main.listings)
    for error in below.found:
        if isinstance(error, files.PathError):
            check.fail(str(error))
    check.take([one for one in below.found if isinstance(one, files.Target)], below.settings)
    if options.show_files:
        for target in check.targets():
            print(on_one_line(target.text))
        return check.finish()
    if options.report.output_file is not None:
        report.check_place(options.report, (target.path for target in check.targets()))
    check.check()
    if options.holds_fixes and not check.settle():
        return 1
    return check.finish()


def _read_besides(options: Options) -> Iterator[Path]:
    """What a run reads besides the files that it checks."""
    yield from (file.path for file in (options.file.files() if options.file else ()))
    yield from filter(None, (options.baseline.path, options.evidence.path, options.stdin))


def _left(options: Options, found: Sequence[files.Target]) -> Sequence[files.Target]:
    """The files to check: those that no setting leaves out; of those that were named all, if not forced."""
    leave_out = [file for file in _leaving_out(options) if file.may_exclude()]
    if not leave_out:
        return found
    left = [
        target
        for target in found
        if (target.named and not options.force_exclude)
        or not any(file.excludes(target.path) for file in leave_out)
    ]
    if found and not left and not (options.force_exclude or options.report.quiet):
        file = leave_out[0]
        what = "--exclude" if file is options.command_line else f"{file.path}: exclude"
        complain(f"{what} leaves nothing to check of {count(len(found), 'file')}")
    return left


def _leaving_out(options: Options) -> Iterator[SettingsFile]:
    """The settings files that may leave out what is checked, where it is no matter which paths were named."""
    yield options.command_line
    if options.file is None:
        return
    yield options.file
    if options.force_exclude and options.finds_settings:
        yield from upward(options.file.path.absolute().parent.parent)


class _Check:
    """One run over the files: gathers findings, fixes, and counts what went wrong.

    Args:
        options: of the run.

    Attributes:
        main: the part of the run with the settings file that counts for all paths.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._known: Baseline | None = None
        self._measured: cli_evidence.Measured | None = None
        self._findings: list[Finding] = []
        self._sources = Sources()
        self._plans = Plans(self._lint, self._sources, options.jobs)
        self._errors: list[str] = []
        self._trial: Trial | None = None
        root = root_of(options.paths, options.file.path if options.file else None)
        self.main = Part(options, root, self.fail)
        self._parts = [self.main]
        self._part_of: dict[str, Part] = {}
        self._places: dict[str, int] = {}

    def load(self) -> None:
        """Read what findings are compared with.

        Raises:
            BaselineError: the baseline is missing, damaged, or cannot be written.
            UnusableFile: the evidence is missing or damaged.
        """
        self._measured = self.main.measured = cli_evidence.load(self._options.evidence)
        self._known = cli_baseline.load(self._options.baseline)

    def fail(self, line: str) -> None:
        """Report something that could not be checked or fixed."""
        self._errors.append(line)
        complain(line)

    def take(self, found: Sequence[files.Target], settings: Sequence[str]) -> None:
        """Take files to check, each with the settings file that is nearest to it.

        Args:
            found: the files.
            settings: files beside and above them that may hold settings.

        Raises:
            SettingsError: a settings file cannot be used.
            PackError: a rule pack cannot be used.
        """
        left = _left(self._options, found)
        self._parts = split(self.main, left, settings, self._new_part)
        for part in self._parts:
            part.take_share()
        if len(self._parts) > 1:
            self._places = {target.text: place for place, target in enumerate(left)}

    def _new_part(self, file: SettingsFile | None, root: Path) -> Part:
        above = self.main.root
        name = root.relative_to(above) if above is not None and root.is_relative_to(above) else root
        part = Part(self._options.of_part(file, name.as_posix()), root, self.fail)
        part.measured = self._measured
        part.check_codes()
        return part

    def targets(self) -> Sequence[files.Target]:
        """The files to check."""
        found = [target for part in self._parts for target in part.targets]
        return sorted(found, key=lambda one: self._places[one.text]) if self._places else found

    def check(self) -> None:
        """Check files, and fix them if that is asked for."""
        explain = self._options.explain
        if explain is not None:
            path, line, cell = explain
            if path.exists():
                self._explain(path, line, cell)
            elif path not in self._options.paths:  # else that was said when files were looked for
                self.fail(f"{path}: no such file or folder")
            return
        for part in self._parts:
            if part.targets or len(self._parts) == 1:
                self._check_part(part)

    def _check_part(self, part: Part) -> None:
        workspace = part.workspace()
        part.tell_unused_entries()
        clean = workspace.clean() if self._measured is None else ()
        for target in part.targets:
            if target[0] in clean:
                part.checked.append(target)
            else:
                self._file(target, part)
        part.save()

    def settle(self) -> bool:
        """Write the fixes that waited; false if the command that was to verify them ended otherwise.

        Raises:
            Complaint: it can verify nothing, or a file cannot be written.
        """
        options = self._options
        held = [one for part in self._parts for one in part.changes.held]
        if not held:
            if not self._errors:  # which were told
                done = "described" if options.describes else "verified"
                complain(f"nothing to fix, so nothing was {done}")
            return True
        from overhead_lint.cli.held_fixes import settled

        self._trial = settled(held, self.main.root, options)
        return self._trial is None or self._trial.is_equal

    def text(self, path: Path, data: bytes) -> None:
        """Check the text of a file that is not on disk, or not yet; with ``--fix`` it goes to stdout."""
        options, target, part = self._options, files.named(path), self.main
        try:
            check_size(path, len(data))
            source = Source.from_bytes(path, data)
            part.workspace().put(source)
            found = part.lint(source, target)
            if options.fix or options.diff:
                source, found = part.changes.fix(source, target, found)
        except SourceError as error:
            self.fail(str(error))
            if options.fix:
                sys.stdout.buffer.write(data)
            return
        if options.fix:
            sys.stdout.buffer.write(source.data)
        self._sources[path] = source
        part.checked.append(target)
        self._findings.extend(found)

    def _explain(self, path: Path, line: int, cell: int) -> None:
        """Print why a place is as hot as it is."""
        from overhead_lint.cli.explain import explain  # few runs ask for it

        holding = (part for part in self._parts if any(target.path == path for target in part.targets))
        part = next(holding, self.main)
        workspace = part.workspace()
        part.tell_unused_entries()
        try:
            told = explain(path, line, cell, workspace)
        except (Complaint, SourceError) as error:
            self.fail(str(error))
            return
        print(*map(on_one_line, told), sep="\n")
        if part.root is None and self._options.project:
            print("    judged by itself: no settings file, .git or packaging metadata lies above")

    def _lint(self, source: Source, target: files.Target) -> list[Finding]:
        """The findings of a file with their fixes, for a report that asks for their edits."""
        return self._part_of.get(target.text, self.main).lint(source, target)

    def _file(self, target: files.Target, part: Part) -> None:
        options = self._options
        try:
            found = part.findings(target)
            if self._measured is not None:
                if self._measured.knows(target.path):
                    found = part.lint(Source.read(target.path), target)
                else:
                    found = self._measured.elsewhere(found)
            fixable = options.fixes and any(finding.fix for finding in found)
            if fixable or (found and options.add_ignore is not None):
                source = Source.read(target.path)
                found = found if self._measured is not None else part.lint(source, target)
                change = part.changes.fix if fixable else part.changes.add_ignores
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
        part.checked.append(target)
        if found:
            self._findings.extend(found)
            self._plans.targets[target.text] = target
            self._part_of[target.text] = part

    def finish(self) -> int:
        """Print the report, and give the exit status."""
        if self._options.show_files or self._options.explain is not None:
            return 2 if self._errors else 0
        try:
            if self._options.describes:
                return self._describe()
            if self._options.baseline.write:
                return self._write_baseline()
            return self._report()
        except Complaint as error:
            complain(f"overhead-lint: {error}")
            return 2

    def _describe(self) -> int:
        from overhead_lint.cli.fix_description import describe  # few runs ask for it

        fixing = self._fixing()
        if fixing is not None and fixing.fixed:
            describe(fixing.fixed, self._pricing(), self.main.rules.page, self._options, self._trial)
        return 2 if self._errors else 0

    def _report(self) -> int:
        options, cost = self._options.report, self._pricing()
        if self._options.fix_only:
            self._findings.clear()
        if self._places:  # parts were checked one after the other
            self._findings.sort(key=lambda finding: self._places[str(finding.path)])
        compared = cli_baseline.Compared(self._findings)
        if self._known is not None:
            compared = cli_baseline.compare(
                self._known, self._options.baseline, self._findings, self._sources, self._scopes()
            )
        left = compared.findings
        if left and not options.quiet:
            self._tell_notes(left)
        if left and not options.quiet and self._options.stdin is None:
            self._tell_unused_baseline()
        changes = [part.changes for part in self._parts]
        ranking = self._options.ranking
        told = told_as_one(left) if self._measured is None else self._measured.sorted(left)
        done = output.Report(
            ranking.shown(told, cost),
            self._sources,
            self._rules(),
            self._plans.of,
            cost,
            self.main.rules.page,
            by_cost=ranking.by_cost and self._measured is None,
            listed=ranking.tiers,
            asks_unsafe=self._options.unsafe,
            fixing=self._fixing(),
            errors=tuple(self._errors),
            baselined=compared.known,
            unwritten=sum(one.unwritten for one in changes),
        )
        self._plans.expect(done.findings)
        if self._options.fix_only:
            if not options.quiet:
                from overhead_lint.report.fix_totals import tier_lines  # costs start-up

                for line in [f"Fixed {count(done.fixed, 'finding')}.", *tier_lines(done)]:
                    complain(line)
        elif not self._options.diff:
            fixes_stdin = self._options.stdin is not None and self._options.fix
            report.show(done, options, sys.stderr if fixes_stdin else sys.stdout)
        elif not options.quiet:
            from overhead_lint.report import dry_run  # costs start-up

            for line in dry_run.render(done).splitlines():
                complain(line)
        silenced = sum(one.silenced for one in changes)
        if silenced and not options.quiet:
            complain(f"Silenced {count(silenced, 'finding')}.")
        would_fix = self._options.diff and done.fixed > 0
        return report.exit_status(done, options, failed=would_fix or compared.stale)

    def _fixing(self) -> output.FixRun | None:
        """What was fixed, or would be; None where that was not asked for."""
        options = self._options
        if not options.fixes:
            return None
        return output.FixRun(self._fixed(), options.unsafe, is_dry=options.diff)

    def _fixed(self) -> list[Finding]:
        return [finding for part in self._parts for finding in part.changes.fixed]

    def _pricing(self) -> Callable[[Finding], Cost]:
        """What prices findings: what a run measured, else what is expected."""
        # As with what one change mends, places asked for one by one say nothing of each other.
        among = [*self._findings, *self._fixed()] if self._options.ranking.by_cost else ()
        expected = reference(among).cost
        if (measured := self._measured) is None:
            return expected
        return lambda finding: measured.cost(finding, expected(finding))

    def _tell_notes(self, left: Sequence[Finding]) -> None:
        from overhead_lint.cli.comment_notes import notes  # costs start-up

        by_part: dict[Part, list[Finding]] = {}
        for finding in left:
            by_part.setdefault(self._part_of.get(str(finding.path), self.main), []).append(finding)
        for part, found in by_part.items():
            for note in notes(found, self._sources, part.rules):
                complain(note)

    def _tell_unused_baseline(self) -> None:
        root = self.main.root if self.main.has_project else None
        file = cli_baseline.unused(self._options.baseline, (Path(), root))
        if file is not None:
            complain(f"{file}: is not used: give --baseline {file}, or name it in the setting baseline")

    def _rules(self) -> Sequence[Rule]:
        """The rules that ran."""
        if len(self._parts) == 1:
            return self.main.rules
        found = {rule.code: rule for part in self._parts for rule in part.rules}
        return [found[code] for code in sorted(found)]

    def _write_baseline(self) -> int:
        assert self._known is not None, "a baseline that is to be written was made before the run"
        line = cli_baseline.update(self._known, self._findings, self._sources, self._scopes())
        if not self._options.report.quiet:
            print(line)
        return 2 if self._errors else 0

    def _scopes(self) -> Sequence[Scope]:
        from overhead_lint.report.baseline import Scope  # costs start-up

        return [
            Scope([target.path for target in part.checked], frozenset(rule.code for rule in part.rules))
            for part in self._parts
        ]
