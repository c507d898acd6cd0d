"""The diagnostic format of reviewdog: reviews of pull requests, with edits that authors take by a click."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.report.cost_texts import told
from overhead_lint.report.place import is_notebook, lines, reason
from overhead_lint.report.published_pages import published_page
from overhead_lint.rule import Heat, Tier
from overhead_lint.support.relative_paths import relative_to, root

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from overhead_lint.report import Report
    from overhead_lint.rule import Finding, TextEdit
    from overhead_lint.syntax.source import Source

__all__ = ["render"]

_SEVERITIES: Final = {
    Tier.STALL: "WARNING",
    Tier.CORRECTNESS: "WARNING",
    Tier.HOST: "WARNING",
    Tier.MINOR: "INFO",
    Tier.MICRO: "INFO",
}
_MOST_LINES: Final = 20
"""Of a suggestion: a review shows it whole, and takes it only where all of its lines are in the diff."""


def render(report: Report) -> str:
    """All findings; those with a fix of a few lines that stand together with what these become."""
    folder = root(os.environ, "GITHUB_WORKSPACE", "CI_PROJECT_DIR")
    shown = {
        "source": {"name": "overhead-lint"},
        "diagnostics": [_diagnostic(finding, folder, report) for finding in report.findings],
    }
    return json.dumps(shown, indent=2) + "\n"


def _diagnostic(finding: Finding, folder: Path, report: Report) -> dict[str, Any]:
    cost, why = report.cost(finding), reason(finding, report.sources)
    text = f"{finding.message} [{told(cost)}; {finding.warmth.heat.label}: {why}]\nhelp: {finding.help}"
    first, last = lines(finding, report.sources)
    code, address = {"value": finding.code}, published_page(finding.code)
    if address is not None:
        code["url"] = address
    shown: dict[str, Any] = {
        "message": text,
        "location": {
            "path": relative_to(finding.path, folder),
            "range": {"start": {"line": first}, "end": {"line": last}},
        },
        "severity": "INFO" if finding.warmth.heat is Heat.PRESUMED else _SEVERITIES[cost.tier],
        "code": code,
    }
    edits = report.plan(finding)
    if finding.fix is not None and edits and not is_notebook(finding.path):
        suggestion = _suggestion(edits, report.sources[finding.path])
        if suggestion is not None:
            shown["message"] += f"\n{finding.fix.applicability.value} fix: {finding.fix.message}"
            shown["suggestions"] = [suggestion]
    return shown


def _suggestion(edits: Sequence[TextEdit], source: Source) -> dict[str, Any] | None:
    """Return what whole lines become, all edits of a fix together; None for lines that lie far apart."""
    from overhead_lint.edits.lines import splice  # few reports need it

    first = min(source.position(edit.start)[0] for edit in edits)
    last = max(source.position(edit.end)[0] for edit in edits)
    if last - first >= _MOST_LINES:
        return None
    texts = (source.text, splice(source.text, tuple(edits)))
    before, after = ([line.removesuffix("\r") for line in text.split("\n")] for text in texts)
    below = len(before) - last
    end = len(before[last - 1].encode(errors="replace")) + 1
    return {
        "range": {"start": {"line": first, "column": 1}, "end": {"line": last, "column": end}},
        "text": "\n".join(after[first - 1 : len(after) - below]),
    }
