"""Counts what child processes execute that multiprocessing forks: workers of data loaders, for one.

A child writes what it counted when it ends, into a folder of the run. Spawned children start anew, and
are not counted.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import types
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

__all__ = ["MODULE", "Workers"]

MODULE: Final = "multiprocessing.util"
"""To be given to `Workers.watch` once it is imported."""


class Workers:
    """Gathers counts of forked children.

    Args:
        counts: executions of places so far in this process.
    """

    def __init__(self, counts: Callable[[], Sequence[int]]) -> None:
        self._counts = counts
        self._before: Sequence[int] = ()
        self._folder = Path(tempfile.mkdtemp(prefix="overhead-lint-"))
        self._finalize: Callable[..., object] | None = None

    def watch(self, module: types.ModuleType) -> None:
        """Follow the children that multiprocessing forks from now on."""
        self._finalize = module.Finalize
        module.register_after_fork(self, Workers._in_child)

    def executions(self) -> dict[int, int]:
        """Executions in children that have ended, by number of the place."""
        total: Counter[int] = Counter()
        for path in self._folder.glob("*.json"):
            total.update({int(place): number for place, number in json.loads(path.read_bytes()).items()})
        return dict(total)

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _in_child(self) -> None:
        assert self._finalize is not None, "watch was called"
        self._before = self._counts()
        self._finalize(None, self._write, exitpriority=1000)

    def _write(self) -> None:
        now = self._counts()
        before = [*self._before, *[0] * (len(now) - len(self._before))]
        changed = {place: late - early for place, (late, early) in enumerate(zip(now, before, strict=True))}
        text = json.dumps({str(place): number for place, number in changed.items() if number})
        if self._folder.is_dir():  # the run may be over
            temporary = self._folder / f"{os.getpid()}.tmp"
            temporary.write_text(text)
            temporary.rename(temporary.with_suffix(".json"))
