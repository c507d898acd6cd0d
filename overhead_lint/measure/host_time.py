"""The host time of a step without overlaps: which line and kind each moment belongs to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from overhead_lint.measure.trace import Span, Trace

__all__ = ["Segment", "by_kind", "by_line", "children", "own_times", "segments"]


class Segment(NamedTuple):
    """A stretch of time in which one thing went on. In nanoseconds since the step began."""

    start: int
    end: int
    path: str
    line: int
    kind: str
    span: int
    """The innermost span; -1 outside of all."""

    @property
    def length(self) -> int:
        """How long it took."""
        return self.end - self.start


def children(trace: Trace) -> dict[int, list[int]]:
    """Numbers of the parts of each span, in the order of time; -1 has those that are part of none."""
    found: dict[int, list[int]] = defaultdict(list)
    for number, span in enumerate(trace.spans):
        found[span.parent].append(number)
    for parts in found.values():
        parts.sort(key=lambda number: trace.spans[number].start)
    return found


def segments(trace: Trace) -> list[Segment]:
    """Each moment of a step once, in the order of time.

    Parts in another thread (the engine's) take the time of what waits for them. What Python does between
    two calls belongs to the line of the next one, or else of the last one.
    """
    parts = children(trace)
    found: list[Segment] = []
    whole = Span(0, trace.length, -1, 0, "python", "", "", 0)
    # Depth first without recursion: (span, from where, until when, its parts that are to come).
    stack = [_Open(-1, whole, 0, trace.length, list(reversed(parts[-1])))]
    while stack:
        top = stack[-1]
        if not top.parts:
            found += _own(trace, parts, top, top.end, None)
            stack.pop()
            continue
        number = top.parts.pop()
        span = trace.spans[number]
        start = max(top.at, span.start)
        end = min(top.end, span.start + span.length)
        if end > start:
            found += _own(trace, parts, top, start, number)
            top.at = end
            stack.append(_Open(number, span, start, end, list(reversed(parts[number]))))
    return found


class _Open:
    """A span whose time is being given out."""

    __slots__ = ("at", "end", "number", "parts", "span")

    def __init__(self, number: int, span: Span, at: int, end: int, parts: list[int]) -> None:
        self.number, self.span, self.at, self.end, self.parts = number, span, at, end, parts


def _own(
    trace: Trace, parts: dict[int, list[int]], top: _Open, until: int, following: int | None
) -> list[Segment]:
    """The time of a span itself, up to the given one of its parts."""
    if until <= top.at:
        return []
    place = top.span
    own = parts.get(top.number)
    if top.span.kind == "python" and own:
        place = trace.spans[own[-1] if following is None else following]
    segment = Segment(top.at, until, place.path, place.line, top.span.kind, top.number)
    top.at = until
    return [segment]


def by_kind(found: Iterable[Segment]) -> Counter[str]:
    """Nanoseconds of each kind."""
    total: Counter[str] = Counter()
    for one in found:
        total[one.kind] += one.length
    return total


def by_line(found: Iterable[Segment]) -> dict[tuple[str, int], Counter[str]]:
    """Nanoseconds by kind of each line, the line with the most first."""
    total: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for one in found:
        total[one.path, one.line][one.kind] += one.length
    return dict(sorted(total.items(), key=lambda item: (-item[1].total(), item[0])))


def own_times(trace: Trace, found: Sequence[Segment]) -> list[int]:
    """Nanoseconds of each span that are none of its parts'."""
    own = [0] * len(trace.spans)
    for one in found:
        if one.span >= 0:
            own[one.span] += one.length
    return own
