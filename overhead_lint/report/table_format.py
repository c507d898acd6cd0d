"""A table, one row a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.errors import on_one_line
from overhead_lint.report.cost_texts import price
from overhead_lint.report.place import where
from overhead_lint.report.summary import summary

if TYPE_CHECKING:
    from overhead_lint.report import Report
    from overhead_lint.rule import Finding

__all__ = ["BY_COST", "STATISTICS", "render"]

BY_COST: Final = True
STATISTICS: Final = "text"

_HEADERS = ("place", "code", "tier", "cost", "heat", "fix", "message")


def render(report: Report) -> str:
    """All findings as a table, then the summary."""
    blocks = []
    if report.findings:
        from tabulate import tabulate

        rows = [_row(finding, report) for finding in report.findings]
        blocks.append(tabulate(rows, _HEADERS, disable_numparse=True))
    blocks += summary(report)
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _row(finding: Finding, report: Report) -> tuple[str, ...]:
    place = f"{on_one_line(str(finding.path))}:{where(finding, report.sources)}"
    fix = finding.fix.applicability.value if finding.fix is not None else ""
    cost = report.cost(finding)
    heat = finding.warmth.heat.label
    return (place, finding.code, cost.tier.value, price(cost), heat, fix, on_one_line(finding.message))
