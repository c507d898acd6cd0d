"""Findings told as one: a block of reads line after line, and the same asked for again in a function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from overhead_lint.report.place import is_notebook
from overhead_lint.rule import Applicability, OptionKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from overhead_lint.rule import Edit, Finding, Fix

__all__ = ["together", "told_as_one"]

# A line between two findings, empty or a comment, leaves them in a row.
_NEAR: Final = 2

# Members of an enum are looked up by a function, and a run may have thousands of findings.
_UNSAFE: Final = Applicability.UNSAFE

_ALL_OVER: Final = 10
"""So many places of a rule in one file are told as one."""

_Key = tuple[object, ...]


def told_as_one(findings: Iterable[Finding]) -> list[Finding]:
    """Findings in which those of one cause are told by the first: others in a row, and the same once more.

    They are of the same rule, function and heat, hang on the same options, and stand line after line, or
    say the same of the same text: what a function asks for four times it may keep in a name. So are ten or
    more of a rule in one file that have no fix: who mends one of them sees the others. What has an
    unsafe fix is told with others in a row that say the same, and with the edits of all: the copies of
    the parts of a batch. What has a safe fix, or one that lacks the runtime, stands for itself, and so
    does all in notebooks, whose lines are counted cell by cell.

    Args:
        findings: in the order of their places, file by file.
    """
    rows: list[list[Finding]] = []
    open_rows: dict[_Key, list[Finding]] = {}
    known: dict[_Key, list[Finding]] = {}
    before: Path | None = None
    in_notebook = False
    for finding in findings:
        path, _, code, _, message, warmth, _, fix, standing, _, alike, *_ = finding
        if path is not before and path != before:
            before, in_notebook = path, is_notebook(path)
            open_rows, known = {}, {}
        if standing is None:
            # What stands nowhere is a comment: each may be wrong in its own way, and is to be corrected.
            cause: _Key = (code, message)
        else:
            hangs_on = warmth.options
            if hangs_on:  # of few
                hangs_on = tuple([one for one in hangs_on if one.kind != OptionKind.NAME])
            cause = code, int(warmth[0]), standing[0], hangs_on
        if in_notebook or (fix is not None and fix.applicability is not _UNSAFE):
            open_rows.pop(cause, None)
            rows.append([finding])
            continue
        if fix is not None:
            open_rows.pop(cause, None)
            cause = *cause, message, fix.message
        again = (cause, message, alike) if alike and fix is None else None
        row = known.get(again) if again is not None else None
        if row is None:
            row = open_rows.get(cause)
            if row is None or not _follows(row[-1], finding):
                row = open_rows[cause] = []
                rows.append(row)
            if again is not None:
                known[again] = row
        row.append(finding)
    return [_told(row) if len(row) > 1 else row[0] for row in _by_file(rows)]


def _by_file(rows: list[list[Finding]]) -> list[list[Finding]]:
    """Rows in which a rule that speaks all over a file has one there, of those that it has no fix for."""
    of_rule: dict[_Key, list[list[Finding]]] = {}
    for row in rows:
        first = row[0]
        if first.fix is None and first.standing is not None and not is_notebook(first.path):
            of_rule.setdefault((first.path, first.code, first.warmth.heat), []).append(row)
    joined = {id(same[0]): same for same in of_rule.values() if len(same) >= _ALL_OVER}
    if not joined:
        return rows
    taken_in = {id(row) for same in joined.values() for row in same[1:]}
    return [
        [finding for one in joined.get(id(row), [row]) for finding in one]
        for row in rows
        if id(row) not in taken_in
    ]


def _follows(before: Finding, finding: Finding) -> bool:
    # A run may ask of thousands: no calls, and no fields by their names.
    line, (first, _, last, _) = finding[1][0], before[1]
    return line >= first and line - (last if last > first else first) <= _NEAR


def _told(row: list[Finding]) -> Finding:
    """The first finding of a row of several, which tells how many others follow."""
    first, *others = row
    lines = tuple(sorted(other.span.line for other in others))
    where = f"to line {lines[-1]}" if lines[-1] != first.span.line else "in this line"
    message = f"{first.message}; {len(others)} more like it, {where}"
    fix = first.fix
    if fix is not None and all(one.fix is not None and one.fix.edits for one in row):
        fix = together(row)
    return first._replace(message=message, also=lines, fix=fix)


def together(row: Sequence[Finding]) -> Fix | None:
    """What fixes all findings of a row, as the first of them says it."""
    fixes = [one.fix for one in row if one.fix is not None]
    # Of one rule, and so all of one kind: plans, or texts.
    edits: list[Edit] = []
    for fix in fixes:  # several may have the one loader pin memory
        edits += [edit for edit in cast("tuple[Edit, ...]", fix.edits) if edit not in edits]
    imports = tuple(dict.fromkeys(one for fix in fixes for one in fix.imports))
    return fixes[0]._replace(edits=tuple(edits), imports=imports) if fixes else None
