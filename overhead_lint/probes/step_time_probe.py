"""The host time of a step, as a ratio to the time of a small operator on the same machine at the same time.

Seconds differ between machines and between runs, and a loaded machine only ever adds to them. So blocks
of the step and blocks of a reference alternate, the least of each is taken, and what is compared is their
ratio: a number of dispatches. Where it is over a limit it is measured again, as a load that lasts longer
than a measurement makes both of its sides unequal. Importing this module imports no torch.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter_ns
from typing import NoReturn

from overhead_lint.probes.api import Metric, MetricKind, ProbeUnavailable, Reading

__all__ = ["METRICS", "PROBE", "STEP_OVERHEAD", "StepProbe", "StepTimer", "operator_seconds", "step_overhead"]

STEP_OVERHEAD = "step_overhead"
METRICS: tuple[Metric, ...] = (
    Metric(
        STEP_OVERHEAD,
        MetricKind.RATIO,
        "host time of the test body, in times of one small operator",
        recorded=False,
    ),
)

BLOCKS = 60
ATTEMPTS = 3
BLOCK_NS = 500_000
"""Steps shorter than this are called several times a block, so that reading the clock is no part of them."""
REFERENCE_OPERATORS = 200


class StepProbe:
    """Says that a block, which runs once, has no step time: it takes many calls (see `StepTimer`)."""

    def __init__(self, *, attribute: bool = True) -> None:
        del attribute  # a time of the whole step has no lines

    def start(self, metrics: frozenset[str]) -> NoReturn:
        """Raise `ProbeUnavailable`."""
        del metrics
        raise ProbeUnavailable(
            STEP_OVERHEAD,
            "a block runs once, and this takes many calls; put the limit into the test's marker, or call "
            "overhead_lint.probes.step_overhead",
        )

    def stop(self) -> Reading:
        """Never called, since `start` always raises."""
        raise AssertionError("StepProbe.stop without start")


class StepTimer:
    """Takes the time of a step from calls that its user makes.

    Args:
        limit: a ratio that is good enough: measuring ends with the first attempt that keeps it. Without
            one there is a single attempt.
    """

    def __init__(self, limit: float | None = None) -> None:
        self._limit = limit
        self.attempts: list[float] = []
        """The ratio of each attempt."""
        self.note = ""
        """What has to be said of the ratio."""

    @property
    def ratio(self) -> float:
        """The least of the attempts; noise only adds."""
        return min(self.attempts)

    def calls(self) -> Iterator[None]:
        """Yields each time the step is to be called; nothing else may happen before the next turn.

        Raises:
            ProbeUnavailable: torch cannot be imported.
        """
        reference = _reference()
        start = perf_counter_ns()
        yield
        several = max(1, BLOCK_NS // max(1, perf_counter_ns() - start))
        for _ in range(1 if self._limit is None else ATTEMPTS):
            steps, references = _Blocks(), []
            for _ in range(BLOCKS):
                references.append(reference())
                with steps.one():
                    for _ in range(several):
                        yield
            self.note = steps.note
            self.attempts.append((steps.least / several) / (min(references) / REFERENCE_OPERATORS))
            if self._limit is None or self.ratio <= self._limit:
                return


class _Blocks:
    """Times of equal blocks. Those in which Python collected garbage count only where all of them did."""

    def __init__(self) -> None:
        self._free: list[int] = []
        self._collecting: list[int] = []

    @contextmanager
    def one(self) -> Iterator[None]:
        """Time a block."""
        collections, start = _collections(), perf_counter_ns()
        yield
        taken = perf_counter_ns() - start
        (self._free if _collections() == collections else self._collecting).append(taken)

    @property
    def least(self) -> int:
        """Nanoseconds of the shortest block."""
        return min(self._free or self._collecting)

    @property
    def note(self) -> str:
        """Says that collections are in the time, where they are."""
        return "" if self._free else "garbage collections are in it: each block of calls had some"


def _collections() -> int:
    return sum(generation["collections"] for generation in gc.get_stats())


def step_overhead(step: Callable[[], object], limit: float | None = None) -> float:
    """How many times as long as one small operator a step keeps the host busy.

    Args:
        step: what to call; it must be repeatable, and warm.
        limit: a ratio that is good enough. Above it, up to three attempts are made.

    Returns:
        The least time of a step in 60 short blocks over the least time of one addition of two tensors of
        one element, in blocks of 200 that alternate with them; the least such ratio of the attempts.

    Raises:
        ProbeUnavailable: torch cannot be imported.
    """
    timer = StepTimer(limit)
    for _ in timer.calls():
        step()
    return timer.ratio


def operator_seconds() -> float:
    """Seconds that one addition of two tensors of one element takes: the least of 60 blocks of 200.

    Raises:
        ProbeUnavailable: torch cannot be imported.
    """
    reference = _reference()
    return min(reference() for _ in range(BLOCKS)) / REFERENCE_OPERATORS / 1e9


def _reference() -> Callable[[], int]:
    try:
        import torch
    except ImportError as error:
        raise ProbeUnavailable(STEP_OVERHEAD, f"torch cannot be imported ({error}): install torch") from None
    # On the host whatever the default device is: what is compared is host time.
    one, other, add = torch.ones(1, device="cpu"), torch.ones(1, device="cpu"), torch.add

    def block() -> int:
        start = perf_counter_ns()
        for _ in range(REFERENCE_OPERATORS):
            add(one, other)
        return perf_counter_ns() - start

    block()
    return block


PROBE = StepProbe
