"""Findings told as one: a block of reads line after line, and the same asked for again in a function."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from overhead_lint.rule import Finding
    from overhead_lint.source import Source

__all__ = ["told_as_one"]

# A line between two findings, empty or a comment, leaves them in a row.
_NEAR: Final = 2
_NOTEBOOK: Final = ".ipynb"

_Key = tuple[object, ...]


def told_as_one(findings: Iterable[Finding], sources: Mapping[Path, Source]) -> list[Finding]:
    """Findings in which those of one cause are told by the first: others in a row, and the same once more.

    They are of the same rule, function and heat, and stand line after line, or say the same of the same text:
    what a function asks for four times it may keep in a name. What has a fix stands for itself, and so
    does all in notebooks, whose lines are counted cell by cell.

    Args:
        findings: in the order of their places, file by file.
        sources: the files, looked into where findings say the same.
    """
    listed = list(findings)
    # Files are read only where the same words mark as much text: reading takes long where nothing else does.
    said = [(_about(finding), _size(finding)) for finding in listed]
    times = Counter(said)
    rows: list[list[Finding]] = []
    open_rows: dict[_Key, list[Finding]] = {}
    known: dict[_Key, list[Finding]] = {}
    for finding, (about, size) in zip(listed, said, strict=True):
        apart = finding.fix is not None or finding.path.suffix == _NOTEBOOK
        text = _text(finding, sources) if not apart and times[about, size] > 1 else ""
        again = (about, text) if text else None
        row = known.get(again) if again is not None else None
        if row is None:
            row = open_rows.get(about[1:])
            if row is None or not _follows(row[-1], finding):
                row = []
                rows.append(row)
                if apart:
                    open_rows.pop(about[1:], None)
                else:
                    open_rows[about[1:]] = row
            if again is not None:
                known[again] = row
        row.append(finding)
    return [_told(row) for row in rows]


def _about(finding: Finding) -> _Key:
    """What tells findings apart wherever they stand in a function: the message first."""
    function = finding.standing.function if finding.standing is not None else ""
    return finding.message, finding.path, finding.code, finding.warmth.heat, function


def _size(finding: Finding) -> tuple[int, int]:
    """How much text a finding marks: lines and columns."""
    span = finding.span
    return span.end_line - span.line, span.end_column - span.column


def _text(finding: Finding, sources: Mapping[Path, Source]) -> str:
    """The text that a finding is about, whatever the space in it."""
    return " ".join(sources[finding.path].between(finding.span).split())


def _follows(before: Finding, finding: Finding) -> bool:
    away = finding.span.line - max(before.span.line, before.span.end_line)
    return finding.fix is None and away <= _NEAR and finding.span.line >= before.span.line


def _told(row: list[Finding]) -> Finding:
    """The first finding of a row, which tells how many others follow."""
    first, *others = row
    if not others:
        return first
    lines = tuple(sorted(other.span.line for other in others))
    where = f"to line {lines[-1]}" if lines[-1] != first.span.line else "in this line"
    message = f"{first.message}; {len(others)} more like it, {where}"
    return first._replace(message=message, also=lines)
