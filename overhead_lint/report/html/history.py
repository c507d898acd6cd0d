"""A number over several reports, as a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from overhead_lint.report.html.drawing import WIDTH, figure, label, svg
from overhead_lint.report.html.table import folded, table
from overhead_lint.report.html.text import quantity, shortened

__all__ = ["history"]

_HEIGHT: Final = 180
_LEFT: Final = 90
_RIGHT: Final = 60
_TOP: Final = 26
_BOTTOM: Final = 34


def history(caption: str, points: Sequence[tuple[str, float]], *, is_time: bool) -> str:
    """A figure, and below it a table of its numbers.

    Args:
        caption: what it shows.
        points: name of a report and the number in it, the oldest first; two or more.
        is_time: numbers are seconds, otherwise counts.
    """
    values = [value for _, value in points]
    first, last = (quantity(value, is_time=is_time) for value in (values[0], values[-1]))
    low, high = (quantity(value, is_time=is_time) for value in (min(values), max(values)))
    trend = "unchanged" if values[0] == values[-1] else "higher" if values[-1] > values[0] else "lower"
    alternative = (
        f"{caption}. Line over {len(points)} reports: from {first} to {last} ({trend}), "
        f"least {low}, most {high}."
    )
    rows = [[name, quantity(value, is_time=is_time)] for name, value in points]
    numbers = table(f"{caption}: all numbers", ["report", "value"], rows, numbers=[1])
    picture = figure(f"{caption}: {first} to {last}, {trend}", _drawing(alternative, points, is_time))
    return picture + folded(f"Numbers: {caption}", numbers)


def _drawing(alternative: str, points: Sequence[tuple[str, float]], is_time: bool) -> str:
    largest = max(value for _, value in points) or 1
    step = (WIDTH - _LEFT - _RIGHT) / (len(points) - 1)
    base = _HEIGHT - _BOTTOM
    places = [
        (_LEFT + step * number, base - (base - _TOP) * value / largest)
        for number, (_, value) in enumerate(points)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts = [
        f'<line class="axis" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{base}" y2="{base}"/>\n',
        label(_LEFT - 40, base + 4, "0", "end"),
        f'<polyline class="path" points="{line}"/>\n',
    ]
    # Labels of many reports would cover each other: some of them, and always the last.
    every = max(1, len(points) // 6)
    for number, ((name, value), (x, y)) in enumerate(zip(points, places, strict=True)):
        parts.append(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4"/>\n')
        if (len(points) - 1 - number) % every == 0:
            parts.append(label(x, y - 9, quantity(value, is_time=is_time), "middle"))
            parts.append(label(x, base + 20, shortened(name, 18), "middle"))
    return svg(alternative, _HEIGHT, parts)
