"""Limits: how they are declared, checked for sense, and compared with what was measured."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from overhead_lint.probes import Cause, Measurement, MetricKind, UnknownMetric, find_metric

__all__ = ["BadBudget", "Budget", "Excess", "excesses", "parse_limit", "parse_marker"]


_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_TEXT = re.compile(
    r"(<=)?\s*(?P<number>-?([0-9]+([.][0-9]*)?|[.][0-9]+)(e-?[0-9]+)?)\s*(?P<unit>s|ms|us|ns)?"
)


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

    Args:
        metric: its metric.
        value: a number, or text such as ``"5 us"`` or ``"<= 40"``; times without a unit are seconds.

    Raises:
        BadBudget: unknown metric, no number, a negative one, a fraction for a count, a wrong unit.
    """
    try:
        kind = find_metric(metric).kind
    except UnknownMetric as error:
        raise BadBudget(str(error)) from None
    shown = f"{metric}={value!r}"
    if isinstance(value, str):
        number = _from_text(shown, value, kind)
    elif isinstance(value, bool) or not isinstance(value, (int, float)):
        raise BadBudget(f"{shown}: a limit is a number")
    else:
        number = value
    if not math.isfinite(number) or number < 0:
        raise BadBudget(f"{shown}: a limit is 0 or more")
    if kind is MetricKind.COUNT and number != int(number):
        raise BadBudget(f"{shown}: a count is a whole number")
    return int(number) if kind is MetricKind.COUNT else float(number)


def _from_text(shown: str, text: str, kind: MetricKind) -> float:
    found = _TEXT.fullmatch(text.strip())
    if found is None:
        example = "40" if kind is MetricKind.COUNT else "5 us"
        raise BadBudget(f"{shown}: write a number or text such as {example!r}")
    if not found["unit"]:
        return float(found["number"])
    if kind is MetricKind.COUNT:
        raise BadBudget(f"{shown}: a count has no unit")
    # Dividing keeps what people write exact: 5 us is 5e-06, and not 4.9999999999999996e-06.
    return float(found["number"]) / _PER_SECOND[found["unit"]]


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
