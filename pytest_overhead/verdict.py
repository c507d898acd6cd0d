"""Measures a test body or a block of it, and turns the result into an outcome."""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from overhead_lint.probes import Measurement, MetricKind, ProbeUnavailable, find_metric, guards, measure
from pytest_overhead import OverheadWarning
from pytest_overhead.budgets import Budget, Exactly, excesses
from pytest_overhead.extensions import kept
from pytest_overhead.kinds import split
from pytest_overhead.message import failure, headline, quantity
from pytest_overhead.repeats import combined

if TYPE_CHECKING:
    from pytest_overhead.session import Plan

__all__ = [
    "OVER",
    "PREFIX",
    "UNMEASURED",
    "Body",
    "judge",
    "run_measured",
    "watch_compilations",
]

PREFIX = "overhead:"
"""What the names of this plugin's entries in ``user_properties`` begin with."""
OVER = (f"{PREFIX}verdict", "over budget")
UNMEASURED = (f"{PREFIX}verdict", "not measured")
UNSTEADY = (f"{PREFIX}verdict", "not repeatable")
NO_BUDGET = (f"{PREFIX}verdict", "no budget")


@dataclass
class Body:
    """A test body that is measured when pytest calls it.

    Attributes:
        call: what pytest would call.
        metrics: what to measure.
        warmup: calls before the measured ones.
        repeat: measured calls.
        attribute: find the source lines too.
    """

    call: Callable[..., Any]
    metrics: frozenset[str]
    warmup: int
    repeat: int
    attribute: bool
    failed: bool = False
    runs: list[Measurement] = field(default_factory=list)

    def replacement(self) -> Callable[..., Any]:
        """What pytest is to call instead, a coroutine function where the body is one."""
        wrapped = self._coroutine() if inspect.iscoroutinefunction(self.call) else self._function()
        return functools.wraps(self.call)(wrapped)

    def _function(self) -> Callable[..., Any]:
        def measured(*args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            with self._noting_failure():
                for _ in range(self.warmup):
                    self.call(*args, **kwargs)
                result = None
                for _ in range(self.repeat):
                    with self._measuring():
                        result = self.call(*args, **kwargs)
                return result

        return measured

    def _coroutine(self) -> Callable[..., Any]:
        async def measured(*args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            with self._noting_failure():
                for _ in range(self.warmup):
                    await self.call(*args, **kwargs)
                result = None
                for _ in range(self.repeat):
                    with self._measuring():
                        result = await self.call(*args, **kwargs)
                return result

        return measured

    @contextmanager
    def _measuring(self) -> Iterator[None]:
        __tracebackhide__ = True
        with measure(self.metrics, attribute=self.attribute, strict=False) as measurement:
            yield
        self.runs.append(measurement)

    @contextmanager
    def _noting_failure(self) -> Iterator[None]:
        __tracebackhide__ = True
        try:
            yield
        except BaseException:
            self.failed = True
            raise


def watch_compilations() -> None:
    """Watch Dynamo from now on. Without torch nothing compiles, and measuring will say so."""
    with contextlib.suppress(ProbeUnavailable):
        guards.prepare()


def run_measured(item: pytest.Item, plan: Plan) -> Generator[None, object, object]:
    """Let pytest run the item, measure its body meanwhile, and judge it when it passed."""
    __tracebackhide__ = True
    if not isinstance(item, pytest.Function):
        result = yield
        _never_called(item, plan, "only test functions can be measured")
        return result
    original = item.obj
    budget = plan.budget
    attribute = bool(budget.limits) or plan.detail
    body = Body(original, plan.metrics, budget.warmup, budget.repeat, attribute=attribute)
    # A test that is run again starts anew.
    item.user_properties[:] = [pair for pair in item.user_properties if not pair[0].startswith(PREFIX)]
    item.obj = body.replacement()
    try:
        result = yield
    finally:
        item.obj = original
    if body.failed:
        return result
    if not body.runs:
        _never_called(item, plan, "something other than pytest runs this body (unittest does for coroutines)")
    else:
        measurement, differing = combined(body.runs)
        values = measurement.values
        item.user_properties += [(f"{PREFIX}{metric}", values[metric]) for metric in sorted(values)]
        if plan.survey or any(split(key)[0] for key in budget.limits):
            item.user_properties.append((f"{PREFIX}device", _device_kind()))
        if plan.detail:
            item.user_properties.append((f"{PREFIX}detail", _detail(budget, measurement)))
        judge(item, budget, measurement, differing)
        if plan.strict and not budget.limits and not plan.fixture:
            _require_budget(item, values)
    return result


def _require_budget(item: pytest.Item, values: Mapping[str, float]) -> None:
    __tracebackhide__ = True
    costs = [f"{metric} {quantity(metric, value)}" for metric, value in values.items() if value]
    if costs:
        item.user_properties.append(NO_BUDGET)
        pytest.fail(
            f"no budget for {', '.join(costs)}\n{item.nodeid}\n"
            "  --overhead-strict: mark the test with overhead_budget, or record it with --overhead-update",
            pytrace=False,
        )


def _detail(budget: Budget, measurement: Measurement) -> dict[str, object]:
    """Limits, lines and reasons in plain types, for JSON and for a worker's report."""
    causes = {metric: [dict(c._asdict()) for c in found] for metric, found in measurement.causes.items()}
    limits = {
        # execnet carries no subclasses of int
        metric: int(limit) if isinstance(limit, Exactly) else limit
        for metric, limit in budget.on(_device_kind()).limits.items()
    }
    return {"limits": limits, "causes": causes, "unavailable": dict(measurement.unavailable)}


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


def _device_kind() -> str:
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available():
        return "cpu"
    simulated = sys.modules.get("overhead_lint.simulated")
    return "simulated" if simulated is not None and simulated.is_enabled() else "cuda"


def _is_time(metric: str) -> bool:
    return find_metric(metric).kind is not MetricKind.COUNT


def judge(
    item: pytest.Item, budget: Budget, measurement: Measurement, differing: frozenset[str] = frozenset()
) -> None:
    """Fail the running test when it is over its budget, or when the budget could not be measured.

    The limits are those of the device that the test has now. Counts that are `differing` between repeats
    fail it, too. Times over their limits only warn, unless the ini file sets ``overhead_gate_times``.

    Raises:
        pytest.fail.Exception: with a short message and no traceback.
    """
    __tracebackhide__ = True
    budget = budget.on(_device_kind())
    over = excesses(budget, measurement, functools.partial(kept, item.config))
    if not item.config.getini("overhead_gate_times"):
        for excess in (e for e in over if _is_time(e.metric)):
            item.warn(OverheadWarning(f"{item.nodeid}: {headline(excess)}"))
        over = [excess for excess in over if not _is_time(excess.metric)]
    unmeasured = {
        name: measurement.unavailable[name]
        for name in budget.limits
        if name in measurement.unavailable and name not in budget.defaults | differing
    }
    unsteady = {name: measurement.unavailable[name] for name in budget.limits if name in differing}
    if over or unmeasured or unsteady:
        item.user_properties.append(OVER if over else UNMEASURED if unmeasured else UNSTEADY)
        most = 10**6 if item.config.get_verbosity() >= 2 else 5
        root = item.config.rootpath
        text = failure(item.nodeid, over, unmeasured, root, differing=unsteady, causes=most)
        pytest.fail(text, pytrace=False)
