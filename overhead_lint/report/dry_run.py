"""What is said beside a diff."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.report.fix_totals import tier_lines
from overhead_lint.report.numbers import number_of
from overhead_lint.report.summary import fixable, held_back, unchecked
from overhead_lint.support.plurals import count

if TYPE_CHECKING:
    from overhead_lint.report import Report

__all__ = ["render"]


def render(report: Report) -> str:
    """What would be fixed, what would be left, by tier, too, and how to have more fixed."""
    left = count(number_of(report.findings), "finding")
    line = f"Would fix {report.fixed}, leaving {left}{fixable(report)}{unchecked(report)}."
    return "".join(f"{line}\n" for line in [line, *tier_lines(report), *held_back(report)])
