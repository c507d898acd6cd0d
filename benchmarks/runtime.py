"""What each API of `overhead_lint.runtime` costs beside what it replaces: ratios from one interleaved run.

    python benchmarks/runtime.py                 all rows, about half a minute
    python benchmarks/runtime.py autocast record rows whose name holds one of the words

Both statements of a row run in turn, in blocks of about a quarter of a millisecond; the figure is the least
time of a block, and the ratio that of both minima. "at least" is the promise of docs/runtime.md: a row below
it is marked, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import gc
import platform
import sys
import time
import timeit
import warnings
from typing import NamedTuple

import torch
from runtime_cases import CASES, Case

BLOCK = 250e-6
"""Seconds that one block aims at: short enough that many fall between two interruptions."""


class Result(NamedTuple):
    """Nanoseconds an execution, least over all blocks."""

    case: Case
    reference: float
    ours: float

    @property
    def ratio(self) -> float:
        """How many times less ours costs."""
        return self.reference / self.ours


def measure(case: Case, seconds: float) -> Result:
    """Run both statements of a case in turn.

    Args:
        case: what to run.
        seconds: how long.
    """
    names: dict[str, object] = {}
    exec(case.setup, names)
    timers = [timeit.Timer(statement, globals=names) for statement in (case.reference, case.ours)]
    numbers = [calibrate(timer) for timer in timers]
    best = [float("inf"), float("inf")]
    end = time.perf_counter() + seconds
    gc.collect()
    while time.perf_counter() < end:
        for index, (timer, number) in enumerate(zip(timers, numbers, strict=True)):
            best[index] = min(best[index], timer.timeit(number) / number)
    empty = min(timeit.repeat("pass", number=20000, repeat=20)) / 20000
    return Result(case, *[(value - empty) * 1e9 for value in best])


def calibrate(timer: timeit.Timer) -> int:
    """How many executions make a block."""
    timer.timeit(1)
    number = 1
    while (seconds := timer.timeit(number)) < BLOCK / 4:
        number *= 4
    return max(1, int(number * BLOCK / seconds))


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*", help="only rows whose name holds one of these")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each row (default: 1)")
    options = parser.parse_args()
    cases = [case for case in CASES if not options.words or any(word in case.name for word in options.words)]
    if not cases:
        parser.error(f"no row is named like {' or '.join(options.words)}")
    warnings.simplefilter("ignore")
    print(f"torch {torch.__version__}, Python {platform.python_version()}, {platform.machine()}")
    print(f"{'':34}{'replaced':>10}{'ours':>10}{'ratio':>8}{'at least':>10}   ns an execution")
    short = False
    for case in cases:
        result = measure(case, options.seconds)
        missed = case.floor is not None and result.ratio < case.floor
        short |= missed
        floor = f"{case.floor:g}x" if case.floor else "-"
        print(
            f"{case.name:34}{result.reference:10.0f}{result.ours:10.0f}{result.ratio:7.1f}x{floor:>10}"
            f"{'   below' if missed else ''}",
            flush=True,
        )
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
