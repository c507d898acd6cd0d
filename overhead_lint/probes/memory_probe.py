"""Counts the bytes of device memory that a block asks for, and the most that it has at once.

The native core asks the device's allocator at each allocation that torch's GPU trace tells of. Importing
this module imports neither torch nor the native core.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from overhead_lint.probes.api import Metric, MetricKind, Reading
from overhead_lint.probes.counters import CounterProbe, require_device

__all__ = ["METRICS", "PROBE", "MemoryProbe"]

METRICS: tuple[Metric, ...] = (
    Metric("alloc_bytes", MetricKind.COUNT, "bytes of device memory asked for", recorded=False, unit="bytes"),
    Metric(
        "peak_bytes",
        MetricKind.COUNT,
        "the most bytes of device memory in use at once, beyond those when it began",
        recorded=False,
        unit="bytes",
    ),
)


class MemoryProbe(CounterProbe):
    """Counts bytes as the program asks for them, on all devices together.

    Freed memory that an allocator keeps, and what it rounds sizes to, are left out, so that the simulated
    device and a GPU count the same. Lines of ``peak_bytes`` are those that asked for what was in use then.
    """

    _watch: int
    _peak: int

    def check(self, metrics: frozenset[str]) -> None:
        """See `CounterProbe`."""
        require_device(metrics)

    def begin(self, counters: ModuleType, metrics: frozenset[str]) -> None:
        """See `CounterProbe`."""
        counters.start()
        self._watch = counters.start_memory()

    def end(self, counters: ModuleType, metrics: frozenset[str]) -> Mapping[str, str]:
        """See `CounterProbe`."""
        self._peak, wrong = counters.stop_memory(self._watch)
        if not counters.stop():
            wrong = "another tool took over torch's GPU trace while the block ran; enable it before measuring"
        return dict.fromkeys(metrics, wrong) if wrong else {}

    def stop(self) -> Reading:
        """See `CounterProbe`."""
        reading = super().stop()
        if "peak_bytes" not in reading.values:
            return reading
        return reading._replace(values={**reading.values, "peak_bytes": self._peak})


PROBE = MemoryProbe
