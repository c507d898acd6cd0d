"""The reports that a session writes, and what differs from one of before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from overhead_lint.report.html.tests_report import FORMAT, Saved, parse
from overhead_lint.support import atomic
from overhead_lint.support.shown_path import shown_path
from overhead_lint.support.versioned_json import UnusableFile, load
from pytest_overhead.report_content import report_content, report_json
from pytest_overhead.summary import MOST_ROWS

if TYPE_CHECKING:
    from pytest_overhead.hooks import ReportSection
    from pytest_overhead.session import Session

__all__ = ["commented", "compared", "loaded", "write_report"]


def loaded(path: Path) -> Saved:
    """The report to compare with.

    Raises:
        pytest.UsageError: it cannot be used.
    """
    try:
        return load(path, FORMAT)
    except UnusableFile as error:
        raise pytest.UsageError(f"--overhead-against: {error}") from None


def write_report(
    session: Session, path: Path, root: Path, *, against: Saved | None, sections: Sequence[ReportSection]
) -> list[str]:
    """Write a report, in the format that its name asks for.

    Args:
        session: the session.
        path: where to.
        root: pytest's root folder.
        against: the report to compare with.
        sections: what other plugins add.

    Returns:
        What to say of it.

    Raises:
        pytest.UsageError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic.write(path, _report(session, path, root, against, sections).encode())
    except OSError as error:
        raise pytest.UsageError(f"{path}: cannot be written: {error.strerror or error}") from None
    return [f"{shown_path(str(path), root)}: report written"] if path == session.options.report else []


def _report(
    session: Session, path: Path, root: Path, against: Saved | None, sections: Sequence[ReportSection]
) -> str:
    if path.suffix == ".json":
        return report_json(session, root)
    if path.suffix == ".md" and against is not None:
        return commented(session, root, against)
    from overhead_lint.report.html.page import Section
    from overhead_lint.report.html.tests_page import render
    from overhead_lint.report.html.text import escaped

    more = [
        Section(f"more-{number}", s.title, s.html or f"<pre>{escaped(chr(10).join(s.lines))}</pre>\n")
        for number, s in enumerate(sections, 1)
    ]
    return render([_saved(session, root)], root, against, more=more)


def _saved(session: Session, root: Path) -> Saved:
    """What a report of this session would hold."""
    return parse("this session", report_content(session, root))


def commented(session: Session, root: Path, against: Saved) -> str:
    """What differs from the report to compare with, in Markdown."""
    from overhead_lint.report.comment import comment

    return comment(against, _saved(session, root))


def compared(session: Session, root: Path, against: Saved) -> list[str]:
    """Which counts differ from the report to compare with, the largest changes first."""
    from overhead_lint.report.comment import in_short, listed
    from overhead_lint.report.count_changes import changed_counts

    found = changed_counts(against, _saved(session, root))
    return [f"against {against.name}: {in_short(found)}", *listed(found, MOST_ROWS)]
