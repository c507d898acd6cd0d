"""A step as a picture: time from left to right, a row for each source line, colours for kinds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, Final

from overhead_lint.measure.host_time import Segment, by_kind, by_line
from overhead_lint.measure.trace import KINDS
from overhead_lint.report.html.drawing import WIDTH, figure, fitting, label, svg, time_axis
from overhead_lint.report.html.text import escaped
from overhead_lint.support.shown_path import shown_path
from overhead_lint.support.units import seconds

if TYPE_CHECKING:
    from overhead_lint.measure.trace import Instant, Span, Trace

__all__ = ["legend", "place", "timeline"]

_LABEL: Final = 250
_NUMBER: Final = 190
_ROW: Final = 22
_AXIS: Final = 26
_MOST_ROWS: Final = 20
_ALL: Final = "whole step"

_Row = tuple[str, int]


def place(path: str, line: int) -> str:
    """A source line, for people."""
    return f"{shown_path(path, '')}:{line}" if path else "no source line"


def legend(kinds: Container[str]) -> str:
    """What the colours stand for."""
    items = "".join(
        f'<li><svg class="key" viewBox="0 0 16 16" aria-hidden="true">'
        f'<rect class="k-{kind}" width="16" height="16"/></svg> {escaped(kind)}</li>\n'
        for kind in KINDS
        if kind in kinds
    )
    return f'<ul class="legend">\n{items}</ul>\n'


def timeline(caption: str, trace: Trace, found: Sequence[Segment], start: int, end: int) -> str:
    """A figure of a part of a step.

    Args:
        caption: what it shows.
        trace: the step.
        found: its segments.
        start: of the part, in nanoseconds since the step began, as is `end`.
        end: later than the start.
    """
    inside = [
        one._replace(start=max(one.start, start), end=min(one.end, end))
        for one in found
        if one.end > start and one.start < end
    ]
    lines = by_line(inside)
    shown = list(lines)[:_MOST_ROWS]
    first = {key: min(one.start for one in inside if (one.path, one.line) == key) for key in shown}
    rows = sorted(shown, key=lambda key: first[key])
    alternative = _alternative(caption, inside, shown, len(lines))
    parts = [_whole(inside, start, end)]
    for number, key in enumerate(rows, 1):
        of_line = [one for one in inside if (one.path, one.line) == key]
        parts.append(_row(place(*key), of_line, _AXIS + number * _ROW, start, end))
    height = _AXIS + (len(rows) + 1) * _ROW + 4
    marks = _marks(trace, rows, start, end)
    body = svg(
        alternative,
        height,
        [*time_axis(start * 1e-9, end * 1e-9, _LABEL, WIDTH - _NUMBER, _AXIS - 11, height), *parts, *marks],
    )
    left = len(lines) - len(rows)
    note = f"<p>{left} more lines are in the table.</p>\n" if left else ""
    return figure(caption, legend(by_kind(inside)) + body) + note


def _alternative(caption: str, inside: Sequence[Segment], shown: Sequence[_Row], lines: int) -> str:
    kinds = by_kind(inside)
    total = kinds.total() or 1
    spoken = ", ".join(f"{kind} {taken / total:.0%}" for kind, taken in kinds.most_common())
    by = by_line(inside)
    most = "; ".join(f"{place(*key)} {seconds(by[key].total() * 1e-9)}" for key in shown[:3])
    return (
        f"{caption}. {seconds(total * 1e-9)} of host time from left to right, {len(shown)} of {lines} source "
        f"lines from top to bottom. By kind: {spoken}. The lines with the most: {most}. "
        "The table below has all numbers."
    )


def _x(at: float, start: int, end: int) -> float:
    return _LABEL + (WIDTH - _LABEL - _NUMBER) * (at - start) / (end - start)


def _whole(inside: Sequence[Segment], start: int, end: int) -> str:
    return _row(_ALL, inside, _AXIS, start, end)


def _row(name: str, of_row: Sequence[Segment], top: float, start: int, end: int) -> str:
    kinds = by_kind(of_row)
    parts = [label(_LABEL - 8, top + 15, fitting(name, _LABEL - 8), "end")]
    for kind, path in _paths(of_row, top + 2, start, end).items():
        title = escaped(f"{name}: {kind}, {seconds(kinds[kind] * 1e-9)}")
        parts.append(f'<path class="k-{kind}" d="{path}"><title>{title}</title></path>\n')
    time = seconds(kinds.total() * 1e-9)
    main = f"{time} {kinds.most_common(1)[0][0]}" + (" mostly" if len(kinds) > 1 else "")
    parts.append(label(WIDTH - _NUMBER + 8, top + 15, time if name == _ALL else main))
    return "".join(parts)


def _paths(of_row: Sequence[Segment], top: float, start: int, end: int) -> dict[str, str]:
    """The rectangles of each kind as one path; what is too narrow to see is drawn wide enough for that."""
    found: dict[str, list[list[float]]] = defaultdict(list)
    for one in of_row:
        left = _x(one.start, start, end)
        right = max(left + 0.6, _x(one.end, start, end))
        of_kind = found[one.kind]
        if of_kind and left <= of_kind[-1][1] + 0.3:
            of_kind[-1][1] = max(right, of_kind[-1][1])
        else:
            of_kind.append([left, right])
    return {
        kind: "".join(_rectangle(left, top, right - left) for left, right in rectangles)
        for kind, rectangles in found.items()
    }


def _rectangle(left: float, top: float, width: float) -> str:
    return f"M{left:.1f} {top:g}h{width:.1f}v{_ROW - 5}h-{width:.1f}z"


def _marks(trace: Trace, rows: Sequence[_Row], start: int, end: int) -> list[str]:
    """Events and waits, as lines across the row that they belong to."""
    numbers = {key: number for number, key in enumerate(rows, 1)}
    parts = []
    for one in trace.instants:
        if start <= one.at <= end:
            span = _span(trace, one)
            key = (span.path, span.line) if span is not None else ("", 0)
            top = _AXIS + numbers.get(key, 0) * _ROW
            x = _x(one.at, start, end)
            title = escaped(f"{one.metric} at {seconds(one.at * 1e-9)}, {place(*key)}")
            parts.append(
                f'<path class="mark" d="M{x:.1f} {top + 1}v{_ROW - 3}m-4 0h8"><title>{title}</title></path>\n'
            )
    return parts


def _span(trace: Trace, one: Instant) -> Span | None:
    return trace.spans[one.parent] if one.parent >= 0 else None
