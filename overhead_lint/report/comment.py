"""What changed between two reports of tests, as one comment for a pull request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from overhead_lint.report.count_changes import CountChange, changed_counts, unit_of
from overhead_lint.report.line_changes import change_in_short
from overhead_lint.support.plurals import count

if TYPE_CHECKING:
    from overhead_lint.report.html.tests_report import Saved

__all__ = ["comment", "in_short", "listed"]

_MOST_ROWS: Final = 50
_MOST_LINES: Final = 3
_LONGEST: Final = 200
"""Characters of a test's name: a comment on GitHub holds 65,536 in all."""


def comment(old: Saved, new: Saved) -> str:
    """Return the comment, in Markdown: the counts that changed, largest first, with the lines that did it.

    Args:
        old: the report to compare with.
        new: the report of the pull request.
    """
    found = changed_counts(old, new)
    parts = [
        f"### Host overhead: {in_short(found)}\n",
        f"Compared with {_code(old.name)}.{_versions(old, new)}\n",
    ]
    if found:
        rows = [_cells(one) for one in found[:_MOST_ROWS]]
        head = ["| test | count | before | now | change | lines |", "|---|---|---:|---:|---:|---|"]
        parts.append("\n".join([*head, *(f"| {' | '.join(row)} |" for row in rows)]) + "\n")
    if len(found) > _MOST_ROWS:
        parts.append(f"And {count(len(found) - _MOST_ROWS, 'more change')}.\n")
    for word, names in (
        ("new", new.tests.keys() - old.tests.keys()),
        ("gone", old.tests.keys() - new.tests.keys()),
    ):
        if names:
            parts.append(f"{count(len(names), 'test')} {'is' if len(names) == 1 else 'are'} {word}.\n")
    return "\n".join(parts)


def in_short(found: Sequence[CountChange]) -> str:
    """Return how many counts rose and fell: ``3 counts rose, 1 fell``."""
    if not found:
        return "no count changed"
    rose = sum(1 for one in found if one.delta > 0)
    told = [f"{count(rose, 'count')} rose"] if rose else []
    if fell := len(found) - rose:
        told.append(f"{fell} fell" if rose else f"{count(fell, 'count')} fell")
    return ", ".join(told)


def listed(found: Sequence[CountChange], most: int) -> list[str]:
    """Return changes as lines of plain text, with the number of those that are left out."""
    lines = []
    for one in found[:most]:
        why = f": {change_in_short(one.lines[0], unit_of(one.metric))}" if one.lines else ""
        lines.append(
            f"  {one.metric} {_number(one, one.before)} -> {_number(one, one.after)} {one.test}{why}"
        )
    more = len(found) - most
    return [*lines, f"  and {count(more, 'more change')}"] if more > 0 else lines


def _cells(one: CountChange) -> list[str]:
    now = _number(one, one.after)
    if one.limit is not None:
        now += f", over the budget of {_number(one, one.limit)}"
    why = [_escaped(change_in_short(line, unit_of(one.metric))) for line in one.lines[:_MOST_LINES]]
    if len(one.lines) > _MOST_LINES:
        why.append(f"and {count(len(one.lines) - _MOST_LINES, 'more line')}")
    name = one.test if len(one.test) <= _LONGEST else f"{one.test[: _LONGEST - 3]}..."
    difference = f"{'+' if one.delta > 0 else '-'}{_number(one, abs(one.delta))}"
    return [_code(name), one.metric, _number(one, one.before), now, difference, "<br>".join(why)]


def _number(one: CountChange, value: float) -> str:
    return f"{value:,.0f} {unit_of(one.metric)}".rstrip()


def _code(text: str) -> str:
    """Text as it is, in a cell of a table."""
    fence = "``" if "`" in text else "`"
    space = " " if "`" in text else ""
    return f"{fence}{space}{' '.join(text.split())}{space}{fence}".replace("|", "\\|")


def _escaped(text: str) -> str:
    """Text without what Markdown or HTML would make something of."""
    for character in "\\`*_[]|":
        text = text.replace(character, f"\\{character}")
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _versions(old: Saved, new: Saved) -> str:
    """What both were measured with, where that differs: counts may then, too."""
    differing = [
        f"{key} {old.fingerprint.get(key, 'none')} before, {new.fingerprint.get(key, 'none')} now"
        for key in sorted(old.fingerprint.keys() | new.fingerprint.keys())
        if old.fingerprint.get(key) != new.fingerprint.get(key)
    ]
    return f" Measured with something else: {_escaped('; '.join(differing))}." if differing else ""
