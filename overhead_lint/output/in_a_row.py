"""Findings of one rule, line after line, told as one: a reader sees a block of reads, not twelve findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhead_lint.rule import Finding

__all__ = ["told_as_one"]

# A line between two findings, empty or a comment, leaves them in a row.
_NEAR: Final = 2


def told_as_one(findings: Iterable[Finding]) -> list[Finding]:
    """Findings in which those that follow another one in a row are told by the first.

    They are of the same rule, function and heat. What has a fix stands for itself, and so does all in
    notebooks, whose lines are counted cell by cell.
    """
    rows: list[list[Finding]] = []
    open_rows: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        function = finding.standing.function if finding.standing is not None else ""
        key = finding.path, finding.code, finding.warmth.heat, function
        row = open_rows.get(key)
        if row is not None and _follows(row[-1], finding):
            row.append(finding)
            continue
        row = [finding]
        rows.append(row)
        if finding.fix is None and finding.path.suffix != ".ipynb":
            open_rows[key] = row
        else:
            open_rows.pop(key, None)
    return [_told(row) for row in rows]


def _follows(before: Finding, finding: Finding) -> bool:
    away = finding.span.line - max(before.span.line, before.span.end_line)
    return finding.fix is None and away <= _NEAR and finding.span.line >= before.span.line


def _told(row: list[Finding]) -> Finding:
    """The first finding of a row, which tells how many others follow."""
    first, *others = row
    if not others:
        return first
    lines = tuple(other.span.line for other in others)
    where = f"to line {lines[-1]}" if lines[-1] != first.span.line else "in this line"
    message = f"{first.message}; {len(others)} more like it, {where}"
    return first._replace(message=message, also=lines)
