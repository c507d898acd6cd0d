"""Bar charts, with their numbers as text beside the bars and as a table below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from overhead_lint.report.html.drawing import WIDTH, figure, fitting, label, svg
from overhead_lint.report.html.table import folded, table
from overhead_lint.report.html.text import quantity

__all__ = ["Bar", "bars"]

_LABEL: Final = 430
_NUMBER: Final = 150
_ROW: Final = 26
_MOST_SPOKEN: Final = 3
_MOST_LISTED: Final = 100


@dataclass(frozen=True, slots=True)
class Bar:
    """One row.

    Attributes:
        label: what it is about.
        value: 0 or more.
        limit: the most it may be; drawn as a line across, None for none.
        note: said behind the number.
    """

    label: str
    value: float
    limit: float | None = None
    note: str = ""


def bars(caption: str, of: str, rows: Sequence[Bar], *, is_time: bool, most: int = 10) -> str:
    """A figure, and below it a table of its numbers: the first hundred.

    Args:
        caption: what it shows.
        of: what a row is about, for the table's first column.
        rows: the largest first; there has to be one.
        is_time: values are seconds, otherwise counts.
        most: rows that are drawn.
    """
    drawn = rows[:most]
    spoken = "; ".join(f"{r.label}: {_number(r, is_time)}" for r in drawn[:_MOST_SPOKEN])
    alternative = f"{caption}. Bar chart of {len(drawn)} of {len(rows)}, the largest first: {spoken}."
    listed = rows[:_MOST_LISTED]
    cells = [[r.label, quantity(r.value, is_time=is_time), _limit(r, is_time), r.note] for r in listed]
    header, columns = [of, "value", "limit", "note"], [0, 1]
    columns += [2] if any(row[2] for row in cells) else []
    columns += [3] if any(row[3] for row in cells) else []
    numbers = table(
        f"{caption}: numbers",
        [header[c] for c in columns],
        [[row[c] for c in columns] for row in cells],
        numbers=range(1, 2 + (2 in columns)),
    )
    shown = f"{len(listed)} of {len(rows)}" if len(rows) > len(listed) else str(len(rows))
    picture = figure(caption, _drawing(alternative, drawn, is_time))
    return picture + folded(f"Numbers: {caption} ({shown})", numbers)


def _limit(row: Bar, is_time: bool) -> str:
    return "" if row.limit is None else quantity(row.limit, is_time=is_time)


def _number(row: Bar, is_time: bool) -> str:
    number = quantity(row.value, is_time=is_time)
    return f"{number}, {row.note}" if row.note else number


def _drawing(alternative: str, rows: Sequence[Bar], is_time: bool) -> str:
    height = _ROW * len(rows) + 4
    room = WIDTH - _LABEL - _NUMBER
    largest = max([r.value for r in rows] + [r.limit or 0 for r in rows]) or 1
    parts = []
    for place, row in enumerate(rows):
        top = place * _ROW
        width = room * row.value / largest
        parts.append(label(_LABEL - 8, top + 18, fitting(row.label, _LABEL - 8), "end"))
        parts.append(
            f'<rect class="bar" x="{_LABEL}" y="{top + 5}" width="{width:.1f}" height="{_ROW - 8}"/>\n'
        )
        right = width
        if row.limit is not None:
            at = room * row.limit / largest
            right = max(right, at)
            x = _LABEL + at
            parts.append(
                f'<line class="limit" x1="{x:.1f}" x2="{x:.1f}" y1="{top + 2}" y2="{top + _ROW - 1}"/>\n'
            )
        parts.append(label(_LABEL + right + 6, top + 18, _number(row, is_time)))
    return svg(alternative, height, parts)
