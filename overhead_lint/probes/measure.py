"""Runs probes around a block."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager

from overhead_lint.probes.api import Measurement, Probe, ProbeUnavailable
from overhead_lint.probes.bystanders import Watching
from overhead_lint.probes.metrics import Attribute, probes_for

__all__ = ["measure"]


@contextmanager
def measure(
    metrics: Iterable[str], *, attribute: Attribute = True, strict: bool = True, watch: bool = False
) -> Iterator[Measurement]:
    """Measure `metrics` while the block runs.

    Args:
        metrics: names out of `overhead_lint.probes.METRICS`.
        attribute: find the source lines that caused each number. It costs time in the block, and
            never changes a count. ``"free"`` finds those that cost none.
        strict: raise for a metric that cannot be measured. Without, it is named in
            ``unavailable`` and has no value.
        watch: note what other threads and garbage collections did meanwhile, in ``others`` and
            ``garbage``; takes a callback of Python's `gc`.

    Yields:
        A measurement, empty until the block has ended. After an exception in the block it holds
        what was measured up to there.

    Raises:
        TypeError: `metrics` is one text, not names.
        UnknownMetric: a name that nothing measures.
        ProbeUnavailable: strict, and a metric cannot be measured here: before the block where that
            is known, else after it.
    """
    if isinstance(metrics, str):
        raise TypeError(f"measure: metrics must be names, such as [{metrics!r}], not one str")
    measurement, metrics, running = Measurement(), frozenset(metrics), ExitStack()
    finalizing = sys.is_finalizing  # in this frame: when a block that nobody left ends, modules may be empty
    try:
        for make, share in probes_for(metrics, attribute=attribute):
            started = _started(make, share, measurement, strict=strict)
            if started is not None:
                running.callback(_stop, *started, measurement)
        if watch:
            running.enter_context(Watching(measurement, metrics))
        yield measurement
    finally:
        if not finalizing():
            running.close()
    if strict and measurement.unavailable:
        metric, why = min(measurement.unavailable.items())
        raise ProbeUnavailable(metric, why)


def _started(
    make: Callable[[], Probe], share: frozenset[str], measurement: Measurement, *, strict: bool
) -> tuple[Probe, frozenset[str]] | None:
    while share:
        probe = make()
        try:
            probe.start(share)
        except ProbeUnavailable as error:
            if strict:
                raise
            # A probe may lack some metrics and have the others: ask again without them.
            missing = share & {error.metric, *error.also} or share
            measurement.unavailable.update(dict.fromkeys(missing, error.why))
            share -= missing
        else:
            return probe, share
    return None


def _stop(probe: Probe, share: frozenset[str], measurement: Measurement) -> None:
    try:
        reading = probe.stop()
    except ProbeUnavailable as error:
        measurement.unavailable.update(dict.fromkeys(share, error.why))
        return
    measurement.values.update(reading.values)
    measurement.causes.update(reading.causes)
    measurement.unavailable.update(reading.unavailable)
    measurement.moments.extend(reading.moments)
    measurement.moments.sort(key=lambda moment: moment.at)
