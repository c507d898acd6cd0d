"""Measures host overhead while a block runs. Importing this package imports no torch."""

from __future__ import annotations

from overhead_lint.probes.api import Cause, Measurement, Metric, MetricKind, ProbeUnavailable
from overhead_lint.probes.measure import measure
from overhead_lint.probes.metrics import METRICS, UnknownMetric, find_metric
from overhead_lint.probes.step_time_probe import step_overhead

__all__ = [
    "METRICS",
    "Cause",
    "Measurement",
    "Metric",
    "MetricKind",
    "ProbeUnavailable",
    "UnknownMetric",
    "find_metric",
    "measure",
    "step_overhead",
]
