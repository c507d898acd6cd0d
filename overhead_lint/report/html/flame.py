"""A step as a flame view: calls under what calls them, as wide as the time that they take."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from overhead_lint.measure.host_time import own_times
from overhead_lint.report.html.drawing import WIDTH, figure, fitting, label, svg
from overhead_lint.report.html.table import folded, table
from overhead_lint.report.html.text import escaped
from overhead_lint.report.html.timeline import legend, place
from overhead_lint.support.units import seconds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from overhead_lint.measure.host_time import Segment
    from overhead_lint.measure.trace import Trace

__all__ = ["Call", "calls", "flame"]

_ROW: Final = 22
_MOST_DEPTH: Final = 24
_LEAST: Final = 1.5
"""Narrower calls are left out."""
_MOST_LISTED: Final = 200
_CHAIN: Final = 0.9
"""Calls that take that much of what calls them are where a picture need not begin."""


@dataclass(slots=True)
class Call:
    """All calls of one thing at one line by the same callers.

    Attributes:
        label: what is called.
        path: where, as in a span, as is `line`.
        kind: of its own time.
        total: nanoseconds in all.
        own: of these, without what it calls.
        times: how often it was called.
    """

    label: str
    path: str
    line: int
    kind: str
    total: int = 0
    own: int = 0
    times: int = 0
    parts: dict[tuple[str, str, int, str], Call] = field(default_factory=dict)


def calls(trace: Trace, found: Sequence[Segment]) -> Call:
    """The whole step as one call, with what is called in it."""
    root = Call("whole step", "", 0, "python")
    at: list[Call] = []
    made: list[tuple[Call, Call]] = []  # with what calls it, which comes before
    for span, own in zip(trace.spans, own_times(trace, found), strict=True):
        around = at[span.parent] if span.parent >= 0 else root
        key = (span.label, span.path, span.line, span.kind)
        call = around.parts.get(key)
        if call is None:
            call = around.parts[key] = Call(*key)
            made.append((call, around))
        call.own += own
        call.times += 1
        at.append(call)
    # Own times add up to the step; lengths of spans don't, where threads take turns.
    for call, around in reversed(made):
        call.total += call.own
        around.total += call.total
    root.own, root.total = trace.length - root.total, trace.length
    return root


def flame(caption: str, root: Call) -> str:
    """A figure, pictures of its largest parts, and a table of all its numbers.

    Args:
        caption: what it shows.
        root: see `calls`.
    """
    rows = [
        ["· " * depth + call.label, place(call.path, call.line), call.kind,
         seconds(call.total * 1e-9), seconds(call.own * 1e-9), str(call.times)]
        for depth, call in _walk(root, 0)
    ][:_MOST_LISTED]  # fmt: skip
    header = ["call", "at", "kind", "time", "own time", "times"]
    parts = [figure(caption, legend({call.kind for _, call in _walk(root, 0)}) + _drawing(caption, root))]
    start = _first_fork(root)
    for part in sorted(start.parts.values(), key=lambda one: -one.total)[:4]:
        if part.parts and part.total < _CHAIN * root.total:
            title = f"{part.label} at {place(part.path, part.line)}, {seconds(part.total * 1e-9)}"
            parts.append(folded(f"Closer: {title}", figure(title, _drawing(title, part))))
    numbers = table(f"{caption}: numbers", header, rows, numbers=[3, 4, 5])
    return "".join([*parts, folded(f"Numbers: {caption} (the first {len(rows)} calls, as a tree)", numbers)])


def _first_fork(root: Call) -> Call:
    """The first call below the root that does more than call one other."""
    while root.parts:
        largest = max(root.parts.values(), key=lambda one: one.total)
        if largest.total < _CHAIN * root.total:
            break
        root = largest
    return root


def _walk(call: Call, depth: int) -> Iterator[tuple[int, Call]]:
    """Outermost first, the longest of those beside each other first."""
    stack = [(depth, call)]
    while stack:
        depth, call = stack.pop()
        yield depth, call
        parts = sorted(call.parts.values(), key=lambda one: one.total)
        stack += [(depth + 1, part) for part in parts if part.total > 0]


def _drawing(caption: str, root: Call) -> str:
    parts: list[str] = []
    deepest = 0
    stack = [(root, 0.0, 0)]
    total = root.total or 1
    while stack:
        call, left, depth = stack.pop()
        width = WIDTH * call.total / total
        if width < _LEAST or depth >= _MOST_DEPTH:
            continue
        deepest = max(deepest, depth)
        parts.append(_box(call, left, width, depth, total))
        for part in sorted(call.parts.values(), key=lambda one: -one.total):
            stack.append((part, left, depth + 1))
            left += WIDTH * part.total / total
    most = sorted((c for _, c in _walk(root, 0)), key=lambda one: -one.own)[:3]
    spoken = "; ".join(f"{c.label} at {place(c.path, c.line)} {seconds(c.own * 1e-9)}" for c in most)
    alternative = (
        f"{caption}. {seconds(root.total * 1e-9)} at the top, below each call those that it makes, as wide "
        f"as their time, {deepest + 1} deep. The most time of their own: {spoken}. "
        "The table below has all numbers."
    )
    return svg(alternative, (deepest + 1) * _ROW + 2, parts)


def _box(call: Call, left: float, width: float, depth: int, total: int) -> str:
    top = depth * _ROW + 1
    times = f", {call.times} times" if call.times > 1 else ""
    title = (
        f"{call.label}, {place(call.path, call.line)}: {call.kind}, {seconds(call.total * 1e-9)} "
        f"({call.total / total:.1%}), own {seconds(call.own * 1e-9)}{times}"
    )
    text = f"{call.label} {place(call.path, call.line)}" if call.path else call.label
    if fitting(text, width - 10) != text:
        text = fitting(call.label, width - 10)
    shown = label(left + 5, top + 15, text) if text else ""
    return (
        f'<g><title>{escaped(title)}</title><rect class="flame k-{call.kind}" x="{left:.1f}" y="{top}" '
        f'width="{max(0.5, width - 1):.1f}" height="{_ROW - 2}" rx="2"/>{shown}</g>\n'
    )
