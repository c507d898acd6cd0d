"""Reports of tests as one page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.report.html.page import Section, facts, page
from overhead_lint.report.html.tests_sections import (
    bystanders,
    changes,
    costs,
    excesses,
    progress,
    sources,
    timelines,
)
from overhead_lint.report.html.text import escaped, quantity
from overhead_lint.support.plurals import count

if TYPE_CHECKING:
    from overhead_lint.report.html.tests_report import Saved

__all__ = ["render"]


def render(
    reports: Sequence[Saved], root: Path, against: Saved | None = None, more: Sequence[Section] = ()
) -> str:
    """The page.

    Args:
        reports: one or more, the oldest first; several give a history, and the last is shown in full.
        root: folder that source files are shown relative to.
        against: a report to compare the last one with.
        more: further sections.
    """
    newest = reports[-1]
    failed = sum(1 for test in newest.tests.values() if test.verdict)
    versions = ", ".join(f"{key} {value}" for key, value in sorted(newest.fingerprint.items()))
    measured_with = f" Measured with {escaped(versions)}." if versions else ""
    kept = f"{failed} did not keep their budget" if failed else "every budget was kept"
    lead = f"<p>{count(len(newest.tests), 'test')}, {kept}.{measured_with}</p>\n"
    totals = {
        metric: sum(test.values.get(metric, 0) for test in newest.tests.values())
        for metric in newest.metrics
        if metric not in newest.times
    }
    most = sorted((metric for metric in totals if totals[metric]), key=lambda m: (-totals[m], m))[:5]
    lead += facts(
        {
            "tests": str(len(newest.tests)),
            "budgets not kept": str(failed),
            **{f"{metric} in all": quantity(totals[metric], is_time=False) for metric in most},
        }
    )
    sections = [excesses(newest)]
    if against is not None:
        sections.append(changes(against, newest))
    if len(reports) > 1:
        sections.append(progress(reports))
    sections += [
        costs(newest),
        *bystanders(newest),
        *sources(newest, str(root)),
        timelines(newest, str(root)),
        *more,
    ]
    return page("Host overhead of tests", lead, sections)
