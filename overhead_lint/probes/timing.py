"""Times of a very short call, with warm and with cold caches."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter_ns
from typing import NamedTuple

__all__ = [
    "COLD_REPEATS",
    "Spread",
    "cold_seconds",
    "cold_spread",
    "flushing",
    "hot_seconds",
    "hot_seconds_of",
    "last_level_cache_bytes",
    "spread",
]

LEAST_FLUSH = 64 * 1024 * 1024
HOT_CHUNKS = 40
HOT_CHUNK_NS = 200_000
COLD_REPEATS = 7
_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")


def hot_seconds(call: Callable[[], object]) -> float:
    """Seconds of one call with everything in the caches.

    The minimum over 40 chunks of about 0.2 ms each: noise only adds, and a chunk that short
    often passes without an interruption.
    """
    return hot_seconds_of([call])[0]


def hot_seconds_of(calls: Sequence[Callable[[], object]]) -> list[float]:
    """Seconds of one call of each with everything in the caches, to be compared with one another.

    As `hot_seconds`, chunk by chunk in turn, so that a change of the machine's speed meets all of them.
    """
    repeats = []
    for call in calls:
        call()
        start = perf_counter_ns()
        call()
        repeats.append(max(1, min(1000, HOT_CHUNK_NS // max(1, perf_counter_ns() - start))))
    best = [float("inf")] * len(calls)
    for _ in range(HOT_CHUNKS):
        for index, call in enumerate(calls):
            best[index] = min(best[index], _chunk(call, repeats[index]) / repeats[index])
    return [one / 1e9 for one in best]


def _chunk(call: Callable[[], object], repeats: int) -> int:
    start = perf_counter_ns()
    for _ in range(repeats):
        call()
    return perf_counter_ns() - start


class Spread(NamedTuple):
    """Several times of one thing, which no minimum stands for."""

    median: float
    quartiles: tuple[float, float]
    """The lower and the upper one."""


def cold_seconds(call: Callable[[], object], repeats: int = COLD_REPEATS) -> float:
    """The median of `cold_spread`."""
    return cold_spread(call, repeats).median


def cold_spread(call: Callable[[], object], repeats: int) -> Spread:
    """Seconds of one call after the processor's caches were filled with something else.

    Of so many calls, each after reading through a buffer of twice the last-level cache and at least 64 MiB.
    """
    times = []
    with flushing() as flush:
        for _ in range(repeats):
            flush()
            start = perf_counter_ns()
            call()
            times.append((perf_counter_ns() - start) / 1e9)
    return spread(times)


def spread(times: Sequence[float]) -> Spread:
    """Median and quartiles of times."""
    ordered = sorted(times)
    lower, median, upper = (_quarter(ordered, number) for number in (1, 2, 3))
    return Spread(median, (lower, upper))


def _quarter(ordered: Sequence[float], number: int) -> float:
    """What so many quarters of times are below, between two of them in proportion.

    As `statistics` has it, which is not imported: tests and their helpers lie where a file may be called so.
    """
    place, part = divmod(number * (len(ordered) - 1), 4)
    return (ordered[place] * (4 - part) + ordered[place + 1] * part) / 4 if part else ordered[place]


class _Flush:
    """Fills the caches with a buffer that is there from the first time on.

    It is read and not written: what the C library writes in one piece, it writes past the caches, and most
    of what they held stays there.
    """

    def __init__(self) -> None:
        self._buffer: bytearray | None = None

    def __call__(self) -> None:
        if self._buffer is None:
            # Filled, since untouched pages would all be one and the same page of zeros.
            self._buffer = bytearray(b"\1") * max(LEAST_FLUSH, 2 * last_level_cache_bytes())
        self._buffer.find(b"\2")


_flushes: list[_Flush] = []


@contextlib.contextmanager
def flushing() -> Iterator[Callable[[], None]]:
    """What flushes the caches. Blocks inside share one buffer."""
    flush = _flushes[-1] if _flushes else _Flush()
    _flushes.append(flush)
    try:
        yield flush
    finally:
        _flushes.remove(flush)


@functools.cache
def last_level_cache_bytes() -> int:
    """Size of the largest cache of the first core, 0 where the system does not tell."""
    units = {"K": 1024, "M": 1024**2, "G": 1024**3}
    best = 0
    for path in _CACHES.glob("index*/size"):
        text = path.read_text().strip()
        if text[:-1].isdigit() and text[-1:] in units:
            best = max(best, int(text[:-1]) * units[text[-1]])
    return best
