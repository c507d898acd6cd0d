"""Counts device events, streams and synchronisations, on a CUDA device or a simulated one.

The counts come from c10's GPU trace points, which the autograd engine's own events pass too, through
a native sink that takes no interpreter lock. Importing this module imports neither torch nor the
compiled sink.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from overhead_lint.probes.api import Metric, MetricKind
from overhead_lint.probes.counters import CounterProbe, require_device

__all__ = ["METRICS", "PROBE", "EventsProbe"]

METRICS: tuple[Metric, ...] = (
    Metric("event_create", MetricKind.COUNT, "device events created", recorded=False),
    Metric(
        "event_record", MetricKind.COUNT, "device events recorded on a stream", per_step=True, code="OVH401"
    ),
    Metric("event_wait", MetricKind.COUNT, "waits of a stream for an event", per_step=True, code="OVH401"),
    Metric("event_sync", MetricKind.COUNT, "waits of the host for an event", per_step=True, code="OVH405"),
    Metric("stream_create", MetricKind.COUNT, "device streams created", recorded=False),
    Metric(
        "stream_sync",
        MetricKind.COUNT,
        "waits of the host for a stream (.item(), blocking copies)",
        per_step=True,
        code="OVH404",
    ),
    Metric(
        "device_sync",
        MetricKind.COUNT,
        "waits of the host for the whole device",
        per_step=True,
        code="OVH405",
    ),
    Metric("alloc", MetricKind.COUNT, "blocks of device memory allocated", recorded=False, per_step=True),
)


class EventsProbe(CounterProbe):
    """Counts at the GPU trace points while a block runs; unavailable where there is no device."""

    def check(self, metrics: frozenset[str]) -> None:
        """See `CounterProbe`."""
        require_device(metrics)

    def begin(self, counters: ModuleType, metrics: frozenset[str]) -> None:
        """See `CounterProbe`."""
        counters.start()

    def end(self, counters: ModuleType, metrics: frozenset[str]) -> Mapping[str, str]:
        """See `CounterProbe`."""
        if counters.stop():
            return {}
        why = (
            "another tool (the CUDA sanitizer?) took over torch's GPU trace while the block ran; "
            "enable it before measuring"
        )
        return dict.fromkeys(metrics, why)


PROBE = EventsProbe
