"""Measures a test body or a block of it, and turns the result into an outcome."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Generator, Iterable
from typing import TYPE_CHECKING

import pytest

from overhead_lint.probes import Measurement, ProbeUnavailable, guards_lookout
from overhead_lint.probes.metrics import needs_dynamo
from overhead_lint.probes.step_time_probe import STEP_OVERHEAD
from pytest_overhead.body import BODY_KEY, Body
from pytest_overhead.budgets import Budget, Exactly
from pytest_overhead.effective_limits import Broken, budget_here, device_kind, over_limits
from pytest_overhead.entries import PREFIX
from pytest_overhead.limit_keys import split

if TYPE_CHECKING:
    from pytest_overhead.session import Plan

__all__ = [
    "MEASURED_KEY",
    "import_dynamo_for",
    "judge",
    "run_measured",
    "watch_compilations",
    "without_trace_logs",
]

MOST_MOMENTS = 100
"""Of a test, in a report."""
MEASURED_KEY: pytest.StashKey[list[Measurement]] = pytest.StashKey()
"""What was measured in a test, for whoever puts a list there before its body runs."""


def watch_compilations(metrics: Iterable[str] = ()) -> None:
    """Watch Dynamo from now on. Without torch nothing compiles, and measuring will say so.

    Args:
        metrics: what somebody asks for who knows the test.
    """
    import_dynamo_for(metrics)
    with contextlib.suppress(ProbeUnavailable):
        guards_lookout.prepare()


def import_dynamo_for(metrics: Iterable[str]) -> None:
    """Import Dynamo where one of the metrics is about what it compiles; else the program may, or may not."""
    if needs_dynamo(metrics):
        with contextlib.suppress(ProbeUnavailable):
            guards_lookout.import_dynamo()


def run_measured(item: pytest.Item, plan: Plan) -> Generator[None, object, object]:
    """Let pytest run the item, measure its body meanwhile, and judge it when it passed."""
    __tracebackhide__ = True
    if not isinstance(item, pytest.Function):
        result = yield
        _never_called(item, plan, "only test functions can be measured")
        return result
    original = item.obj
    budget = plan.budget
    body = Body(
        original,
        plan.metrics,
        budget.warmup,
        budget.repeat,
        attribute=plan.detail,
        step_limit=budget_here(item, budget).limits.get(STEP_OVERHEAD),
        over=lambda measured: frozenset(excess.metric for excess in over_limits(item, budget, measured)),
        begin=lambda: setattr(item, "obj", original),  # for what asks, in the body, which function this is
    )
    item.obj, item.stash[BODY_KEY] = body.replacement(), body
    try:
        result = yield
    finally:
        item.obj = original
        del item.stash[BODY_KEY]
    if body.has_failed():
        return result
    if not body.runs:
        _never_called(item, plan, "something other than pytest runs this body (unittest does for coroutines)")
    else:
        measurement, differing = body.measurement()
        values = measurement.values
        item.user_properties += [(f"{PREFIX}{metric}", values[metric]) for metric in sorted(values)]
        if plan.survey or budget.plain or any(split(key)[0] for key in budget.limits):
            item.user_properties.append((f"{PREFIX}device", device_kind()))
        if measurement.others:
            item.user_properties.append((f"{PREFIX}others", measurement.others))
        if plan.detail:
            item.user_properties.append((f"{PREFIX}detail", _detail(budget_here(item, budget), measurement)))
        judge(item, budget, measurement, differing, recorded=True)
        if plan.strict and not budget.limits and not plan.fixture and any(values.values()):
            from pytest_overhead.failing import fail_without_budget

            fail_without_budget(item, values)
    return result


def _detail(budget: Budget, measurement: Measurement) -> dict[str, object]:
    """Limits, lines and reasons in plain types, for JSON and for a worker's report."""
    from overhead_lint.probes.counted_lines import source_text

    causes = {
        metric: [{**c._asdict(), "text": source_text(c.path, c.line)} for c in found]
        for metric, found in measurement.causes.items()
    }
    limits = {
        # execnet carries no subclasses of int
        metric: int(limit) if isinstance(limit, Exactly) else limit
        for metric, limit in budget.limits.items()
        if math.isfinite(limit)  # as a multiple of an operator is not, where there is no torch
    }
    moments = [dict(moment._asdict()) for moment in measurement.moments[:MOST_MOMENTS]]
    return {
        "limits": limits,
        "causes": causes,
        "unavailable": dict(measurement.unavailable),
        "garbage": measurement.garbage,
        "moments": moments,
    }


def without_trace_logs(report: pytest.TestReport) -> None:
    """Drop records of ``torch.__trace`` from what a failed test shows.

    pytest attaches its handler to that logger, and torch writes hundreds of empty records to it for
    each frame that it compiles: they would bury a message of five lines.
    """
    kept = []
    for title, content in report.sections:
        lines = [line for line in content.splitlines() if " torch.__trace:" not in line]
        if any(line.strip() for line in lines):
            kept.append((title, "\n".join(lines)))
    report.sections = kept


def _never_called(item: pytest.Item, plan: Plan, why: str) -> None:
    judge(item, plan.budget, Measurement(unavailable=dict.fromkeys(plan.metrics, why)))


def judge(
    item: pytest.Item,
    budget: Budget,
    measurement: Measurement,
    differing: frozenset[str] = frozenset(),
    *,
    recorded: bool = False,
) -> None:
    """Fail the running test when it is over its budget, or when the budget could not be measured.

    The limits are those of the device that the test has now. Counts that are `differing` between repeats
    fail it, too. Times over their limits only warn, unless the ini file sets ``overhead_gate_times``, and
    so do counts of the file that were recorded with other versions, unless it sets ``overhead_gate_foreign``.

    Args:
        item: the running test.
        budget: what it, or a block of it, is held to.
        measurement: what was measured.
        differing: counts that differ between repeats.
        recorded: say what came and went since the budget file was written: its lines are those of this body.

    Raises:
        pytest.fail.Exception: with a short message and no traceback.
    """
    __tracebackhide__ = True
    if MEASURED_KEY in item.stash:
        item.stash[MEASURED_KEY].append(measurement)
    if not budget.limits:
        return
    here = budget_here(item, budget)
    missing = {name: measurement.unavailable[name] for name in here.limits if name in measurement.unavailable}
    broken = Broken(
        over=over_limits(item, budget, measurement),
        unmeasured={name: why for name, why in missing.items() if name not in here.defaults | differing},
        unsteady={name: why for name, why in missing.items() if name in differing},
    )
    if any(broken):
        from pytest_overhead.failing import fail  # and what it says, which costs start-up

        fail(item, here, broken, versions=budget.foreign, recorded=recorded)
