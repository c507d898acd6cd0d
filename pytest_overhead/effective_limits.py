"""What holds for a test here: with the device that it has now, on this machine, at this machine's speed."""

from __future__ import annotations

import functools
import math
import sys

import pytest

from overhead_lint.probes import Measurement, ProbeUnavailable
from overhead_lint.probes.step_time_probe import operator_seconds
from overhead_lint.support.units import seconds
from overhead_lint.tuples import NamedTuple
from pytest_overhead.budgets import Budget, Excess, Multiple, excesses
from pytest_overhead.extensions import kept
from pytest_overhead.machine import machine_class

__all__ = ["Broken", "budget_here", "device_kind", "over_limits"]

_OPERATOR_KEY: pytest.StashKey[float] = pytest.StashKey()


class Broken(NamedTuple):
    """What of a budget a measurement does not keep.

    Attributes:
        over: what is over its limit, or off a count that it has to be.
        unmeasured: why a metric has no value, by its name.
        unsteady: how a count differs between repeats, by its name.
    """

    over: list[Excess]
    unmeasured: dict[str, str]
    unsteady: dict[str, str]


def device_kind() -> str:
    """The kind of device that torch has now; "cpu" without one, and without torch."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available():
        return "cpu"
    simulated = sys.modules.get("overhead_lint.simulated")
    return "simulated" if simulated is not None and simulated.is_enabled() else "cuda"


def budget_here(item: pytest.Item, budget: Budget) -> Budget:
    """What holds of a budget, by metric; times in seconds."""
    if not budget.limits:
        return budget
    here = _on_this(item, budget)
    limits = {
        metric: limit * _operator(item) if isinstance(limit, Multiple) else limit
        for metric, limit in here.limits.items()
    }
    return here._replace(limits=limits)


def over_limits(item: pytest.Item, budget: Budget, measurement: Measurement) -> list[Excess]:
    """What is over the limits that hold here."""
    if not budget.limits:
        return []
    found = excesses(budget_here(item, budget), measurement, functools.partial(kept, item.config))
    return [excess._replace(notes=(*_meant(item, budget, excess.metric), *excess.notes)) for excess in found]


def _meant(item: pytest.Item, budget: Budget, metric: str) -> list[str]:
    limit = _on_this(item, budget).limits[metric]
    if not isinstance(limit, Multiple):
        return []
    return [f"the limit is {limit:g}x one small operator, which took {seconds(_operator(item))} here"]


def _on_this(item: pytest.Item, budget: Budget) -> Budget:
    return budget.on(device_kind(), machine_class(item.config))


def _operator(item: pytest.Item) -> float:
    """Seconds of a small operator, taken once for each test that has a limit in them."""
    if _OPERATOR_KEY not in item.stash:
        try:
            item.stash[_OPERATOR_KEY] = operator_seconds()
        except ProbeUnavailable:
            return math.inf  # without torch nothing that has a limit is measured, and that is told
    return item.stash[_OPERATOR_KEY]
