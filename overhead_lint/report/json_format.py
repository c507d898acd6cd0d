"""A list of objects, and nothing else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.report.chain_places import chain_places, staying_wait
from overhead_lint.report.numbers import number_of
from overhead_lint.report.place import in_cell, is_notebook, reason
from overhead_lint.rule import Applicability, OptionKind, Tier

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from overhead_lint.report import Report
    from overhead_lint.report.expected_cost import Cost
    from overhead_lint.rule import Finding, Gate, Option, Warmth

__all__ = ["STATISTICS", "objects", "render"]

STATISTICS: Final = "json"


def render(report: Report) -> str:
    """All findings as a JSON list, one object each, with the edits of their fixes."""
    # One after the other: as objects, and in the parts that `json` writes, all of them take several times
    # what the text does.
    each = [json.dumps([one], indent=2)[2:-2] for one in objects(report)]
    return "[\n" + ",\n".join(each) + "\n]\n" if each else "[]\n"


def objects(report: Report) -> Iterator[dict[str, Any]]:
    """Yield all findings as objects that JSON can hold, by file and place."""
    tellers = report.told_by()
    for finding in report.findings:
        yield _as_object(finding, tellers.get(id(finding)), report)


def _as_object(finding: Finding, teller: Finding | None, report: Report) -> dict[str, Any]:
    """A finding as an object that JSON can hold, with the edits of its fix."""
    span = finding.span
    return {
        "path": str(finding.path),
        **_region(finding.path, report, (span.line, span.column), (span.end_line, span.end_column)),
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "help": finding.help,
        "tier": report.cost(finding).tier.value,
        "cost": _cost(report.cost(finding), finding),
        "heat": finding.warmth.heat.label,
        "confidence": round(finding.confidence, 3),
        "worth": round(finding.worth, 3),
        "branches": finding.branches,
        "why": reason(finding, report.sources),
        "chain": [one._asdict() for one in chain_places(finding.warmth)],
        "reason": _reason(finding.warmth),
        "gate": _gate(finding.warmth.gate),
        "options": list(map(_option, finding.warmth.options)),
        "also": list(finding.also),
        "count": number_of([finding]),
        "told_by": _place(teller) if teller is not None else None,
        "fix": _fix(finding, report),
    }


def _place(finding: Finding) -> dict[str, Any]:
    """The finding that tells another."""
    return {"path": str(finding.path), "line": finding.span.line, "code": finding.code}


def _reason(warmth: Warmth) -> dict[str, Any]:
    """What makes a place hot: what its chain begins with, how long that is, and who runs it."""
    return {"kind": warmth.kind.label, "links": warmth.links, "evaluates": warmth.evaluates}


def _gate(gate: Gate | None) -> dict[str, Any] | None:
    """What lets a cold place run; None where nothing is known to."""
    if gate is None:
        return None
    return {"kind": gate.kind.label, "subject": gate.subject, "value": gate.value, "line": gate.line}


def _option(option: Option) -> dict[str, Any]:
    """What keeps a place from running while it has its default."""
    kind = OptionKind(option.kind).label
    return {
        "kind": kind,
        "owner": option.owner,
        "name": option.name,
        "default": option.default,
        "shipped": option.is_shipped,
    }


def _cost(cost: Cost, finding: Finding) -> dict[str, Any] | None:
    """What a finding costs a step; None where that does not matter."""
    if cost.tier is Tier.CORRECTNESS:
        return None
    return {
        "seconds_per_step": cost.seconds,
        "executions_per_step": cost.executions,
        "seconds_per_execution": cost.each,
        "estimate": not cost.is_measured,
        "rounds_assumed": cost.is_assumed,
        "waits": cost.waits,
        "waits_again": finding.waits_again,
        "stays": stays._asdict() if (stays := staying_wait(finding)) is not None else None,
    }


def _fix(finding: Finding, report: Report) -> dict[str, Any] | None:
    """The fix with its text edits; None where there is none, or none that can be carried out.

    One that lacks the runtime has no edits.
    """
    if finding.fix is not None and finding.fix.applicability is Applicability.NEEDS_RUNTIME:
        return {"applicability": finding.fix.applicability.value, "message": finding.fix.message, "edits": []}
    edits = report.plan(finding)
    if finding.fix is None or edits is None:
        return None
    source = report.sources[finding.path]
    return {
        "applicability": finding.fix.applicability.value,
        "message": finding.fix.message,
        "edits": [
            {**_region(finding.path, report, *map(source.position, edit[:2])), "text": edit.text}
            for edit in edits
        ],
    }


def _region(path: Path, report: Report, start: tuple[int, int], end: tuple[int, int]) -> dict[str, int]:
    """Lines and columns; in a notebook those of a cell, with its number."""
    (line, column), (end_line, end_column) = start, end
    region = {"line": line, "column": column, "end_line": end_line, "end_column": end_column}
    if is_notebook(path):
        cell, region["line"] = in_cell(report.sources[path], line)
        region = {"cell": cell, **region, "end_line": in_cell(report.sources[path], end_line)[1]}
    return region
