"""The ratio of a step to a reference: how it is made of blocks. No time is asserted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from overhead_lint.probes import ProbeUnavailable, measure, step_overhead, step_time_probe
from overhead_lint.probes.step_time_probe import BLOCKS, REFERENCE_OPERATORS, StepTimer


class Clock:
    """A clock that only the calls of this test move."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(step_time_probe, "perf_counter_ns", clock)

    def reference() -> int:
        clock.now += 2 * REFERENCE_OPERATORS
        return 2 * REFERENCE_OPERATORS

    monkeypatch.setattr(step_time_probe, "_reference", lambda: reference)
    return clock


def timed(clock: Clock, lengths: list[int], limit: float | None = None) -> tuple[StepTimer, int]:
    """A timer after calls that take these lengths, the last for ever, and the number of calls."""
    timer, calls = StepTimer(limit), 0
    for _ in timer.calls():
        clock.now += lengths[min(calls, len(lengths) - 1)]
        calls += 1
    return timer, calls


def test_ratio_is_that_of_the_least_block_to_the_least_operator(clock: Clock) -> None:
    long = 10**6
    timer, calls = timed(clock, [long] * 30 + [long // 2] + [long])
    assert timer.ratio == long / 2 / 2
    assert calls == 1 + BLOCKS


def test_short_steps_share_a_block(clock: Clock) -> None:
    timer, calls = timed(clock, [1000])
    assert timer.ratio == 500
    assert calls == 1 + BLOCKS * (step_time_probe.BLOCK_NS // 1000)


def test_there_are_up_to_three_attempts_and_none_after_a_good_one(clock: Clock) -> None:
    long = 10**6
    timer, calls = timed(clock, [long], limit=1.0)
    assert (len(timer.attempts), calls) == (3, 1 + 3 * BLOCKS)
    timer, calls = timed(clock, [long] * (1 + BLOCKS) + [long // 4], limit=long / 4 / 2)
    assert timer.attempts == [long / 2, long / 8]
    assert timer.ratio == long / 8


def test_sixty_blocks_at_least() -> None:
    assert BLOCKS >= 60


def test_a_step_takes_longer_than_nothing() -> None:
    torch = pytest.importorskip("torch")
    x = torch.ones(2)
    assert step_overhead(lambda: torch.neg(x)) > 0


def test_a_block_has_no_step_time() -> None:
    with (
        pytest.raises(ProbeUnavailable, match=r"step_overhead: .*a block runs once"),
        measure(["step_overhead"]),
    ):
        pass


def test_blocks_with_garbage_collections_count_only_where_all_have_some(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    long, collections = 10**6, [0]
    monkeypatch.setattr(step_time_probe, "_collections", lambda: collections[0])

    def timed(collecting: Callable[[int], bool]) -> StepTimer:
        timer = StepTimer()
        for call, _ in enumerate(timer.calls()):
            clock.now += long // 2 if collecting(call) else long
            collections[0] += collecting(call)
        return timer

    some = timed(lambda call: call % 2 == 0)
    assert (some.ratio, some.note) == (long / 2, "")
    each = timed(lambda call: True)
    assert (each.ratio, "garbage collections" in each.note) == (long / 2 / 2, True)
