"""Header, end-of-run section, budget file and JSON report of a session that was asked for them."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from overhead_lint.support import atomic
from overhead_lint.support.folder_lock import locked
from overhead_lint.support.plurals import count
from overhead_lint.support.shown_path import shown_path
from overhead_lint.support.versioned_json import UnusableFile, load
from pytest_overhead import line_profile
from pytest_overhead.budget_file import BadFile, BudgetFile, read, write
from pytest_overhead.budget_update import confirms, updated
from pytest_overhead.entries import FAULTS, PREFIX
from pytest_overhead.extensions import sections
from pytest_overhead.github import append_summary, error_commands
from pytest_overhead.left_counts import left, unwritten
from pytest_overhead.profile_update import profiled
from pytest_overhead.session import Options, Session
from pytest_overhead.tables import (
    MOST_ROWS,
    changes,
    checked,
    costs,
    counted_by_others,
    report_content,
    report_json,
    without_tests,
)

if TYPE_CHECKING:
    from overhead_lint.report.html.tests_report import Saved
    from pytest_overhead.hooks import ReportSection

__all__ = ["Reporting", "options_of", "refused_by_ci"]

_ENDED_EARLY: Final = frozenset(
    {pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR}
)
"""Ctrl-C, files that could not be collected, wrong use: what was measured until then is not the session's."""


def options_of(config: pytest.Config) -> Options:
    """The session's options.

    Raises:
        pytest.UsageError: a report that is neither JSON nor HTML, or options that do not go together.
    """
    report, source, numbers = (config.getoption(f"overhead_{name}") for name in ("report", "from", "numbers"))
    against = config.getoption("overhead_against")
    if report is not None and Path(report).suffix not in (".json", ".html", ".md"):
        raise pytest.UsageError(f"--overhead-report={report}: name it *.json, *.html or *.md")
    if report is not None and Path(report).suffix == ".md" and against is None:
        raise pytest.UsageError(f"--overhead-report={report}: goes with --overhead-against OLD.json")
    if source is not None:
        if config.getoption("overhead_update") == 0:
            raise pytest.UsageError("--overhead-from goes with --overhead-update")
        config.option.collectonly = True
    if config.getoption("overhead_update") and config.getoption("overhead_tighten"):
        why = "one raises limits, the other raises none: give one of them"
        raise pytest.UsageError(f"--overhead-update and --overhead-tighten: {why}")
    if config.getoption("overhead_times") and config.getoption("overhead_update") == 0:
        raise pytest.UsageError("--overhead-times goes with --overhead-update")
    return Options(
        enforce=config.getoption("overhead_budget"),
        update=config.getoption("overhead_update") > 0,
        tighten=config.getoption("overhead_tighten") > 0,
        times=config.getoption("overhead_times"),
        strict=config.getoption("overhead_strict"),
        report=config.invocation_params.dir / report if report is not None else None,
        against=config.invocation_params.dir / against if against is not None else None,
        numbers=config.invocation_params.dir / numbers if numbers is not None else None,
        source=config.invocation_params.dir / source if source is not None else None,
    )


def refused_by_ci(config: pytest.Config) -> str:
    """Why the file is not written under CI; "" when it may be."""
    on_ci = os.environ.get("CI", "").lower() not in ("", "0", "false")
    for name in ("update", "tighten"):
        if on_ci and config.getoption(f"overhead_{name}") == 1:
            return f"CI is set, so nothing is written; to write all the same, give --overhead-{name} twice"
    return ""


def _loaded(path: Path) -> Saved:
    """The report to compare with.

    Raises:
        pytest.UsageError: it cannot be used.
    """
    from overhead_lint.report.html.tests_report import FORMAT  # what reads reports costs start-up

    try:
        return load(path, FORMAT)
    except UnusableFile as error:
        raise pytest.UsageError(f"--overhead-against: {error}") from None


class Reporting:
    """Collects the results of all tests, wherever they ran, and reports them once.

    Args:
        session: the session's options and results.
        config: pytest's configuration.
    """

    def __init__(self, session: Session, config: pytest.Config) -> None:
        self.session = session
        self.refused = refused_by_ci(config)
        self.lines: list[str] = []
        self.sections: list[ReportSection] = []
        self._collected: frozenset[str] = frozenset()
        self._against = _loaded(session.options.against) if session.options.against is not None else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Note which tests there are, before any is deselected; only of files that were looked into whole."""
        if not config.getoption("lf", False) and not any("::" in argument for argument in config.args):
            self._collected = frozenset(item.nodeid for item in items)

    def pytest_report_header(self) -> str:
        """Say what is enforced."""
        return f"overhead: {self.session.intent()}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the numbers out of a report; what is no number is for nobody else, JUnit's writer for one."""
        self.session.note(report)
        ours = (f"{PREFIX}detail", FAULTS)
        report.user_properties[:] = [pair for pair in report.user_properties if pair[0] not in ours]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write what was asked for; a session that ended early leaves the files of before as they are."""
        options = self.session.options
        if exitstatus in _ENDED_EARLY:
            files = [options.report, self.session.path if options.writes else None]
            root = session.config.rootpath
            shown = [shown_path(str(file), root) for file in files if file]
            self.lines += [f"{file}: not written, the session ended early" for file in shown]
            return
        try:
            self._write(session)
        except KeyboardInterrupt:  # which pytest expects from tests alone, and would show with a traceback
            self.lines.append("interrupted; files that were not written yet are as they were")
            session.exitstatus = pytest.ExitCode.INTERRUPTED

    def _write(self, session: pytest.Session) -> None:
        options = self.session.options
        if options.source is not None:
            self._take(options.source, session)
        elif session.config.getoption("collectonly"):
            return
        if options.writes and self.refused:
            self.lines.append(self.refused)
        elif options.writes:
            self._try(session, functools.partial(self._write_budgets, session.config.rootpath))
        results = {test: result.values for test, result in self.session.results.items()}
        self.sections = sections(session.config, results)
        for path in filter(None, (options.numbers, options.report)):
            self._try(session, functools.partial(self._write_report, path, session.config.rootpath))

    def _try(self, session: pytest.Session, write: Callable[[], list[str]]) -> None:
        """Write a file; where that fails, the session ends as after wrong use, and still shows its tests."""
        try:
            self.lines += write()
        except pytest.UsageError as error:
            if not session.config.pluginmanager.hasplugin("terminalreporter"):
                raise
            self.lines.append(f"ERROR: {error}")
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def _write_report(self, path: Path, root: Path) -> list[str]:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic.write(path, self._report(path, root).encode())
        except OSError as error:
            raise pytest.UsageError(f"{path}: cannot be written: {error.strerror or error}") from None
        return (
            [f"{shown_path(str(path), root)}: report written"] if path == self.session.options.report else []
        )

    def _report(self, path: Path, root: Path) -> str:
        if path.suffix == ".json":
            return report_json(self.session, root)
        if path.suffix == ".md" and self._against is not None:
            return self._comment(root)
        from overhead_lint.report.html.page import Section
        from overhead_lint.report.html.tests_page import render
        from overhead_lint.report.html.text import escaped

        more = [
            Section(f"more-{number}", s.title, s.html or f"<pre>{escaped(chr(10).join(s.lines))}</pre>\n")
            for number, s in enumerate(self.sections, 1)
        ]
        return render([self._saved(root)], root, self._against, more=more)

    def _saved(self, root: Path) -> Saved:
        """What a report of this session would hold."""
        from overhead_lint.report.html.tests_report import parse

        return parse("this session", report_content(self.session, root))

    def _comment(self, root: Path) -> str:
        """What differs from the report to compare with, in Markdown; "" without one."""
        if self._against is None:
            return ""
        from overhead_lint.report.comment import comment

        return comment(self._against, self._saved(root))

    def _compared(self, root: Path) -> list[str]:
        """Which counts differ from the report to compare with, the largest changes first."""
        if self._against is None:
            return []
        from overhead_lint.report.comment import in_short, listed
        from overhead_lint.report.count_changes import changed_counts

        found = changed_counts(self._against, self._saved(root))
        return [f"against {self._against.name}: {in_short(found)}", *listed(found, MOST_ROWS)]

    def _take(self, source: Path, session: pytest.Session) -> None:
        from overhead_lint.measure.evidence import read as read_evidence

        try:
            evidence = read_evidence(source)
        except UnusableFile as error:
            raise pytest.UsageError(f"--overhead-from: {error}") from None
        if not evidence.tests:
            why = "holds no tests: they come from `overhead-lint run --pytest`"
            raise pytest.UsageError(f"--overhead-from: {source}: {why}")
        self.session.take(evidence, {item.nodeid for item in session.items})

    def _write_budgets(self, root: Path) -> list[str]:
        session, beside = self.session, line_profile.path_beside(self.session.path)
        try:
            with locked(session.path.resolve().parent):
                # Read again: another session may have written since this one began.
                old, recorded = read(session.path) or BudgetFile(), line_profile.read(beside)
                new = updated(session, old)
                lines = profiled(session, recorded, old, new, root)
                if lines != recorded:
                    line_profile.write(beside, lines)
                confirmed = new.tests == old.tests and confirms(session, old)
                if new.tests == old.tests and not confirmed:
                    moved = [f"{beside.name}: written, other lines make the counts"] * (lines != recorded)
                    return [*unwritten(session, old), *moved]
                write(session.path, new)
        except BadFile as error:
            raise pytest.UsageError(str(error)) from None
        except OSError as error:
            raise pytest.UsageError(f"{session.path}: cannot be written: {error.strerror or error}") from None
        kept = left(session, old)
        if confirmed:
            told = "every count is as it was" if not kept else "every count that was measured is as it was"
            return [*kept, f"{session.path.name}: {told}; written that they hold here, too"]
        return [
            *changes(old, new, recorded, lines),
            *kept,
            f"{session.path.name}: written, {count(len(new.tests), 'test')}",
        ]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
        """Show costs, changes and the next step; after wrong use, only what was not written."""
        session = self.session
        if exitstatus == pytest.ExitCode.USAGE_ERROR:
            for line in self.lines:
                terminalreporter.write_line(line)
            return
        if session.options.source is None and terminalreporter.config.getoption("collectonly"):
            return
        terminalreporter.section("overhead")
        shown = costs(session) if session.survey else checked(session)
        gone = without_tests(session, self._collected, terminalreporter.config.rootpath)
        compared = self._compared(terminalreporter.config.rootpath)
        for line in [*shown, *gone, *counted_by_others(session), *compared, *self.lines]:
            terminalreporter.write_line(line)
        for section in self.sections:
            terminalreporter.write_line(f"{section.title}:")
            for line in section.lines:
                terminalreporter.write_line(f"  {line}")
        if os.environ.get("GITHUB_ACTIONS") == "true":
            terminalreporter.write_line("")
            for line in error_commands(session):
                terminalreporter.write_line(line)
            try:
                root = terminalreporter.config.rootpath
                append_summary(session, os.environ, self._comment(root))
            except OSError as error:
                terminalreporter.write_line(f"no step summary was written: {error}")
