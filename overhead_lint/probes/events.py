"""Counts device events, streams and synchronisations, on a CUDA device or a simulated one.

The counts come from c10's GPU trace points, which the autograd engine's own events pass too, through
a native sink that takes no interpreter lock. Importing this module imports neither torch nor the
compiled sink.
"""

from __future__ import annotations

import functools
import os
from pathlib import Path
from types import ModuleType

import overhead_lint
from overhead_lint.native import NativeUnavailable, load
from overhead_lint.probes.api import Metric, MetricKind, ProbeUnavailable, Reading
from overhead_lint.probes.attribution import Noted, causes_by_metric

__all__ = ["METRICS", "EventsProbe"]

METRICS: tuple[Metric, ...] = (
    Metric("event_create", MetricKind.COUNT, "device events created"),
    Metric("event_record", MetricKind.COUNT, "device events recorded on a stream"),
    Metric("event_wait", MetricKind.COUNT, "waits of a stream for an event"),
    Metric("event_sync", MetricKind.COUNT, "waits of the host for an event"),
    Metric("stream_create", MetricKind.COUNT, "device streams created"),
    Metric("stream_sync", MetricKind.COUNT, "waits of the host for a stream (.item(), blocking copies)"),
    Metric("device_sync", MetricKind.COUNT, "waits of the host for the whole device"),
)

NO_DEVICE = "no CUDA device; ask for the simulated_cuda fixture or --overhead-device=simulated"


class EventsProbe:
    """Counts while a block runs. Probes nest.

    Args:
        attribute: whether to note the source line of each count too. That takes the interpreter
            lock for each counted thing and each differentiable operator; counts stay the same.
    """

    def __init__(self, *, attribute: bool = True) -> None:
        self._attribute = attribute
        self._metrics: frozenset[str] = frozenset()
        self._counts_before: dict[str, int] = {}
        self._noted_before: dict[tuple[object, ...], int] = {}

    def start(self, metrics: frozenset[str]) -> None:
        """Begin counting `metrics`.

        Raises:
            ProbeUnavailable: no CUDA device, real or simulated, or no native core.
        """
        first = min(metrics)
        try:
            import torch
        except ImportError as error:
            raise ProbeUnavailable(first, f"torch cannot be imported ({error}): install torch") from None
        if not torch.cuda.is_available():
            raise ProbeUnavailable(first, NO_DEVICE)
        try:
            sink = load("trace_sink")
        except NativeUnavailable as error:
            raise ProbeUnavailable(first, error.why) from None
        self._metrics = metrics
        if self._attribute:
            sink.attribute(sorted(metrics), list(_internal_prefixes()))
            self._noted_before = {_place(n): n.amount for n in _noted(sink)}
        sink.start()
        self._counts_before = sink.counts()

    def stop(self) -> Reading:
        """End, and give the counts since `start`.

        Raises:
            ProbeUnavailable: another tool took the trace points over while the block ran, so the
                counts would be short.
        """
        sink = load("trace_sink")
        counts: dict[str, int] = sink.counts()
        complete: bool = sink.stop()
        noted: list[Noted] = []
        if self._attribute:
            noted = [n._replace(amount=n.amount - self._noted_before.get(_place(n), 0)) for n in _noted(sink)]
            sink.stop_attributing()
        if not complete:
            raise ProbeUnavailable(
                min(self._metrics),
                "another tool (the CUDA sanitizer?) took over torch's GPU trace while the block ran; "
                "enable it before measuring",
            )
        return Reading(
            values={metric: counts[metric] - self._counts_before[metric] for metric in sorted(self._metrics)},
            causes=causes_by_metric(noted, sorted(self._metrics)),
        )


def _noted(sink: ModuleType) -> list[Noted]:
    return [Noted(*fields) for fields in sink.causes()]


def _place(noted: Noted) -> tuple[object, ...]:
    return (noted.kind, noted.origin, noted.path, noted.line, noted.node, id(noted.leaf))


@functools.cache
def _internal_prefixes() -> tuple[str, ...]:
    """Folders whose code is never a user's line: torch and this package."""
    import torch

    packages = (torch.__file__, overhead_lint.__file__)
    return tuple(f"{Path(file).parent}{os.sep}" for file in packages)
