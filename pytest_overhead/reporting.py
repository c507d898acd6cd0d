"""Header, end-of-run section, budget file and JSON report of a session that was asked for them."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from overhead_lint.support.shown_path import shown_path
from pytest_overhead.entries import FAULTS, PREFIX
from pytest_overhead.extensions import sections
from pytest_overhead.session import Options, Session
from pytest_overhead.summary import checked, costs, counted_by_others, without_tests

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
        self._against = _against(session.options)

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
        options, root = self.session.options, session.config.rootpath
        if options.source is not None:
            from pytest_overhead.budget_writing import take

            take(self.session, options.source, {item.nodeid for item in session.items})
        elif session.config.getoption("collectonly"):
            return
        if options.writes and self.refused:
            self.lines.append(self.refused)
        elif options.writes:
            from pytest_overhead.budget_writing import write_budgets

            self._try(session, functools.partial(write_budgets, self.session, root))
        results = {test: result.values for test, result in self.session.results.items()}
        self.sections = sections(session.config, results)
        for path in filter(None, (options.numbers, options.report)):
            from pytest_overhead.reports import write_report

            write = functools.partial(
                write_report, self.session, path, root, against=self._against, sections=self.sections
            )
            self._try(session, write)

    def _try(self, session: pytest.Session, write: Callable[[], list[str]]) -> None:
        """Write a file; where that fails, the session ends as after wrong use, and still shows its tests."""
        try:
            self.lines += write()
        except pytest.UsageError as error:
            if not session.config.pluginmanager.hasplugin("terminalreporter"):
                raise
            self.lines.append(f"ERROR: {error}")
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

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
            self._tell_github(terminalreporter)

    def _compared(self, root: Path) -> list[str]:
        """Which counts differ from the report to compare with, the largest changes first."""
        if self._against is None:
            return []
        from pytest_overhead.reports import compared

        return compared(self.session, root, self._against)

    def _tell_github(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print commands for annotations, and append to the step summary."""
        from pytest_overhead.github import append_summary, error_commands

        session, changed = self.session, ""
        if self._against is not None:
            from pytest_overhead.reports import commented

            changed = commented(session, terminalreporter.config.rootpath, self._against)
        terminalreporter.write_line("")
        for line in error_commands(session):
            terminalreporter.write_line(line)
        try:
            append_summary(session, os.environ, changed)
        except OSError as error:
            terminalreporter.write_line(f"no step summary was written: {error}")


def _against(options: Options) -> Saved | None:
    """The report to compare with, where one is named."""
    if options.against is None:
        return None
    from pytest_overhead.reports import loaded

    return loaded(options.against)
