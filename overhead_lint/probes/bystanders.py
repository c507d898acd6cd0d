"""What went on beside a measured block: work of other threads, and garbage collections.

A count of all threads is one of the whole process, and a collection runs whoever's finalizers are due: either
may belong to the test before. The counts stay as they are, and this says how much of each was not the
block's own. Importing this module imports neither torch nor the native core.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Collection, Mapping
from types import ModuleType
from typing import TYPE_CHECKING

from overhead_lint.native.process import loaded

if TYPE_CHECKING:
    from overhead_lint.probes.api import Measurement

__all__ = ["GARBAGE", "Watching", "told"]

GARBAGE = "garbage collections"
"""Who counted what was counted while Python collected garbage, in whatever thread."""
_GONE = "threads that have ended"

_Amounts = dict[tuple[int, str], int]


class Watching:
    """Note in `measurement` what others did while the block ran, as far as `metrics` count it.

    Nothing is noted where the native core is not loaded: then nothing is counted that others could do.
    The block runs in the thread that enters it. Blocks nest. No generator: it stands in blocks in which
    those are counted.
    """

    def __init__(self, measurement: Measurement, metrics: Collection[str]) -> None:
        self._measurement = measurement
        self._metrics = metrics
        self._counters: ModuleType | None = None
        self._before: _Amounts = {}
        self._collected = (0, 0)

    def __enter__(self) -> None:
        counters = self._counters = loaded("counters")
        if counters is None:
            return
        self._before, self._collected = _amounts(counters), counters.collected()
        gc.callbacks.append(counters.on_collection)
        counters.start_watching()

    def __exit__(self, *_: object) -> None:
        counters = self._counters
        if counters is None:
            return
        counters.stop_watching()
        # Once: blocks nest. The block may have emptied the list.
        if counters.on_collection in gc.callbacks:
            gc.callbacks.remove(counters.on_collection)
        number, nanoseconds = (
            now - then for now, then in zip(counters.collected(), self._collected, strict=True)
        )
        if number:
            self._measurement.garbage.update(collections=number, seconds=nanoseconds * 1e-9)
        _note(self._measurement, self._metrics, self._before, _amounts(counters))


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
