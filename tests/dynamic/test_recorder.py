"""Which steps count, and what between them is measured."""

from __future__ import annotations

import threading

from overhead_lint.dynamic.recorder import Durations, Limits, Recorder
from overhead_lint.dynamic.steps import Source


class Counts:
    """A place that is executed three times a step."""

    def __init__(self) -> None:
        self.executed = 0

    def __call__(self) -> list[int]:
        return [self.executed]


def recorded(counts: Counts, marks: int, recorder: Recorder, source: Source = Source.OPTIMIZER) -> None:
    for _ in range(marks):
        counts.executed += 3
        recorder.mark(source)


def test_the_warm_up_and_what_follows_the_last_step_do_not_count() -> None:
    counts = Counts()
    recorder = Recorder(counts, Limits(warmup=4))
    recorded(counts, 10, recorder)
    counts.executed += 100
    recorder.stop()
    steps = recorder.steps()
    assert steps is not None
    assert (steps.count, steps.warmup, steps.found_by) == (6, 4, "optimizer steps")
    assert recorder.executions() == ([18], [130])


def test_a_short_run_does_without_a_warm_up() -> None:
    counts = Counts()
    recorder = Recorder(counts, Limits(warmup=50))
    recorded(counts, 3, recorder)
    steps = recorder.steps()
    assert steps is not None
    assert (steps.count, recorder.executions()[0]) == (2, [6])


def test_without_steps_the_whole_run_counts() -> None:
    counts = Counts()
    recorder = Recorder(counts, Limits())
    counts.executed = 5
    recorder.stop()
    assert recorder.steps() is None
    assert recorder.executions() == ([5], [5])


def test_a_better_sign_of_steps_starts_anew_and_lesser_ones_are_ignored() -> None:
    counts = Counts()
    recorder = Recorder(counts, Limits(warmup=1))
    recorded(counts, 20, recorder, Source.LOADER)
    recorded(counts, 4, recorder, Source.MARKER)
    recorded(counts, 20, recorder, Source.OPTIMIZER)
    steps = recorder.steps()
    assert steps is not None
    assert (steps.count, steps.found_by) == (3, "overhead_lint.runtime.step()")
    assert recorder.executions()[0] == [9]


def test_enough_steps_end_the_measuring_once() -> None:
    counts, ended = Counts(), []
    recorder = Recorder(counts, Limits(warmup=2, steps=5), finished=lambda: ended.append(1))
    recorded(counts, 20, recorder)
    steps = recorder.steps()
    assert steps is not None and steps.count == 5
    assert ended == [1]


def test_marks_of_other_threads_are_ignored() -> None:
    counts = Counts()
    recorder = Recorder(counts, Limits(warmup=1))
    recorded(counts, 5, recorder)
    other = threading.Thread(target=recorded, args=(counts, 5, recorder))
    other.start()
    other.join()
    steps = recorder.steps()
    assert steps is not None and steps.count == 4


class Closer:
    """Looks at every second step."""

    def __init__(self) -> None:
        self.ended: list[bool] = []

    def begin(self, step: int) -> bool:
        return step % 2 == 0

    def end(self, *, whole: bool = True) -> None:
        self.ended.append(whole)


def test_steps_that_are_looked_at_closely_count_but_are_not_timed() -> None:
    counts, closer = Counts(), Closer()
    recorder = Recorder(counts, Limits(warmup=1), closer)
    recorded(counts, 6, recorder)
    recorder.stop()
    steps = recorder.steps()
    assert steps is not None and steps.count == 5
    assert recorder.durations.count == 2
    assert closer.ended == [True, True, True]


def test_a_step_that_the_end_cuts_short_is_not_taken_for_a_whole_one() -> None:
    counts, closer = Counts(), Closer()
    recorder = Recorder(counts, Limits(warmup=1), closer)
    recorded(counts, 1, recorder)
    recorder.stop()
    assert closer.ended == [False]


def test_memory_does_not_grow_with_the_steps() -> None:
    durations = Durations()
    for number in range(100_000):
        durations.add(number)
    assert durations.count == 100_000
    assert durations.least == 0
    assert abs(durations.median - 50_000) < 1_000
    assert len(durations._kept) < 1_000
