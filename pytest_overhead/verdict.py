"""Measures a test body or a block of it, and turns the result into an outcome."""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Callable, Generator, Iterable, Mapping
from typing import TYPE_CHECKING

import pytest

from overhead_lint.probes import Measurement, MetricKind, ProbeUnavailable, find_metric, guards_lookout
from overhead_lint.probes.counted_lines import source_text
from overhead_lint.probes.metrics import needs_dynamo
from overhead_lint.probes.step_time_probe import STEP_OVERHEAD
from pytest_overhead import OverheadWarning
from pytest_overhead.blame import Blame, Recorded, blamed, recorded_lines, with_changes
from pytest_overhead.body import BODY_KEY, Body
from pytest_overhead.budgets import Budget, Exactly
from pytest_overhead.effective_limits import budget_here, device_kind, over_limits
from pytest_overhead.entries import FAULTS, NO_BUDGET, PREFIX
from pytest_overhead.failure_message import failure, headline, quantity
from pytest_overhead.limit_keys import split

if TYPE_CHECKING:
    from pytest_overhead.session import Plan

__all__ = [
    "MEASURED_KEY",
    "OVER",
    "UNMEASURED",
    "import_dynamo_for",
    "judge",
    "run_measured",
    "watch_compilations",
    "without_trace_logs",
]

MOST_MOMENTS = 100
"""Of a test, in a report."""
OVER = (f"{PREFIX}verdict", "over budget")
UNMEASURED = (f"{PREFIX}verdict", "not measured")
UNSTEADY = (f"{PREFIX}verdict", "not repeatable")
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
    if body.failed:
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
        judge(item, budget, measurement, differing, recorded=functools.partial(recorded_lines, item))
        if plan.strict and not budget.limits and not plan.fixture:
            _require_budget(item, values)
    return result


def _require_budget(item: pytest.Item, values: Mapping[str, float]) -> None:
    __tracebackhide__ = True
    costs = [f"{metric} {quantity(metric, value)}" for metric, value in values.items() if value]
    if costs:
        faults = [_fault(metric, NO_BUDGET[1], None, value) for metric, value in values.items() if value]
        item.user_properties += [NO_BUDGET, (FAULTS, faults)]
        pytest.fail(
            f"no budget for {', '.join(costs)}\n{item.nodeid}\n"
            "  --overhead-strict: mark the test with overhead_budget, or record it with --overhead-update",
            pytrace=False,
        )


def _detail(budget: Budget, measurement: Measurement) -> dict[str, object]:
    """Limits, lines and reasons in plain types, for JSON and for a worker's report."""
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


def _is_time(metric: str) -> bool:
    return find_metric(metric).kind is not MetricKind.COUNT


def judge(
    item: pytest.Item,
    budget: Budget,
    measurement: Measurement,
    differing: frozenset[str] = frozenset(),
    recorded: Callable[[str], Recorded] = lambda metric: Recorded(),
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
        recorded: the lines of a count when the budget was recorded.

    Raises:
        pytest.fail.Exception: with a short message and no traceback.
    """
    __tracebackhide__ = True
    if MEASURED_KEY in item.stash:
        item.stash[MEASURED_KEY].append(measurement)
    over, refused = over_limits(item, budget, measurement), ""
    versions, budget = budget.foreign, budget_here(item, budget)
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
    unmeasured = {
        name: measurement.unavailable[name]
        for name in budget.limits
        if name in measurement.unavailable and name not in budget.defaults | differing
    }
    unsteady = {name: measurement.unavailable[name] for name in budget.limits if name in differing}
    if over or unmeasured or unsteady:
        verdict = OVER if over else UNMEASURED if unmeasured else UNSTEADY
        root = item.config.rootpath
        over = [with_changes(excess, recorded(excess.metric), root) for excess in over]
        faults = [_fault(e.metric, OVER[1], e.limit, e.value, blamed(e, root)) for e in over]
        for names, kind in ((unmeasured, UNMEASURED), (unsteady, UNSTEADY)):
            faults += [_fault(metric, kind[1], budget.limits[metric]) for metric in names]
        item.user_properties += [verdict, (FAULTS, faults)]
        most = 10**6 if item.config.get_verbosity() >= 2 else 5
        text = failure(item.nodeid, over, unmeasured, root, differing=unsteady, causes=most)
        pytest.fail(text + refused, pytrace=False)
    if refused:
        pytest.fail(refused.strip(), pytrace=False)


def _fault(
    metric: str,
    verdict: str,
    limit: float | None = None,
    value: float | None = None,
    blame: Blame | None = None,
) -> dict[str, object]:
    """Why a test failed, in plain types, for JSON and for a worker's report."""
    finite = limit is not None and math.isfinite(limit)
    plain = int(limit) if isinstance(limit, Exactly) else limit  # execnet carries no subclasses of int
    place = {} if blame is None else {"path": blame.path, "line": blame.line}
    return {"metric": metric, "verdict": verdict, "limit": plain if finite else None, "value": value, **place}


def _warned(item: pytest.Item, told: str) -> str:
    """Warn; the warning as a line of a failure where a filter makes errors of warnings."""
    try:
        item.warn(OverheadWarning(f"{item.nodeid}: {told}"))
    except OverheadWarning as error:
        return f"\n{type(error).__name__}: {error}"
    return ""
