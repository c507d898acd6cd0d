"""Limits: how they are declared, checked for sense, and compared with what was measured."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from overhead_lint.probes import Cause, Measurement, MetricKind, UnknownMetric, find_metric

__all__ = ["BadBudget", "Budget", "Excess", "excesses", "parse_limit", "parse_marker"]


class BadBudget(ValueError):
    """A budget that makes no sense; the message says which part, not where."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits for one test or block."""

    limits: Mapping[str, float] = field(default_factory=dict)
    """The most each metric may be."""
    warmup: int = 0
    """Calls of the test body before the one that is measured."""


class Excess(NamedTuple):
    """A metric over its limit."""

    metric: str
    limit: float
    value: float
    causes: tuple[Cause, ...]


def parse_limit(metric: str, value: object) -> float:
    """A limit as a number.

    Raises:
        BadBudget: unknown metric, no number, a negative one, or a fraction for a count.
    """
    try:
        kind = find_metric(metric).kind
    except UnknownMetric as error:
        raise BadBudget(str(error)) from None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise BadBudget(f"{metric}={value!r}: a limit is a number")
    if not math.isfinite(value) or value < 0:
        raise BadBudget(f"{metric}={value!r}: a limit is 0 or more")
    if kind is MetricKind.COUNT and value != int(value):
        raise BadBudget(f"{metric}={value!r}: a count is a whole number")
    return int(value) if kind is MetricKind.COUNT else float(value)


def parse_marker(args: tuple[object, ...], kwargs: Mapping[str, object]) -> Budget:
    """The budget that a marker or a call of the fixture declares.

    Raises:
        BadBudget: positional arguments, a bad limit, a bad ``warmup``, or nothing declared.
    """
    if args:
        raise BadBudget(f"limits are keyword arguments (guards=40), not positional: {args[0]!r}")
    if not kwargs:
        raise BadBudget("no limit is given; write for instance guards=40")
    warmup = kwargs.get("warmup", 0)
    if isinstance(warmup, bool) or not isinstance(warmup, int) or warmup < 0:
        raise BadBudget(f"warmup={warmup!r}: a number of calls, 0 or more")
    limits = {name: parse_limit(name, value) for name, value in kwargs.items() if name != "warmup"}
    return Budget(limits, warmup)


def excesses(budget: Budget, measurement: Measurement) -> list[Excess]:
    """The metrics over their limits, in the order they were declared.

    Args:
        budget: the limits.
        measurement: what was measured; metrics that have no value are left out.
    """
    return [
        Excess(metric, limit, measurement.values[metric], measurement.causes.get(metric, ()))
        for metric, limit in budget.limits.items()
        if metric in measurement.values and measurement.values[metric] > limit
    ]
