"""A list of objects, and nothing else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from overhead_lint.output import Report
    from overhead_lint.rule import Finding, TextEdit
    from overhead_lint.source import Source

__all__ = ["as_object", "render"]


def render(report: Report) -> str:
    """All findings as a JSON list, one object each, with the edits of their fixes."""
    return json.dumps([as_object(finding, report) for finding in report.findings], indent=2) + "\n"


def as_object(finding: Finding, report: Report) -> dict[str, Any]:
    """A finding as an object that JSON can hold, with the edits of its fix."""
    span = finding.span
    return {
        "path": str(finding.path),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "heat": finding.warmth.heat.label,
        "why": finding.warmth.why,
        "fix": _fix(finding, report),
    }


def _fix(finding: Finding, report: Report) -> dict[str, Any] | None:
    """The fix with its text edits; None where there is none, or none that can be carried out."""
    edits = report.plan(finding)
    if finding.fix is None or edits is None:
        return None
    source = report.sources[finding.path]
    return {
        "applicability": finding.fix.applicability.value,
        "message": finding.fix.message,
        "edits": [_edit(edit, source) for edit in edits],
    }


def _edit(edit: TextEdit, source: Source) -> dict[str, Any]:
    line, column = source.position(edit.start)
    end_line, end_column = source.position(edit.end)
    return {
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "text": edit.text,
    }
