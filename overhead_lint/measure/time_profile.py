"""Where the host time of a step goes, over several recorded steps: by kind and by line."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.measure import library_time
from overhead_lint.measure.host_time import segments
from overhead_lint.measure.trace import KINDS
from overhead_lint.support.versioned_json import exactly, number

if TYPE_CHECKING:
    from collections.abc import Callable

    from overhead_lint.measure.library_time import LibraryPlace, LibraryTime
    from overhead_lint.measure.trace import Trace

__all__ = ["LineTime", "TimeProfile", "parse", "profile", "shares"]

_LONGEST: Final = 2
"""Times the median: a step that takes longer shows what held up the machine."""


@dataclass(frozen=True, slots=True)
class LineTime:
    """What a source line took of a step.

    Attributes:
        path: as in the evidence; "" for what no line is known of.
        line: of that file.
        seconds: a step, on average; those of all lines add up to those of the step.
        kinds: the same by kind, most first.
    """

    path: str
    line: int
    seconds: float
    kinds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class TimeProfile:
    """Where the host time goes; each moment counts once.

    Attributes:
        steps: how many recorded ones it is of.
        seconds: of one of them, on average, with what the recording adds.
        kinds: seconds a step by kind out of `KINDS`, most first; they add up to `seconds`.
        lines: most first.
        inside: by the line that was running, and the line in a library below it, most first; what another
            thread does lies where the step's thread waits for it. None in files of before.
    """

    steps: int
    seconds: float
    kinds: Mapping[str, float]
    lines: tuple[LineTime, ...]
    inside: tuple[LibraryTime, ...] = ()

    @property
    def explained(self) -> float:
        """The share of the time that lies at a known line of the program, 0 to 1."""
        known = sum(one.seconds for one in self.lines if one.path)
        return min(1.0, known / self.seconds) if self.seconds else 0.0  # 1 but for what adding floats takes

    def with_paths(self, shown: Callable[[str], str]) -> TimeProfile:
        """Return the same with other paths."""
        lines = tuple(replace(one, path=shown(one.path)) if one.path else one for one in self.lines)
        return replace(self, lines=lines, inside=tuple(one.with_paths(shown) for one in self.inside))


def profile(traces: Sequence[Trace], inside: Sequence[Mapping[LibraryPlace, int]] = ()) -> TimeProfile | None:
    """Return where the time of recorded steps went; None without any.

    One that took more than twice as long as half of them do is left out: the machine was busy with something
    else, and what it was waiting at then would be all that shows.

    Args:
        traces: the steps.
        inside: nanoseconds by line of the program and of libraries, of each of the steps; none if unknown.
    """
    if not traces:
        return None
    median = statistics.median_low(trace.length for trace in traces)
    usual = [at for at, trace in enumerate(traces) if trace.length <= _LONGEST * median]
    traces = [traces[at] for at in usual]
    kinds: Counter[str] = Counter()
    lines: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for trace in traces:
        for one in segments(trace):
            kinds[one.kind] += one.length
            lines[one.path, one.line if one.path else 0][one.kind] += one.length
    scale = 1e-9 / len(traces)
    found = [LineTime(*place, by.total() * scale, _seconds(by, scale)) for place, by in lines.items()]
    found.sort(key=lambda one: (-one.seconds, one.path, one.line))
    libraries = library_time.averages([inside[at] for at in usual]) if inside else ()
    return TimeProfile(len(traces), kinds.total() * scale, _seconds(kinds, scale), tuple(found), libraries)


def _seconds(nanoseconds: Counter[str], scale: float) -> dict[str, float]:
    return {kind: amount * scale for kind, amount in nanoseconds.most_common()}


def shares(amounts: Iterable[float]) -> list[float]:
    """Return the share of each amount in tenths of a percent, which add up to exactly 100.

    What rounding takes is given to those that lose most by it.
    """
    found = list(amounts)
    total = sum(found)
    if total <= 0:
        return [0.0] * len(found)
    exact = [1000 * amount / total for amount in found]
    tenths = [int(one) for one in exact]
    by_loss = sorted(range(len(found)), key=lambda place: tenths[place] - exact[place])
    for place in by_loss[: 1000 - sum(tenths)]:
        tenths[place] += 1
    return [one / 10 for one in tenths]


def parse(content: Mapping[str, Any]) -> TimeProfile:
    """Return a profile out of JSON.

    Raises:
        KeyError, TypeError, ValueError: the content is damaged.
    """
    lines = tuple(
        LineTime(
            exactly(str, one["path"]), exactly(int, one["line"]), number(one["seconds"]), _kinds(one["kinds"])
        )
        for one in content["lines"]
    )
    return TimeProfile(
        exactly(int, content["steps"]),
        number(content["seconds"]),
        _kinds(content["kinds"]),
        lines,
        library_time.parse(content.get("inside", ())),
    )


def _kinds(found: Mapping[str, Any]) -> dict[str, float]:
    if unknown := found.keys() - KINDS.keys():
        raise ValueError(f"{min(unknown)!r} is no kind of time")
    return {kind: number(amount) for kind, amount in found.items()}
