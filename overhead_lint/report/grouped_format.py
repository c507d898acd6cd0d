"""Findings below the name of their file."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from overhead_lint.errors import on_one_line
from overhead_lint.report.place import where
from overhead_lint.report.style import paint
from overhead_lint.report.summary import summary

if TYPE_CHECKING:
    from pathlib import Path

    from overhead_lint.report import Report
    from overhead_lint.rule import Finding

__all__ = ["STATISTICS", "render"]

STATISTICS: Final = "text"


def render(report: Report) -> str:
    """A block for each file, places aligned, then the summary."""
    groups = groupby(report.findings, key=lambda finding: finding.path)
    blocks = [_block(path, list(findings), report) for path, findings in groups]
    blocks += summary(report)
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _block(path: Path, findings: list[Finding], report: Report) -> str:
    color = report.color
    places = [where(finding, report.sources) for finding in findings]
    width = max(map(len, places))
    lines = [f"{paint(on_one_line(str(path)), 'bold', color=color)}:"]
    for place, finding in zip(places, findings, strict=True):
        code = paint(finding.code, "red", color=color)
        tier, heat = report.cost(finding).tier.value, finding.warmth.heat.label
        told = f"{on_one_line(finding.message)} [{tier}, {heat}]{_fix(finding)}"
        lines.append(f"  {place:>{width}}  {code} {told}")
    return "\n".join(lines)


def _fix(finding: Finding) -> str:
    return f" ({finding.fix.applicability.value} fix)" if finding.fix is not None else ""
