"""When things happened, as a picture: time from left to right, a row for each source line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from overhead_lint.report.html.drawing import WIDTH, figure, fitting, label, svg, time_axis
from overhead_lint.report.html.table import folded, table
from overhead_lint.report.html.text import escaped
from overhead_lint.support.units import seconds

__all__ = ["moments"]

_LABEL: Final = 400
_NUMBER: Final = 80
_ROW: Final = 22
_AXIS: Final = 26
_MOST_ROWS: Final = 20


def moments(caption: str, rows: Sequence[tuple[str, Sequence[float]]]) -> str:
    """A figure, and below it a table of its numbers.

    Args:
        caption: what it shows.
        rows: what happened, and the seconds at which it did, in order; the row of the first thing first.
            There has to be one, with one moment at least.
    """
    drawn = rows[:_MOST_ROWS]
    last = max(times[-1] for _, times in rows) or 1e-9
    number = sum(len(times) for _, times in rows)
    spoken = "; ".join(f"{name}: {len(times)}, first at {seconds(times[0])}" for name, times in rows[:3])
    alternative = (
        f"{caption}. {number} moments in {seconds(last)} from left to right, in {len(rows)} rows: {spoken}. "
        "The table below has all numbers."
    )
    height = _AXIS + _ROW * len(drawn) + 4
    parts = time_axis(0, last, _LABEL, WIDTH - _NUMBER, _AXIS - 11, height)
    for place, (name, times) in enumerate(drawn):
        top = _AXIS + place * _ROW
        parts.append(label(_LABEL - 8, top + 15, fitting(name, _LABEL - 8), "end"))
        parts.append(
            f'<line class="grid" x1="{_LABEL}" x2="{WIDTH - _NUMBER}" y1="{top + 11}" y2="{top + 11}"/>\n'
        )
        for at in times:
            x = _LABEL + (WIDTH - _NUMBER - _LABEL) * at / last
            title = escaped(f"{name} at {seconds(at)}")
            parts.append(
                f'<circle class="dot" cx="{x:.1f}" cy="{top + 11}" r="4"><title>{title}</title></circle>\n'
            )
        parts.append(label(WIDTH - _NUMBER + 10, top + 15, f"{len(times)} x"))
    cells = [[name, str(len(times)), seconds(times[0]), seconds(times[-1])] for name, times in rows]
    header = ["what and where", "times", "first at", "last at"]
    numbers = table(f"{caption}: numbers", header, cells, numbers=[1, 2, 3])
    return figure(caption, svg(alternative, height, parts)) + folded(f"Numbers: {caption}", numbers)
