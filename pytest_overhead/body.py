"""A test body that is measured when pytest calls it."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from overhead_lint.probes import Measurement, measure
from overhead_lint.probes.metrics import Attribute, whose_lines_cost
from overhead_lint.probes.step_time_probe import STEP_OVERHEAD, StepTimer
from pytest_overhead.repeats import combined

__all__ = ["BODY_KEY", "Body"]


@dataclass(eq=False, repr=False)
class Body:
    """Calls a test body, once or more often, and measures it.

    The source lines of some counts take time to find. They are taken in one more call, and only where
    those counts are over their limits, unless `attribute` asks for them at once.

    Attributes:
        call: what pytest would call.
        metrics: what to measure.
        warmup: calls before the measured ones.
        repeat: measured calls.
        attribute: find the source lines of all counts in the measured calls.
        step_limit: what `step_overhead` may be, where it has a limit.
        over: which metrics of a measurement are over their limits.
        begin: called when pytest has come to the body, before it runs.
    """

    call: Callable[..., Any]
    metrics: frozenset[str]
    warmup: int = 0
    repeat: int = 1
    attribute: bool = False
    step_limit: float | None = None
    over: Callable[[Measurement], frozenset[str]] = lambda measurement: frozenset()
    begin: Callable[[], None] = lambda: None
    failed: bool = False
    runs: list[Measurement] = field(default_factory=list)
    _lines: Measurement | None = None
    _no_lines: str = ""

    def replacement(self) -> Callable[..., Any]:
        """What pytest is to call instead: a coroutine function or a bound method where the body is one."""
        wrapped = self._coroutine() if inspect.iscoroutinefunction(self.call) else self._function()
        if not isinstance(self.call, types.MethodType):
            return functools.wraps(self.call)(wrapped)
        method = functools.wraps(self.call.__func__)(wrapped)
        return types.MethodType(method, self.call.__self__)  # unittest hands it to the instance

    def measurement(self) -> tuple[Measurement, frozenset[str]]:
        """What was measured, and the counts that differ between repeats (see `combined`)."""
        whole, differing = combined(self.runs)
        for metric in sorted(self.over(whole) & whose_lines_cost(self.metrics)):
            self._add_lines(whole, metric)
        return whole, differing

    def has_failed(self) -> bool:
        """Whether a call has failed, or a subtest in one."""
        # unittest of Python 3.10 keeps subtests there, and reports them when the test ends.
        outcome = getattr(getattr(self.call, "__self__", None), "_outcome", None)
        return self.failed or any(error is not None for _, error in getattr(outcome, "errors", ()))

    def _called(self) -> Callable[..., Any]:
        """What takes the arguments that the replacement gets."""
        return self.call.__func__ if isinstance(self.call, types.MethodType) else self.call

    def _function(self) -> Callable[..., Any]:
        call = self._called()

        def measured(*args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            self.begin()
            with self._noting_failure():
                for _ in self._calls(self.warmup):
                    call(*args, **kwargs)
                result = None
                for _ in self._calls(self.repeat):
                    with self._measuring():
                        result = call(*args, **kwargs)
                for _ in self._timed_calls():
                    call(*args, **kwargs)
            for metrics in self._without_lines():
                with self._finding_lines(metrics):
                    call(*args, **kwargs)
            return result

        return measured

    def _coroutine(self) -> Callable[..., Any]:
        call = self._called()

        async def measured(*args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            self.begin()
            with self._noting_failure():
                for _ in self._calls(self.warmup):
                    await call(*args, **kwargs)
                result = None
                for _ in self._calls(self.repeat):
                    with self._measuring():
                        result = await call(*args, **kwargs)
                for _ in self._timed_calls():
                    await call(*args, **kwargs)
            for metrics in self._without_lines():
                with self._finding_lines(metrics):
                    await call(*args, **kwargs)
            return result

        return measured

    @contextmanager
    def _measuring(self) -> Iterator[None]:
        __tracebackhide__ = True
        lines: Attribute = self.attribute or "free"
        with measure(
            self.metrics - {STEP_OVERHEAD}, attribute=lines, strict=False, watch=True
        ) as measurement:
            yield
        self.runs.append(measurement)

    def _calls(self, times: int) -> Iterator[None]:
        """Asks for calls, as long as none has failed: a subtest may, and its test goes on."""
        for _ in range(times):
            if not self.has_failed():
                yield

    def _timed_calls(self) -> Iterator[None]:
        """Asks for the calls that the step's time is taken from, and adds it to the last measurement."""
        if STEP_OVERHEAD in self.metrics and not self.has_failed():
            timer = StepTimer(self.step_limit)
            yield from timer.calls()
            for run in self.runs:
                run.values[STEP_OVERHEAD] = timer.ratio
                if timer.note:
                    run.notes[STEP_OVERHEAD] = timer.note

    def _without_lines(self) -> Iterator[frozenset[str]]:
        """Counts over their limits whose lines were not looked for; nothing where there are none."""
        if not (self.attribute or self.has_failed()):
            metrics = self.over(combined(self.runs)[0]) & whose_lines_cost(self.metrics)
            if metrics:
                yield metrics

    @contextmanager
    def _finding_lines(self, metrics: frozenset[str]) -> Iterator[None]:
        __tracebackhide__ = True
        try:
            with measure(metrics, strict=False) as self._lines:
                yield
        # The body may raise anything when it is called once more; what counts is how it did before.
        except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:
            told = str(error).strip().partition("\n")[0]
            self._no_lines = f"no lines: called once more, the body raised {type(error).__name__}: {told}"

    def _add_lines(self, whole: Measurement, metric: str) -> None:
        if self._no_lines:
            whole.notes[metric] = self._no_lines
        elif self._lines is not None:
            whole.causes[metric] = self._lines.causes.get(metric, ())
            again = self._lines.values.get(metric)
            if again is None:
                whole.notes[metric] = f"no lines: {self._lines.unavailable.get(metric, 'not measured again')}"
            elif again != whole.values[metric]:
                whole.notes[metric] = f"the lines are those of one more call, which counted {int(again)}"

    @contextmanager
    def _noting_failure(self) -> Iterator[None]:
        __tracebackhide__ = True
        try:
            yield
        except BaseException:
            self.failed = True
            raise


BODY_KEY: pytest.StashKey[Body] = pytest.StashKey()
"""The body of a test, while it is called."""
