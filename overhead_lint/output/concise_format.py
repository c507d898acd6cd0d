"""One line a finding: ``path:line:column: CODE name message``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.output.summary import summary

if TYPE_CHECKING:
    from overhead_lint.output import Report
    from overhead_lint.rule import Finding

__all__ = ["headline", "render"]


def headline(finding: Finding) -> str:
    """The line that names a finding."""
    span = finding.span
    return f"{finding.path}:{span.line}:{span.column}: {finding.code} {finding.name} {finding.message}"


def render(report: Report) -> str:
    """All findings, one a line, then the summary."""
    lines = [f"{headline(finding)} [{finding.warmth.heat.label}]" for finding in report.findings]
    return "\n".join([*lines, summary(report), ""])
