"""The last line of the text formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.rule import Applicability

if TYPE_CHECKING:
    from overhead_lint.output import Report

__all__ = ["summary"]


def summary(report: Report) -> str:
    """What a run found, fixed and could not check, in one line."""
    fixed = f"Fixed {_count(report.fixed, 'finding')}. " if report.fixed else ""
    if not report.findings:
        if report.errors:
            return f"{fixed}No findings, but {_count(report.errors, 'path')} could not be checked."
        return f"{fixed}No findings left." if fixed else "No findings."
    files = len({finding.path for finding in report.findings})
    line = f"{fixed}Found {_count(len(report.findings), 'finding')} in {_count(files, 'file')}"
    fixes = [finding.fix.applicability for finding in report.findings if finding.fix is not None]
    safe, unsafe = fixes.count(Applicability.SAFE), fixes.count(Applicability.UNSAFE)
    parts = []
    if safe:
        parts.append(f"{safe} fixable with --fix")
    if unsafe:
        parts.append(f"{unsafe} {'' if safe else 'fixable '}with --unsafe-fixes")
    return f"{line} ({', '.join(parts)})." if parts else f"{line}."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
