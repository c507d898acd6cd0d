"""Times before and after, as bars below each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from overhead_lint.report.html.drawing import WIDTH, figure, fitting, label, svg
from overhead_lint.report.html.table import table
from overhead_lint.report.html.text import quantity
from overhead_lint.support.units import seconds

__all__ = ["Pair", "change", "pairs"]

_LABEL: Final = 250
_NUMBER: Final = 300
_ROW: Final = 42
_MOST_DRAWN: Final = 12


@dataclass(frozen=True, slots=True)
class Pair:
    """One row; both times are 0 or more.

    Attributes:
        label: what it is about.
        before: seconds of the older run.
        after: seconds of the newer one.
    """

    label: str
    before: float
    after: float


def change(before: float, after: float, *, is_time: bool) -> str:
    """How a number changed, in words."""
    if before == after:
        return "unchanged"
    word = "more" if after > before else "less"
    share = f" ({abs(after - before) / before:.0%})" if before else ""
    return f"{quantity(abs(after - before), is_time=is_time)} {word}{share}"


def pairs(caption: str, of: str, rows: Sequence[Pair]) -> str:
    """A figure of the first twelve rows, and below it a table of all times.

    Args:
        caption: what it shows.
        of: what a row is about, for the table's first column.
        rows: in the order in which they are shown; there has to be one.
    """
    cells = [
        [row.label, seconds(row.before), seconds(row.after), change(row.before, row.after, is_time=True)]
        for row in rows
    ]
    spoken = "; ".join(f"{row[0]}: from {row[1]} to {row[2]}, {row[3]}" for row in cells[:3])
    drawn = rows[:_MOST_DRAWN]
    alternative = f"{caption}. Two bars for each of {len(drawn)} rows, before above after: {spoken}."
    numbers = table(f"{caption}: numbers", [of, "before", "after", "change"], cells, numbers=[1, 2, 3])
    return figure(caption, _drawing(alternative, drawn)) + numbers


def _drawing(alternative: str, rows: Sequence[Pair]) -> str:
    room = WIDTH - _LABEL - _NUMBER
    largest = max(max(row.before, row.after) for row in rows) or 1
    parts = []
    for place, row in enumerate(rows):
        top = place * _ROW
        parts.append(label(_LABEL - 8, top + 25, fitting(row.label, _LABEL - 8), "end"))
        for value, name, offset in ((row.before, "before", 4), (row.after, "after", 20)):
            width = room * value / largest
            size = f'y="{top + offset}" width="{max(1.0, width):.1f}" height="13"'
            parts.append(f'<rect class="{name}" x="{_LABEL}" {size}/>\n')
            text = f"{name} {seconds(value)}"
            if name == "after":
                text += f", {change(row.before, row.after, is_time=True)}"
            parts.append(label(_LABEL + width + 6, top + offset + 11, text))
    return svg(alternative, _ROW * len(rows) + 2, parts)
