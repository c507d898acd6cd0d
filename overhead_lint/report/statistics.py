"""How many findings each rule has, in place of the findings."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from overhead_lint.report.numbers import number_of
from overhead_lint.report.summary import summary
from overhead_lint.rule import Applicability

if TYPE_CHECKING:
    from overhead_lint.report import Report

__all__ = ["as_json", "as_text"]


def as_text(report: Report) -> str:
    """A table, the rule with the most findings first, then the summary."""
    blocks = []
    if rows := _rows(report):
        from tabulate import tabulate

        blocks.append(tabulate([_shown(row) for row in rows], headers="keys"))
    blocks += summary(report)
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    share = (row["safe"] + row["unsafe"]) / row["count"]
    return {**row, "fixable": f"{share:.0%}"}


def as_json(report: Report) -> str:
    """The same as a JSON list."""
    return json.dumps(_rows(report), indent=2) + "\n"


def _rows(report: Report) -> list[dict[str, Any]]:
    counts, fixes = Counter[tuple[str, str]](), Counter[tuple[str, Applicability]]()
    for finding in report.findings:
        counts[finding.code, finding.name] += number_of([finding])
        if finding.fix is not None:
            fixes[finding.code, finding.fix.applicability] += number_of([finding])
    return [
        {
            "code": code,
            "name": name,
            "count": number,
            "safe": fixes[code, Applicability.SAFE],
            "unsafe": fixes[code, Applicability.UNSAFE],
            "needs-runtime": fixes[code, Applicability.NEEDS_RUNTIME],
        }
        for (code, name), number in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
