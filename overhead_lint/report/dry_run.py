"""The one line that goes with a diff."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.report.summary import count, fixable, number_of, unchecked

if TYPE_CHECKING:
    from overhead_lint.report import Report

__all__ = ["render"]


def render(report: Report) -> str:
    """What would be fixed, and what would be left."""
    left = count(number_of(report.findings), "finding")
    return f"Would fix {report.fixed}, leaving {left}{fixable(report)}{unchecked(report)}.\n"
