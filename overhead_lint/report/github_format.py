"""Workflow commands of GitHub Actions, which put findings beside the lines of a pull request."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from overhead_lint.report.place import is_notebook, lines, reason
from overhead_lint.support.relative_paths import relative_to, root

if TYPE_CHECKING:
    from pathlib import Path

    from overhead_lint.report import Report
    from overhead_lint.rule import Finding

__all__ = ["BY_COST", "render"]

BY_COST: Final = True  # of a job's warnings the first ten are shown


def render(report: Report) -> str:
    """A warning for each finding, then an error for each path that could not be checked."""
    folder = root(os.environ, "GITHUB_WORKSPACE")
    said = [_warning(finding, folder, report) for finding in report.findings]
    said += [f"::error title=overhead-lint::{_data(error)}" for error in report.errors]
    return "".join(f"{line}\n" for line in said)


def _warning(finding: Finding, folder: Path, report: Report) -> str:
    span = finding.span
    line, end_line = lines(finding, report.sources)
    properties = {
        "title": f"{finding.code} {finding.name}",
        "file": relative_to(finding.path, folder),
        "line": str(line),
        "endLine": str(end_line),
    }
    # Columns mean something on one line only, and not in JSON.
    if span.line == span.end_line and not is_notebook(finding.path):
        properties |= {"col": str(span.column), "endColumn": str(span.end_column)}
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    heat, tier = finding.warmth.heat.label, report.cost(finding).tier.value
    text = f"{finding.message} [{tier}, {heat}: {reason(finding, report.sources)}]"
    return f"::warning {given}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
