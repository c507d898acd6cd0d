"""Fails a test that is over its budget, could not be measured, or has none: imported where that happens."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest

from overhead_lint.probes import MetricKind, find_metric
from pytest_overhead import OverheadWarning
from pytest_overhead.blame import Blame, blamed, recorded_lines, with_changes
from pytest_overhead.budgets import Budget, Exactly, Excess
from pytest_overhead.effective_limits import Broken, device_kind
from pytest_overhead.entries import FAULTS, NO_BUDGET, OVER, UNMEASURED, UNSTEADY
from pytest_overhead.failure_message import failure, headline, in_short, not_measured, unsteady
from pytest_overhead.quantities import quantity

__all__ = ["fail", "fail_without_budget"]


def fail(
    item: pytest.Item, budget: Budget, broken: Broken, *, versions: frozenset[str], recorded: bool
) -> None:
    """Fail the running test, or warn where what is broken only warns.

    Args:
        item: the running test.
        budget: what it is held to here.
        broken: what of that is not kept.
        versions: counts that only warn since they were recorded with other versions.
        recorded: say what came and went since the budget file was written.

    Raises:
        pytest.fail.Exception: with a short message and no traceback.
    """
    __tracebackhide__ = True
    over, refused = _without_warned(item, budget, broken.over, versions)
    if over or broken.unmeasured or broken.unsteady:
        verdict = OVER if over else UNMEASURED if broken.unmeasured else UNSTEADY
        root = item.config.rootpath
        if recorded:
            over = [with_changes(excess, recorded_lines(item, excess.metric), root) for excess in over]
        faults = [_fault(e.metric, OVER[1], in_short(e), e.limit, e.value, blamed(e, root)) for e in over]
        for metric in broken.unmeasured:
            faults.append(_fault(metric, UNMEASURED[1], not_measured(metric), budget.limits[metric]))
        for metric, how in broken.unsteady.items():
            faults.append(_fault(metric, UNSTEADY[1], unsteady(metric, how), budget.limits[metric]))
        item.user_properties += [verdict, (FAULTS, faults)]
        most = 10**6 if item.config.get_verbosity() >= 2 else 5
        text = failure(item.nodeid, over, broken.unmeasured, root, differing=broken.unsteady, causes=most)
        pytest.fail(text + refused, pytrace=False)
    if refused:
        pytest.fail(refused.strip(), pytrace=False)


def fail_without_budget(item: pytest.Item, values: Mapping[str, float]) -> None:
    """Fail the running test for costs that nothing limits.

    Raises:
        pytest.fail.Exception: with a short message and no traceback.
    """
    __tracebackhide__ = True
    costs = [f"{metric} {quantity(metric, value)}" for metric, value in values.items() if value]
    faults = [
        _fault(metric, NO_BUDGET[1], f"no budget for {metric} {quantity(metric, value)}", None, value)
        for metric, value in values.items()
        if value
    ]
    item.user_properties += [NO_BUDGET, (FAULTS, faults)]
    pytest.fail(
        f"no budget for {', '.join(costs)}\n{item.nodeid}\n"
        "  --overhead-strict: mark the test with overhead_budget, or record it with --overhead-update",
        pytrace=False,
    )


def _without_warned(
    item: pytest.Item, budget: Budget, over: list[Excess], versions: frozenset[str]
) -> tuple[list[Excess], str]:
    """What fails the test of what is over its limits; the rest warns, as lines where warnings are errors."""
    refused = ""
    for excess in (e for e in over if e.metric in budget.foreign):
        where = "+".join(sorted(budget.recorded_on))
        why = "with other versions" if excess.metric in versions else f"on {where}, this is {device_kind()}"
        why = f"recorded {why}, so this only warns"
        refused += _warned(item, f"{headline(excess)}; {why}")
    over = [excess for excess in over if excess.metric not in budget.foreign]
    if not item.config.getini("overhead_gate_times"):
        for excess in (e for e in over if _is_time(e.metric)):
            refused += _warned(item, headline(excess))
        over = [excess for excess in over if not _is_time(excess.metric)]
    return over, refused


def _is_time(metric: str) -> bool:
    return find_metric(metric).kind is not MetricKind.COUNT


def _fault(
    metric: str,
    verdict: str,
    message: str,
    limit: float | None = None,
    value: float | None = None,
    blame: Blame | None = None,
) -> dict[str, object]:
    """Why a test failed, in plain types, for JSON and for a worker's report."""
    finite = limit is not None and math.isfinite(limit)
    plain = int(limit) if isinstance(limit, Exactly) else limit  # execnet carries no subclasses of int
    place = {} if blame is None else {"path": blame.path, "line": blame.line}
    fault = {"metric": metric, "verdict": verdict, "message": message, **place}
    return fault | {"limit": plain if finite else None, "value": value}


def _warned(item: pytest.Item, told: str) -> str:
    """Warn; the warning as a line of a failure where a filter makes errors of warnings."""
    try:
        item.warn(OverheadWarning(f"{item.nodeid}: {told}"))
    except OverheadWarning as error:
        return f"\n{type(error).__name__}: {error}"
    return ""
