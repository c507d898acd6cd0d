"""Looks closely at a few steps with the probes: guards, events, waits, operators, contexts, by line.

The probes are too slow for each step of a long run, and two of them need the thread's profile
function. So single steps are looked at, with one set of probes each in turn; numbers are means over them.
"""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from overhead_lint.evidence import Cause
from overhead_lint.probes.api import Measurement
from overhead_lint.probes.measure import measure

__all__ = ["CloseUp"]

_DEVICE: Final = ("event_record", "event_wait", "event_sync", "stream_sync", "device_sync", "alloc")
_HOST: Final = ("dispatches", "autograd_nodes", "copies_h2d", "copies_d2h", "contexts", "python_calls")
_COMPILED: Final = ("guards", "recompiles", "graph_breaks", "guard_time_hot", "guard_time_cold")
_SETS: Final = (_COMPILED, (*_DEVICE, *_HOST))
_FIRST: Final = 4
"""The first steps after the warm-up are looked at, then one in `_EVERY` for each set, up to `_MOST`."""
_EVERY: Final = 32
_MOST: Final = 40
_MOST_CAUSES: Final = 20_000


class CloseUp:
    """See `overhead_lint.dynamic.recorder.Closer`."""

    def __init__(self) -> None:
        self._looked: list[int] = [0] * len(_SETS)
        self._sums: Counter[str] = Counter()
        self._steps: Counter[str] = Counter()
        self._causes: Counter[tuple[str, str, int, str]] = Counter()
        self._running: contextlib.ExitStack | None = None
        self._measurement = Measurement()
        self._index = 0
        self.unavailable: dict[str, str] = {}

    def begin(self, step: int) -> bool:
        """Look at this step with one of the sets, if it is one to look at."""
        turn, close = divmod(step, _EVERY)
        if "torch" not in sys.modules or close >= (_FIRST if turn == 0 else len(_SETS)):
            return False
        self._index = close % len(_SETS)
        if self._looked[self._index] >= _MOST or (self._index == 0 and not _compiles()):
            return False
        metrics = _SETS[self._index]
        self._running = contextlib.ExitStack()
        self._measurement = self._running.enter_context(measure(metrics, strict=False))
        return True

    def end(self) -> None:
        """Take the numbers."""
        assert self._running is not None, "end without begin"
        self._running.close()
        self._running = None
        self._looked[self._index] += 1
        found = self._measurement
        for metric in _SETS[self._index]:
            if metric in found.values:
                self._sums[metric] += found.values[metric]  # type: ignore[assignment]
                self._steps[metric] += 1
        for metric, causes in found.causes.items():
            for cause in causes:
                key = (metric, cause.path, cause.line, cause.label)
                if key in self._causes or len(self._causes) < _MOST_CAUSES:
                    self._causes[key] += cause.amount  # type: ignore[assignment]
        self.unavailable.update(found.unavailable)

    def metrics(self) -> Mapping[str, float]:
        """Numbers a step, by metric."""
        return {metric: self._sums[metric] / steps for metric, steps in sorted(self._steps.items())}

    def causes(self) -> Sequence[Cause]:
        """The lines behind the numbers, most first for each metric."""
        found = [
            Cause(metric, path, line, label, amount / self._steps[metric])
            for (metric, path, line, label), amount in self._causes.items()
            if self._steps[metric]
        ]
        return sorted(found, key=lambda c: (c.metric, -c.per_step, c.path, c.line, c.label))


def _compiles() -> bool:
    """Whether the program has compiled anything: importing Dynamo for nothing takes seconds."""
    return "torch._dynamo.convert_frame" in sys.modules
