"""Header, end-of-run section and budget file of a session that was asked for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_overhead.file import BudgetFile, write
from pytest_overhead.message import quantity

if TYPE_CHECKING:
    from pytest_overhead.session import Session

__all__ = ["Reporting"]

MOST_ROWS = 10


class Reporting:
    """Collects the results of all tests, wherever they ran, and reports them once.

    Args:
        session: the session's options and results.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.lines: list[str] = []

    def pytest_report_header(self) -> str:
        """Say what is enforced."""
        return f"overhead: {self.session.intent()}"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the numbers out of a report."""
        self.session.note(report)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Write the budget file where asked."""
        session = self.session
        if not session.update:
            return
        new = session.updated()
        old = session.file or BudgetFile()
        if new.tests == old.tests:
            self.lines.append(f"{session.path.name}: nothing to write, every count is as it was")
            return
        try:
            write(session.path, new)
        except OSError as error:
            raise pytest.UsageError(f"{session.path}: cannot be written: {error}") from None
        self.lines += _changes(old, new)
        self.lines.append(f"{session.path.name}: written, {len(new.tests)} tests")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Show costs, changes and the next step."""
        session = self.session
        terminalreporter.section("overhead")
        if session.survey:
            for line in _costs(session):
                terminalreporter.write_line(line)
        elif session.file is not None:
            for line in _checked(session):
                terminalreporter.write_line(line)
        for line in self.lines:
            terminalreporter.write_line(line)


def _costs(session: Session) -> list[str]:
    """The most expensive tests, one row each, and what to do next."""
    measured = {test: result.values for test, result in session.results.items() if result.values}
    if not measured:
        return ["no test ran torch code that could be measured"]
    metrics = sorted({metric for values in measured.values() for metric in values})
    ranked = sorted(measured, key=lambda test: (-sum(measured[test].values()), test))[:MOST_ROWS]
    rows = [["test", *metrics]]
    for test in ranked:
        values = measured[test]
        rows.append([test, *(quantity(m, values[m]) if m in values else "-" for m in metrics)])
    lines = _table(rows)
    if len(measured) > MOST_ROWS:
        lines.append(f"and {len(measured) - MOST_ROWS} cheaper tests")
    if not session.update:
        lines += [
            "nothing was enforced but markers and fixtures. Next:",
            f"  pytest --overhead-update    writes these counts to {session.path.name}; commit it",
            "  pytest --overhead-budget    then fails a test that exceeds them",
        ]
    return lines


def _table(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]


def _checked(session: Session) -> list[str]:
    assert session.file is not None, "called with a file"
    checked = [test for test in session.results if test in session.file.tests]
    over = [test for test, result in session.results.items() if result.verdict]
    count = f"{len(checked)} of {len(session.file.tests)}"
    lines = [f"{count} budgets of {session.path.name} checked, {len(over)} not kept"]
    here = session.fingerprint()
    for key in ("torch", "python"):
        before = session.file.fingerprint.get(key)
        if before is not None and before != here[key]:
            lines.append(f"counts were recorded with {key} {before}, this is {here[key]}: they may differ")
    slack = []
    for test in checked:
        values = session.results[test].values
        for metric, limit in session.file.tests[test].items():
            if values.get(metric, limit) < limit:
                slack.append(
                    f"{test}: {metric} {quantity(metric, limit)} -> {quantity(metric, values[metric])}"
                )
    if slack:
        lines.append(f"{len(slack)} limits are higher than needed (pytest --overhead-update lowers them):")
        lines += [f"  {line}" for line in slack[:MOST_ROWS]]
    return lines


def _changes(old: BudgetFile, new: BudgetFile) -> list[str]:
    lines = []
    for test, limits in sorted(new.tests.items()):
        before = old.tests.get(test, {})
        for metric, limit in sorted(limits.items()):
            if metric not in before:
                lines.append(f"new      {test} {metric} {quantity(metric, limit)}")
            elif before[metric] != limit:
                word = "lowered" if limit < before[metric] else "RAISED"
                change = f"{quantity(metric, before[metric])} -> {quantity(metric, limit)}"
                lines.append(f"{word:<8} {test} {metric} {change}")
    return lines
