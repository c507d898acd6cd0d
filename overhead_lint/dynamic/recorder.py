"""From marks of steps to what was measured between them: which steps count, how long they took.

A run goes through warm-up, then is measured until it ends, or until enough steps or seconds were. Some
of the measured steps are looked at closely, by probes that slow them down: these count, but are left
out of the times. Memory does not grow with the number of steps.
"""

from __future__ import annotations

import statistics
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from overhead_lint.measure.evidence import Steps

if TYPE_CHECKING:
    from overhead_lint.dynamic.steps import Source

__all__ = ["Closer", "Durations", "Limits", "Recorder", "Snapshot"]

_KEPT = 1000
_SNAPSHOT_SHARE = 0.01
"""At most this part of the time goes into reading counters, once `_ALL_READ` steps were."""
_ALL_READ = 300


@dataclass(frozen=True, slots=True)
class Limits:
    """How much to measure.

    Attributes:
        warmup: steps before the first one that is measured.
        steps: how many to measure; all if None.
        seconds: how long to measure; to the end if None.
    """

    warmup: int = 3
    steps: int | None = None
    seconds: float | None = None


class Closer(Protocol):
    """Looks at single steps closely; called between steps, in the thread that makes them."""

    def begin(self, step: int) -> bool:
        """Look at the next step, the given one since the warm-up, if it is one to look at."""
        ...

    def end(self, *, whole: bool = True) -> None:
        """That step is over, or was broken off."""
        ...


@dataclass(slots=True)
class Durations:
    """Durations of steps in seconds: sum and least of all, and an even sample of them."""

    count: int = 0
    total: float = 0.0
    least: float = float("inf")
    _kept: list[float] = field(default_factory=list)
    _every: int = 1

    def add(self, seconds: float) -> None:
        """Note one."""
        if self.count % self._every == 0:
            self._kept.append(seconds)
            if len(self._kept) >= _KEPT:
                del self._kept[1::2]
                self._every *= 2
        self.count += 1
        self.total += seconds
        self.least = min(self.least, seconds)

    @property
    def mean(self) -> float:
        """Of all."""
        return self.total / self.count if self.count else 0.0

    @property
    def median(self) -> float:
        """Of the sample."""
        return statistics.median(self._kept) if self._kept else 0.0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Counters at the end of a step."""

    step: int
    """How many steps had ended."""
    at: float
    counts: tuple[int, ...]


class Recorder:
    """Takes marks.

    Args:
        counts: gives the executions of places so far.
        limits: how much to measure.
        closer: looks at some steps closely.
        finished: called once, when as much was measured as asked for.
        noticed: called at each mark with the steps that have ended.
    """

    def __init__(
        self,
        counts: Callable[[], list[int]],
        limits: Limits,
        closer: Closer | None = None,
        finished: Callable[[], None] = lambda: None,
        noticed: Callable[[int], None] = lambda step: None,
    ) -> None:
        self._counts = counts
        self._limits = limits
        self._closer = closer
        self._finished = finished
        self._noticed = noticed
        self._thread: int | None = None
        self._source: Source | None = None
        self._found_by = self._place = ""
        self._steps = 0
        self._begun = self._last_mark = perf_counter()
        self._close = False
        self._last_read = 0.0
        self._snapshot_seconds = 0.0
        self._before: Snapshot | None = None
        self._after: Snapshot | None = None
        self._first: Snapshot | None = None
        self.durations = Durations()
        self.done = False

    def start(self) -> None:
        """The program begins."""
        self._begun = self._last_mark = perf_counter()

    def mark(self, source: Source, place: str = "") -> None:
        """A step has ended, or the next one begins.

        Args:
            source: what says so.
            place: where that is, for people.
        """
        now = perf_counter()
        if self.done or (self._source is not None and source < self._source):
            return
        if source != self._source or place != self._place:
            if self._close and self._thread != threading.get_ident():
                return  # that step is looked at in its own thread
            self._restart(source, place)
        if self._thread != threading.get_ident():
            return
        if self._close and self._closer is not None:
            self._closer.end()
        elif self._before is not None:
            self.durations.add(now - self._last_mark)
        self._close = False
        self._steps += 1
        self._snap()
        self._noticed(self._steps)
        if self._is_enough():
            self.stop()
            self._finished()
            return
        if self._closer is not None and self._before is not None:
            self._close = self._closer.begin(self._steps - self._before.step)
        self._last_mark = perf_counter()

    def stop(self) -> None:
        """Measure no more."""
        if self.done:
            return
        if self._close and self._closer is not None:
            self._closer.end(whole=False)
            self._close = False
        self.done = True

    def steps(self) -> Steps | None:
        """The steps that were measured; None where there are none."""
        before, after = self._span()
        if self._source is None or before is None or after is None or after.step <= before.step:
            return None
        times = self.durations
        mean = times.mean or (after.at - before.at) / (after.step - before.step)
        return Steps(
            found_by=self._found_by,
            count=after.step - before.step,
            warmup=before.step,
            mean_seconds=mean,
            median_seconds=times.median or mean,
            minimum_seconds=times.least if times.count else mean,
        )

    def executions(self) -> tuple[list[int], list[int]]:
        """Executions while it was measured and in all, in the counter's order."""
        total = self._counts()
        if self.steps() is None:
            return total, total
        before, after = self._span()
        assert before is not None and after is not None, "steps() looked"
        padded = [*before.counts, *[0] * (len(after.counts) - len(before.counts))]
        measured = [late - early for late, early in zip(after.counts, padded, strict=True)]
        return [*measured, *[0] * (len(total) - len(measured))], total

    def seconds(self) -> float:
        """Host time that was measured, as if each step had taken what half of them took at most.

        Not the mean: a pause of the machine would hide what the program costs.
        """
        steps = self.steps()
        return steps.median_seconds * steps.count if steps is not None else perf_counter() - self._begun

    def _restart(self, source: Source, place: str) -> None:
        """A better sign of steps, or another place of them: what came before is set-up."""
        self._found_by = f"{source.text}, {place}" if place else source.text
        self._source, self._place, self._thread = source, place, threading.get_ident()
        self._steps, self.durations = 0, Durations()
        self._before = self._after = self._first = None

    def _snap(self) -> None:
        warm = self._steps == max(1, self._limits.warmup)
        if self._steps == 1:
            self._first = self._snapshot()
        if warm:
            self._before = self._first if self._steps == 1 else self._snapshot()
        elif self._steps > 1 and (self._steps <= _ALL_READ or self._may_read()):
            self._after = self._snapshot()

    def _may_read(self) -> bool:
        return perf_counter() - self._last_read > self._snapshot_seconds / _SNAPSHOT_SHARE

    def _snapshot(self) -> Snapshot:
        began = perf_counter()
        snapshot = Snapshot(self._steps, began, tuple(self._counts()))
        self._last_read = perf_counter()
        self._snapshot_seconds = self._last_read - began
        return snapshot

    def _span(self) -> tuple[Snapshot | None, Snapshot | None]:
        """First and last snapshot of what is measured; short runs do without a warm-up."""
        before = self._before
        if before is None or self._after is None or self._after.step <= before.step:
            before = self._first
        return before, self._after

    def _is_enough(self) -> bool:
        if self._before is None:
            return False
        enough = self._limits.steps is not None and self._steps - self._before.step >= self._limits.steps
        late = self._limits.seconds is not None and perf_counter() - self._before.at >= self._limits.seconds
        return enough or late
