"""The blocks that a test measures with the fixture ``overhead_budget``."""

from __future__ import annotations

import contextlib
import inspect
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import pytest

from overhead_lint.probes import Measurement, measure
from pytest_overhead.budgets import BadBudget, parse_marker
from pytest_overhead.expectations import is_expected
from pytest_overhead.verdict import import_dynamo_for, judge

__all__ = ["Block"]

_F = TypeVar("_F", bound=Callable[..., Any])


class Block(contextlib.ContextDecorator):
    """Measures a block, and fails the test when the block is over a limit.

    A block that ends by an exception leaves the failure to it. Where the test catches the exception,
    `settle` judges the block after all; so it does where the block ends in another thread, in which a failure
    fails no test. And it repeats a failure that was caught by something that catches all, as a task of
    asyncio does.

    Args:
        item: the running test.
        declared: limits by metric, as the test wrote them.
        thread: the thread of the test.

    Raises:
        pytest.fail.Exception: limits that make no sense.
    """

    def __init__(self, item: pytest.Item, declared: Mapping[str, object], thread: int) -> None:
        __tracebackhide__ = True
        self._item = item
        self._thread = thread
        self._settled = False
        self._place = _caller(item)
        self._entered = False
        self._running: list[tuple[contextlib.AbstractContextManager[Measurement], Measurement]] = []
        self._unjudged: list[Measurement] = []
        self._raised: list[str] = []
        wrong = ""
        try:
            self._budget = parse_marker((), declared)
        except BadBudget as error:
            wrong = str(error)
        else:
            again = sorted({"warmup", "repeat"} & declared.keys())
            if again:
                wrong = f"{again[0]} is for the marker: a block cannot be run again, so warm up before it"
        if wrong:
            pytest.fail(f"{self._place}: overhead_budget: {wrong}", pytrace=False)

    def __call__(self, function: _F) -> _F:
        """Measure the calls of a function.

        Raises:
            pytest.fail.Exception: a call of it only makes what runs later, when the block has ended.
        """
        __tracebackhide__ = True
        kinds = (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)
        if any(is_kind(function) for is_kind in kinds):
            why = "a call of it runs nothing yet; write `with overhead_budget(...):` in its body"
            pytest.fail(f"{self._place}: overhead_budget: {why}", pytrace=False)
        return super().__call__(function)

    def __enter__(self) -> Measurement:
        self._entered = True
        import_dynamo_for(self._budget.metrics)
        running = measure(self._budget.metrics, strict=False, watch=True)
        measurement = running.__enter__()
        self._running.append((running, measurement))
        return measurement

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        __tracebackhide__ = True
        running, measurement = self._running.pop()
        running.__exit__(None, None, None)  # what was measured up to an exception counts, too
        if kind is not None or threading.get_ident() != self._thread:
            self._unjudged.append(measurement)
            return
        try:
            judge(self._item, self._budget, measurement)
        except pytest.fail.Exception as failure:
            if not is_expected(inspect.currentframe()):
                self._raised.append(str(failure))
            raise

    def settle(self) -> None:
        """Judge what is left when the test's body has ended without a failure, also without one of the block.

        Raises:
            pytest.fail.Exception: a limit is exceeded, or the block was never entered.
        """
        __tracebackhide__ = True
        if self._raised:
            note = "the block has failed the test, and something caught that failure"
            pytest.fail(f"{self._raised.pop(0)}\n  {self._place}: {note}", pytrace=False)
        if not self._entered:
            pytest.fail(
                f"{self._place}: overhead_budget: nothing was measured; write `with overhead_budget(...):`",
                pytrace=False,
            )
        while self._unjudged:
            judge(self._item, self._budget, self._unjudged.pop(0))
        self._settled = True

    def end(self, *, judged: bool) -> None:
        """End what nobody has ended when all of the test has run, and judge what is left if its body passed.

        Args:
            judged: judge it also where nobody has asked to settle the block.

        Raises:
            pytest.fail.Exception: as `settle`.
        """
        __tracebackhide__ = True
        while self._running:
            running, measurement = self._running.pop()
            running.__exit__(None, None, None)
            self._unjudged.append(measurement)
        if judged or self._settled:
            self.settle()


def _caller(item: pytest.Item) -> str:
    """The line of the test file that is running, as ``path:line``."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_code.co_filename != str(item.path):
        frame = frame.f_back
    line = frame.f_lineno if frame is not None else (item.location[1] or 0) + 1
    path = item.path
    root: Path = item.config.rootpath
    return f"{path.relative_to(root) if path.is_relative_to(root) else path}:{line}"
