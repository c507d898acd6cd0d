"""Workflow commands of GitHub Actions, which put findings beside the lines of a pull request."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from overhead_lint.output.place import relative_to, root

if TYPE_CHECKING:
    from pathlib import Path

    from overhead_lint.output import Report
    from overhead_lint.rule import Finding

__all__ = ["render"]


def render(report: Report) -> str:
    """A warning for each finding, then an error for each path that could not be checked."""
    folder = root(os.environ, "GITHUB_WORKSPACE")
    lines = [_warning(finding, folder) for finding in report.findings]
    lines += [f"::error title=overhead-lint::{_data(error)}" for error in report.errors]
    return "".join(f"{line}\n" for line in lines)


def _warning(finding: Finding, folder: Path) -> str:
    span = finding.span
    properties = {
        "title": f"{finding.code} {finding.name}",
        "file": relative_to(finding.path, folder),
        "line": str(span.line),
        "endLine": str(span.end_line),
    }
    if span.line == span.end_line:  # columns mean something on one line only
        properties |= {"col": str(span.column), "endColumn": str(span.end_column)}
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    text = f"{finding.message} [{finding.warmth.heat.label}: {finding.warmth.why}]"
    return f"::warning {given}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
