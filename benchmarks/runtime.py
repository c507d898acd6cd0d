"""What each API of `overhead_runtime` costs beside what it replaces: ratios from one interleaved run.

    python benchmarks/runtime.py                 all rows, about a minute
    python benchmarks/runtime.py autocast record rows whose name holds one of the words

Each row is measured for the functions of Python and, where there are any, for the compiled ones (built now
if need be). The statements of a row run in turn, in blocks of about a quarter of a millisecond; the figure
is the least time of a block, and the ratio that of two minima. "at least" is the promise of docs/runtime.md:
a row below it is marked, and the exit status is 1. Rows named "floor" have nothing of ours: they are what
a call of that shape costs that does nothing.
"""

from __future__ import annotations

import argparse
import gc
import math
import platform
import sys
import time
import timeit
import warnings
from typing import NamedTuple

import torch
from runtime_cases import CASES, Case, forms

from overhead_lint.native import NativeUnavailable

BLOCK = 250e-6
"""Seconds that one block aims at: short enough that many fall between two interruptions."""


class Result(NamedTuple):
    """Nanoseconds an execution, least over all blocks."""

    form: str
    floor: float | None
    reference: float
    ours: float

    @property
    def ratio(self) -> float:
        """How many times less ours costs."""
        return self.reference / self.ours

    @property
    def missed(self) -> bool:
        """Whether it is less than was promised."""
        return self.floor is not None and self.ratio < self.floor


def measure(case: Case, functions: dict[str, object], seconds: float) -> list[Result]:
    """Run the stock statement of a case, and ours in each form, in turn.

    Args:
        case: what to run.
        functions: what ``r`` is, by form.
        seconds: how long, for each statement.
    """
    chosen = [form for form in functions if form == "python" or case.native is not None]
    scopes: list[dict[str, object]] = [{"r": functions[form]} for form in chosen]
    for scope in scopes:
        exec(case.setup, scope)
    timers = [timeit.Timer(case.reference, globals=scopes[0])]
    timers += [timeit.Timer(case.ours, globals=scope) for scope in scopes]
    numbers = [calibrate(timer) for timer in timers]
    best = [float("inf")] * len(timers)
    gc.collect()
    end = time.perf_counter() + seconds * len(timers)
    while math.isinf(best[-1]) or time.perf_counter() < end:
        for index, (timer, number) in enumerate(zip(timers, numbers, strict=True)):
            best[index] = min(best[index], timer.timeit(number) / number)
    for scope in reversed(scopes):
        exec(case.teardown, scope)
    empty = min(timeit.repeat("pass", number=20000, repeat=20)) / 20000
    reference, *ours = [(value - empty) * 1e9 for value in best]
    return [
        Result(form, case.native if form == "native" else case.python, reference, cost)
        for form, cost in zip(chosen, ours, strict=True)
    ]


def calibrate(timer: timeit.Timer) -> int:
    """How many executions make a block."""
    timer.timeit(1)
    number = 1
    # The least of several: one that is interrupted would make blocks far too short.
    while (seconds := min(timer.repeat(5, number))) < BLOCK / 4:
        number *= 4
    return max(1, int(number * BLOCK / seconds))


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*", help="only rows whose name holds one of these")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each statement (default: 0.5)")
    options = parser.parse_args()
    cases = [case for case in CASES if not options.words or any(word in case.name for word in options.words)]
    if not cases:
        parser.error(f"no row is named like {' or '.join(options.words)}")
    warnings.simplefilter("ignore")
    functions = forms()
    print(f"torch {torch.__version__}, Python {platform.python_version()}, {platform.machine()}")
    print(f"{'':44}{'form':8}{'replaced':>10}{'ours':>10}{'ratio':>8}{'at least':>10}   ns an execution")
    short = False
    for case in cases:
        try:
            results = measure(case, functions, options.seconds)
        except NativeUnavailable as error:
            print(f"{case.name:44}not measured: {error}")
            continue
        for result in results:
            short |= result.missed
            print(line(case.name, result), flush=True)
    return 1 if short else 0


def line(name: str, result: Result) -> str:
    """One row of the table."""
    floor = f"{result.floor:g}x" if result.floor else "-"
    form = "" if name.startswith("floor") else result.form
    return (
        f"{name:44}{form:8}{result.reference:10.0f}{result.ours:10.0f}{result.ratio:7.1f}x{floor:>10}"
        f"{'   below' if result.missed else ''}"
    )


if __name__ == "__main__":
    sys.exit(main())
