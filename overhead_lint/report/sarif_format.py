"""SARIF 2.1.0, which code scanning services and editors read."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from overhead_lint import __version__
from overhead_lint.report.cost_texts import told
from overhead_lint.report.place import is_notebook, lines, reason
from overhead_lint.report.published_pages import published_page
from overhead_lint.rule import Heat, Tier
from overhead_lint.support.relative_paths import relative_to, root

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from overhead_lint.report import Report
    from overhead_lint.rule import Finding, Rule, TextEdit
    from overhead_lint.syntax.source import Source

__all__ = ["render"]

_BASE: Final = "%SRCROOT%"
_LEVELS: Final = {
    Tier.STALL: "warning",
    Tier.CORRECTNESS: "warning",
    Tier.HOST: "warning",
    Tier.MINOR: "note",
    Tier.MICRO: "note",
}
_RANKS: Final = {
    Tier.STALL: 90.0,
    Tier.CORRECTNESS: 70.0,
    Tier.HOST: 50.0,
    Tier.MINOR: 30.0,
    Tier.MICRO: 10.0,
}
"""What services sort by, from 0 to 100."""


def render(report: Report) -> str:
    """One run with its rules and results; fixes with their edits, and whether they are safe."""
    folder = root(os.environ, "GITHUB_WORKSPACE", "CI_PROJECT_DIR")
    index = {rule.code: number for number, rule in enumerate(report.rules)}
    found = frozenset(finding.code for finding in report.findings)
    tellers = report.told_by()
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "overhead-lint",
                "version": __version__,
                "rules": [_rule(rule, report, found) for rule in report.rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not report.errors,
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": error}} for error in report.errors
                ],
            }
        ],
        "results": [
            _result(finding, tellers.get(id(finding)), index, folder, report) for finding in report.findings
        ],
    }
    log = {
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(log, indent=2) + "\n"


def _rule(rule: Rule, report: Report, found: frozenset[str]) -> dict[str, Any]:
    """A rule; of one that found something with its page, as help."""
    shown: dict[str, Any] = {"id": rule.code, "name": rule.name, "shortDescription": {"text": rule.summary}}
    shown["fullDescription"] = {"text": rule.summary}
    shown["help"] = {"text": f"overhead-lint rule {rule.code}"}
    address = published_page(rule.code)
    if address is not None:
        shown["helpUri"] = address
    page = report.page(rule.code) if rule.code in found else None
    text = _text_of(page) if page is not None else ""
    if text:
        head = text.partition("\n## ")[0].partition("\n")[2].strip()
        shown["fullDescription"] = {"text": head or rule.summary}
        shown["help"]["markdown"] = text
    return shown


def _text_of(page: Path) -> str:
    """The text of a rule's page; "" where it cannot be read."""
    try:
        return page.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _result(
    finding: Finding, teller: Finding | None, index: dict[str, int], folder: Path, report: Report
) -> dict[str, Any]:
    span, cost = finding.span, report.cost(finding)
    region = _region(span.line, span.column, span.end_line, span.end_column)
    in_notebook = is_notebook(finding.path)
    if in_notebook:  # its JSON has these lines, but no such columns
        first, last = lines(finding, report.sources)
        region = {"startLine": first, "endLine": last}
    where = _artifact(finding.path, folder)
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": "note" if finding.warmth.heat is Heat.PRESUMED else _LEVELS[cost.tier],
        "rank": _RANKS[cost.tier],
        "message": {"text": finding.message},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": where,
                    "region": region,
                }
            }
        ],
        "properties": {
            "tier": cost.tier.value,
            "cost": told(cost),
            "heat": finding.warmth.heat.label,
            "why": reason(finding, report.sources),
            "help": finding.help,
        },
    }
    if teller is not None:
        region = {"startLine": teller.span.line}
        place = {"artifactLocation": _artifact(teller.path, folder), "region": region}
        text = f"told by {teller.code} {teller.name}"
        result["relatedLocations"] = [{"physicalLocation": place, "message": {"text": text}}]
    if finding.code in index:
        result["ruleIndex"] = index[finding.code]
    edits = report.plan(finding)
    if finding.fix is not None and edits:
        replacements = list(_replacements(edits, report.sources[finding.path]))
        change = {"artifactLocation": where, "replacements": replacements}
        text = f"{finding.fix.applicability.value}: {finding.fix.message}"
        result["fixes"] = [{"description": {"text": text}, "artifactChanges": [change]}]
    return result


def _replacements(edits: Sequence[TextEdit], source: Source) -> Iterator[dict[str, Any]]:
    """Edits of the file; of a notebook those of its JSON, which hold the whole code of a cell."""
    position = source.position
    if source.notebook is not None:
        from overhead_lint.edits.lines import splice  # rare

        edits = source.notebook.changes(splice(source.text, tuple(edits)))
        position = source.notebook.json_position
    for edit in edits:
        region = _region(*position(edit.start), *position(edit.end))
        yield {"deletedRegion": region, "insertedContent": {"text": edit.text}}


def _region(line: int, column: int, end_line: int, end_column: int) -> dict[str, int]:
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _artifact(path: Path, folder: Path) -> dict[str, str]:
    """Where a file is: below the root, or by its full address."""
    named = relative_to(path, folder)
    address = quote(os.fsencode(named))  # of the bytes: a name need not be UTF-8
    return {"uri": f"file://{address}"} if named.startswith("/") else {"uri": address, "uriBaseId": _BASE}
