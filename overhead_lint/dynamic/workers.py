"""Counts what processes execute that multiprocessing starts: workers of data loaders, for one.

A forked child counts on with what it was born with; one that starts anew (``spawn``, ``forkserver``) is
told to watch before anything else (`overhead_lint.dynamic.spawned`). It is told so in its command, and not
in what multiprocessing tells it to begin with, as the simulated device is
(`overhead_lint.simulated.spawning`): a fork server may have imported the program by then, and its children
have no file left to watch. The device cannot come by the command, since no server is to have it, and
servers are older than it may be. Each writes what it counted when it ends, into a file of its own in a
folder of the run. A child that is killed cannot: of the workers of a `Pool`, which leaving ``with Pool()``
kills, there is what they wrote when they last waited for a task. How many there were is told. The file says
itself whether it is whole, so that one that was killed at any moment is counted once.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import tempfile
import time
import types
from collections import Counter as Sums
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from overhead_lint.dynamic.untraced import passed_over, untraced

if TYPE_CHECKING:
    from overhead_lint.dynamic.counting import Counter
    from overhead_lint.rule import Finding

__all__ = ["MODULE", "POOL", "SETTINGS", "Place", "Workers", "place_of"]

MODULE: Final = "multiprocessing.util"
"""To be given to `Workers.watch` once it is imported."""
POOL: Final = "multiprocessing.pool"
"""To be given to `Workers.watch_pool`, likewise."""
SETTINGS: Final = "settings.json"
"""In the folder of the run: what a process that starts anew has to know."""
_SUFFIX: Final = ".counts"
_SPAWN: Final = "from multiprocessing.spawn import "
_SERVER: Final = "from multiprocessing.forkserver import "
"""What the code holds that processes run which start anew, and servers that are forked for each process."""
_PREFIX: Final = """exec('''
import sys
search = sys.path[:]
sys.path[:1] = []  # the current folder, whose modules are not ours
try:
    from overhead_lint.dynamic import spawned
except ImportError:
    sys.path[:] = search
else:
    spawned.begin({folder!r}, search, server={server})
    sys.path[:] = search
del search
'''); """


class Place(NamedTuple):
    """What processes know a counted finding by: each loads files in its own order."""

    path: str
    line: int
    column: int
    code: str


def place_of(finding: Finding) -> Place:
    """The place of a finding."""
    return Place(str(finding.path), finding.span.line, finding.span.column, finding.code)


class Workers:
    """Gathers counts of child processes.

    Args:
        counter: of this process.
        folder: of the run; a new one if None.
    """

    def __init__(self, counter: Counter, folder: Path | None = None) -> None:
        self._counter = counter
        self._before: Sequence[int] = ()
        self._folder = folder or Path(tempfile.mkdtemp(prefix="overhead-lint-"))
        self._file: Path | None = None
        self._written: list[tuple[str | int, ...]] | None = None
        self._finalize: Callable[..., object] | None = None

    def watch(self, module: types.ModuleType, *, here: bool = False) -> None:
        """Follow the children that multiprocessing forks from now on.

        Args:
            module: `MODULE`.
            here: this process is such a child itself.
        """
        self._finalize = module.Finalize
        module.register_after_fork(self, Workers._in_child)
        if here:
            self._begin()

    def watch_pool(self, module: types.ModuleType) -> None:
        """Let workers of pools that are made from now on write before each wait for a task."""
        original = module.worker

        @passed_over
        @functools.wraps(original)  # pickled by its name where workers start anew
        def worker(tasks: Any, *arguments: Any, **options: Any) -> Any:
            if self._file is not None:
                wait = tasks.get

                def get() -> Any:
                    self._write(whole=False)
                    return wait()

                with contextlib.suppress(AttributeError):  # the queue of a pool of threads
                    tasks.get = get
            return original(tasks, *arguments, **options)

        vars(module)["worker"] = worker

    def tell(self, folders: Sequence[Path], overlay: Path | None, *, first: str = "", bare: bool) -> None:
        """Leave word for processes that start anew.

        Args:
            folders: whose files are the program's own.
            overlay: a folder with other texts of some files.
            first: where the program looks for modules first.
            bare: count nothing.
        """
        settings = {
            "folders": [str(folder.absolute()) for folder in folders],
            "overlay": None if overlay is None else str(overlay.absolute()),
            "first": first,
            "bare": bare,
        }
        (self._folder / SETTINGS).write_text(json.dumps(settings))

    def start_watched(self, module: types.ModuleType) -> None:
        """Let processes that multiprocessing starts anew watch first; where it starts them otherwise, not."""
        original = getattr(module, "spawnv_passfds", None)
        if original is None:  # Windows
            return

        @untraced
        def spawnv_passfds(path: Any, arguments: Sequence[Any], handles: Any) -> Any:
            words = list(arguments)
            if "-c" in words:
                place = words.index("-c") + 1
                code = str(words[place])
                if _SPAWN in code or _SERVER in code:
                    prefix = _PREFIX.format(folder=str(self._folder), server=_SERVER in code)
                    words[place] = prefix + code
            return original(path, words, handles)

        vars(module)["spawnv_passfds"] = spawnv_passfds

    def gather(self) -> tuple[dict[Place, int], int]:
        """What children wrote by now.

        Returns:
            Executions in children, and how many of these did not write when they ended: killed, or
            still running.
        """
        total: Sums[Place] = Sums()
        unfinished = 0
        for path in sorted(self._folder.glob(f"*{_SUFFIX}")):
            whole, counts = json.loads(path.read_bytes())
            unfinished += not whole
            for *place, number in counts:
                total[Place(*place)] += number
        return dict(total), unfinished

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self._folder, ignore_errors=True)

    @untraced
    def _in_child(self) -> None:
        self._before = self._counter.counts()
        self._begin()

    def _begin(self) -> None:
        assert self._finalize is not None, "watch was called"
        # Not by the number of the process alone: the system gives it to another one when this has ended.
        self._file = self._folder / f"{os.getpid()}-{time.monotonic_ns()}{_SUFFIX}"
        self._written = None
        self._write(whole=False)
        self._finalize(None, self._write, kwargs={"whole": True}, exitpriority=1000)

    def _write(self, *, whole: bool) -> None:
        assert self._file is not None, "this process is a child"
        now = self._counter.counts()
        before = [*self._before, *[0] * (len(now) - len(self._before))]
        counted = zip(self._counter.findings, now, before, strict=False)
        changed: list[tuple[str | int, ...]] = [
            (*place_of(one), late - early) for one, late, early in counted if late != early
        ]
        if changed == self._written and not whole:
            return
        # The run may be over, the disk full, the child another user's: none of that is to end it.
        with contextlib.suppress(OSError):
            temporary = self._file.with_suffix(".tmp")
            temporary.write_text(json.dumps([whole, changed]))
            temporary.rename(self._file)
            self._written = changed
