"""Times of two programs that ran in turn: whether they can be told from noise. Imports nothing."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["LEAST_RUNS", "told_apart"]

LEAST_RUNS = 4
"""Each way; fewer say nothing."""


def told_apart(before: Sequence[float], after: Sequence[float]) -> bool:
    """Whether all runs of one were faster than all of the other, and there are enough of both.

    Of equal programs that happens to four runs each way in 3 of 100 cases, to two in a third of them.
    """
    if min(len(before), len(after)) < LEAST_RUNS:
        return False
    return min(before) > max(after) or max(before) < min(after)
