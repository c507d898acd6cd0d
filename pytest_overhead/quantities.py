"""Values of metrics as people write them."""

from __future__ import annotations

from overhead_lint.probes import MetricKind, find_metric
from overhead_lint.support.units import seconds
from pytest_overhead.budgets import Multiple

__all__ = ["quantity"]


def quantity(metric: str, value: float) -> str:
    """A value as people write it: counts plain, seconds with the unit that fits."""
    found = find_metric(metric)
    if isinstance(value, Multiple):
        return f"{value:g}x"
    if found.kind is MetricKind.COUNT:
        return f"{int(value)} {found.unit}".rstrip()
    return seconds(value) if found.kind is MetricKind.TIME else f"{value:.3g}x"
