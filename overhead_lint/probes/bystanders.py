"""What went on beside a measured block: work of other threads, and garbage collections.

A count of all threads is one of the whole process, and a collection runs whoever's finalizers are due: either
may belong to the test before. The counts stay as they are, and this says how much of each was not the
block's own. Importing this module imports neither torch nor the native core.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING

from overhead_lint.native.build import loaded

if TYPE_CHECKING:
    from overhead_lint.probes.api import Measurement

__all__ = ["GARBAGE", "told", "watching"]

GARBAGE = "garbage collections"
"""Who counted what was counted while Python collected garbage, in whatever thread."""
_GONE = "threads that have ended"

_Amounts = dict[tuple[int, str], int]


@contextmanager
def watching(measurement: Measurement, metrics: Collection[str]) -> Iterator[None]:
    """Note in `measurement` what others did while the block ran, as far as `metrics` count it.

    Nothing is noted where the native core is not loaded: then nothing is counted that others could do.
    The block runs in the thread that enters it. Blocks nest.
    """
    counters = loaded("counters")
    if counters is None:
        yield
        return
    before, collected = _amounts(counters), counters.collected()
    gc.callbacks.append(counters.on_collection)
    counters.start_watching()
    try:
        yield
    finally:
        counters.stop_watching()
        # Once: blocks nest. The block may have emptied the list.
        if counters.on_collection in gc.callbacks:
            gc.callbacks.remove(counters.on_collection)
        number, nanoseconds = (now - then for now, then in zip(counters.collected(), collected, strict=True))
        if number:
            measurement.garbage.update(collections=number, seconds=nanoseconds * 1e-9)
        _note(measurement, metrics, before, _amounts(counters))


def told(amounts: Mapping[str, int]) -> str:
    """What others counted, in words: ``3 in thread 'prefetch'``."""
    return ", ".join(f"{amount} in {who}" for who, amount in amounts.items())


def _amounts(counters: ModuleType) -> _Amounts:
    return {(thread, kind): amount for thread, kind, amount in counters.bystanders()}


def _note(measurement: Measurement, metrics: Collection[str], before: _Amounts, after: _Amounts) -> None:
    names = {thread.ident: f"thread {thread.name!r}" for thread in threading.enumerate()} | {0: GARBAGE}
    for (thread, metric), amount in sorted(after.items()):
        more = amount - before.get((thread, metric), 0)
        if more and metric in metrics:
            who = names.get(thread, _GONE)
            mine = measurement.others.setdefault(metric, {})
            mine[who] = mine.get(who, 0) + more
