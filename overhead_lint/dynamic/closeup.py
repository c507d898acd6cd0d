"""Looks closely at a few steps with the probes: guards, events, waits, operators, contexts, by line.

The probes are too slow for each step of a long run, and two of them need the thread's profile
function. So single steps are looked at, with one set of probes each in turn; numbers are means over them.
Some others are recorded as spans.
"""

from __future__ import annotations

import contextlib
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, Protocol

from overhead_lint.dynamic import shadowed
from overhead_lint.dynamic.trace import StepTrace
from overhead_lint.probes import guards_probe
from overhead_lint.probes.api import Cause, Measurement, ProbeUnavailable, most_first
from overhead_lint.probes.guards_reading import GuardProbe
from overhead_lint.probes.guards_report import entry_reports
from overhead_lint.probes.measure import measure
from overhead_lint.probes.metrics import METRICS

if TYPE_CHECKING:
    from overhead_lint.measure.time_profile import TimeProfile
    from overhead_lint.measure.trace import Trace

__all__ = ["CloseUp"]

_EVERY: Final = 64
"""Each so many steps some are looked at, up to `_MOST` for each set."""
_MOST_SHARE: Final = 0.1
"""Of the time since the first look; steps that were to be looked at beyond it are not. The first ones are."""
_MOST: Final = 40
_MOST_AGAIN: Final = 16
"""So many steps are looked at in place of those in which something compiled."""
_FIRST_TRACED: Final = 5
"""So many are recorded at first, and one in each of the turns after that, up to `_TURNS_TRACED`."""
_TURNS_TRACED: Final = 3
_COLD_REPEATS: Final = 3
"""Fewer than for a budget: every compiled function of the program is timed."""
_MOST_CAUSES: Final = 20_000


class CloseUp:
    """See `overhead_lint.dynamic.recorder.Closer`.

    Args:
        has_compiled: whether anything was compiled so far; without that guards are not looked for.
        compilations: how often something was compiled so far.

    Attributes:
        unavailable: why metrics have no number, by name.
        left_out: how many steps were looked at in vain, as something compiled in them.
    """

    def __init__(self, has_compiled: Callable[[], bool], compilations: Callable[[], int] = lambda: 0) -> None:
        self.left_out = 0
        self._compilations = compilations
        self._compiled_before = 0
        self.unavailable: dict[str, str] = {}
        self._has_compiled = has_compiled
        self._calls = _Calls()
        self._compiled = _Compiled()
        self._traced = StepTrace()
        self._running: _Lens | None = None
        self._turn = -1
        self._wanted: list[_Lens] = []
        self._latest = -1
        self._first = self._began = 0.0
        self._spent = 0.0

    def begin(self, step: int) -> bool:
        """Look at this step with one of the sets, if it is one to look at and there is time for it."""
        now = perf_counter()
        if "torch" not in sys.modules or (step >= _EVERY and self._spent > _MOST_SHARE * (now - self._first)):
            return False
        self._first = self._first or now
        self._began = now
        with shadowed.ours():
            return self._begun(step)

    def _begun(self, step: int) -> bool:
        turn = step // _EVERY
        if turn != self._turn:
            self._turn, self._wanted = turn, self._of_turn(turn)
        while self._wanted:
            lens = self._wanted[0]
            if lens is self._traced and self._latest == step - 1:
                return False  # one between two that are recorded is timed
            del self._wanted[0]
            if self._may_begin(lens, step):
                self._running, self._compiled_before = lens, self._compilations()
                return True
        return False

    def _of_turn(self, turn: int) -> list[_Lens]:
        """What to look with in some of the next steps."""
        both: list[_Lens] = [self._calls, self._compiled]
        if turn == 0:
            return [*both, *both, *[self._traced] * _FIRST_TRACED]
        return [*both, self._traced] if turn < _TURNS_TRACED else both

    def _may_begin(self, lens: _Lens, step: int) -> bool:
        if lens is self._traced:
            self._latest = step
        if lens is self._compiled and not self._has_compiled():  # its probe takes half a second to import
            return False
        begun = lens.steps < _MOST and lens.begin(step + 1)
        if lens is self._traced and not begun:
            self.unavailable["trace"] = self._traced.unavailable
        return begun

    def end(self, *, whole: bool = True) -> None:
        """Take the numbers, unless the step was broken off."""
        with shadowed.ours():
            self._end(whole=whole)
        self._spent += perf_counter() - self._began

    def _end(self, *, whole: bool) -> None:
        lens, self._running = self._running, None
        assert lens is not None, "end without begin"
        # Guards are the same in such a step; calls and spans would be the compiler's.
        if whole and lens is not self._compiled and self._compilations() != self._compiled_before:
            whole = False
            self.left_out += 1
            if self.left_out <= _MOST_AGAIN:
                self._wanted.insert(0, lens)
        self.unavailable.update(lens.end(whole=whole))

    def trace(self) -> Trace | None:
        """One step as spans; None if none was recorded."""
        return self._traced.trace()

    def host_time(self) -> TimeProfile | None:
        """Where the time of the recorded steps went; None if none was recorded."""
        return self._traced.host_time()

    def metrics(self) -> Mapping[str, float]:
        """Numbers a step, by metric."""
        return {**self._calls.metrics(), **self._compiled.metrics()}

    def causes(self) -> Mapping[str, Sequence[Cause]]:
        """The lines behind the numbers, with amounts a step, most first."""
        return {**self._calls.causes(), **self._compiled.causes()}

    def compiled(self) -> Sequence[Mapping[str, Any]]:
        """What the guards of each compiled frame cost, dearest first."""
        return self._compiled.entries()


def _per_step() -> frozenset[str]:
    """What is measured in single steps."""
    return frozenset(name for name, metric in METRICS.items() if metric.per_step)


def _of_compiled() -> frozenset[str]:
    """Those of it that are about the guards of compiled frames."""
    return _per_step().intersection(metric.name for metric in guards_probe.METRICS)


class _Lens(Protocol):
    """Looks at single steps."""

    steps: int
    """How many it has looked at."""

    def begin(self, step: int) -> bool:
        """Look at the next step, the given one after the warm-up, from 1; False if that cannot be."""

    def end(self, *, whole: bool) -> Mapping[str, str]:
        """That step is over, or was broken off: why metrics have no number."""


class _Calls:
    """What the native counters see, and other probes that need no lens of their own."""

    def __init__(self) -> None:
        self.steps = 0
        self._sums: defaultdict[str, float] = defaultdict(int)
        self._measured: Counter[str] = Counter()
        self._causes: defaultdict[tuple[str, str, int, str], float] = defaultdict(int)
        self._operators: defaultdict[tuple[str, str, int, str], Counter[str]] = defaultdict(Counter)
        self._running = contextlib.ExitStack()
        self._measurement = Measurement()

    def begin(self, step: int) -> bool:
        self._measurement = self._running.enter_context(measure(_per_step() - _of_compiled(), strict=False))
        return True

    def end(self, *, whole: bool) -> Mapping[str, str]:
        self._running.close()
        if not whole:
            return {}
        self.steps += 1
        found = self._measurement
        for metric, value in found.values.items():
            self._sums[metric] += value
            self._measured[metric] += 1
        for metric, causes in found.causes.items():
            for cause in causes:
                key = (metric, cause.path, cause.line, cause.label)
                if key in self._causes or len(self._causes) < _MOST_CAUSES:
                    self._causes[key] += cause.amount
                    self._operators[key].update(dict(cause.operators))
        return found.unavailable

    def metrics(self) -> dict[str, float]:
        return {metric: self._sums[metric] / steps for metric, steps in sorted(self._measured.items())}

    def causes(self) -> dict[str, list[Cause]]:
        found: dict[str, list[Cause]] = {}
        for key, amount in self._causes.items():
            metric, path, line, label = key
            operators = most_first(self._operators[key])
            cause = Cause(amount / self._measured[metric], path, line, label, operators)
            found.setdefault(metric, []).append(cause)
        for causes in found.values():
            causes.sort(key=lambda cause: (-cause.amount, cause.path, cause.line, cause.label))
        return found


class _Compiled:
    """What the guards of compiled frames cost. One probe for all steps: each entry is timed once."""

    def __init__(self) -> None:
        self.steps = 0
        self._probe = GuardProbe(cold_repeats=_COLD_REPEATS)
        self._values: Mapping[str, float] = {}
        self._causes: Mapping[str, Sequence[Cause]] = {}

    def begin(self, step: int) -> bool:
        try:
            self._probe.start(_of_compiled())
        except ProbeUnavailable:
            return False
        return True

    def end(self, *, whole: bool) -> Mapping[str, str]:
        reading = self._probe.stop()
        if not whole and self.steps:
            return {}
        self.steps += 1
        self._values, self._causes = reading.values, reading.causes
        return reading.unavailable

    def metrics(self) -> dict[str, float]:
        return dict(self._values)

    def causes(self) -> dict[str, Sequence[Cause]]:
        return dict(self._causes)

    def entries(self) -> list[dict[str, Any]]:
        reports = entry_reports(self._probe.entries(), self._probe.recompilations())
        return [
            {**report._asdict(), "calls_per_step": report.calls / self.steps if self.steps else 0.0}
            for report in reports
        ]
