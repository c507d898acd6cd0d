"""Counts what processes execute that multiprocessing starts: workers of data loaders, for one.

A forked child counts on with what it was born with; one that starts anew (``spawn``, ``forkserver``) is
told to watch before anything else (`overhead_lint.dynamic.spawned`). Each writes what it counted when it
ends, into a folder of the run. A child that is killed, as `Pool.terminate` does, writes nothing.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import types
from collections import Counter as Sums
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from overhead_lint.dynamic.counting import Counter
    from overhead_lint.rule import Finding

__all__ = ["MODULE", "SETTINGS", "Place", "Workers", "place_of"]

MODULE: Final = "multiprocessing.util"
"""To be given to `Workers.watch` once it is imported."""
SETTINGS: Final = "settings.json"
"""In the folder of the run: what a process that starts anew has to know."""
_STARTS: Final = ("from multiprocessing.spawn import ", "from multiprocessing.forkserver import ")
_PREFIX: Final = """exec('''
try:
    from overhead_lint.dynamic import spawned
except ImportError:
    pass
else:
    spawned.begin({folder!r})
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
            module.Finalize(None, self._write, exitpriority=1000)

    def tell(self, folders: Sequence[Path], overlay: Path | None, *, bare: bool) -> None:
        """Leave word for processes that start anew.

        Args:
            folders: whose files are the program's own.
            overlay: a folder with other texts of some files.
            bare: count nothing.
        """
        settings = {
            "folders": [str(folder.absolute()) for folder in folders],
            "overlay": None if overlay is None else str(overlay.absolute()),
            "bare": bare,
        }
        (self._folder / SETTINGS).write_text(json.dumps(settings))

    def start_watched(self, module: types.ModuleType) -> None:
        """Let processes that multiprocessing starts anew watch first; where it starts them otherwise, not."""
        original = getattr(module, "spawnv_passfds", None)
        if original is None:  # Windows
            return

        def spawnv_passfds(path: Any, arguments: Sequence[Any], handles: Any) -> Any:
            words = list(arguments)
            if "-c" in words and str(words[words.index("-c") + 1]).startswith(_STARTS):
                words[words.index("-c") + 1] = (
                    _PREFIX.format(folder=str(self._folder)) + words[words.index("-c") + 1]
                )
            return original(path, words, handles)

        vars(module)["spawnv_passfds"] = spawnv_passfds

    def executions(self) -> dict[Place, int]:
        """Executions in children that have ended."""
        total: Sums[Place] = Sums()
        for path in self._folder.glob("*.counts"):
            for *place, number in json.loads(path.read_bytes()):
                total[Place(*place)] += number
        return dict(total)

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _in_child(self) -> None:
        assert self._finalize is not None, "watch was called"
        self._before = self._counter.counts()
        self._finalize(None, self._write, exitpriority=1000)

    def _write(self) -> None:
        now = self._counter.counts()
        before = [*self._before, *[0] * (len(now) - len(self._before))]
        counted = zip(self._counter.findings, now, before, strict=False)
        changed = [(*place_of(one), late - early) for one, late, early in counted if late != early]
        if self._folder.is_dir():  # the run may be over
            temporary = self._folder / f"{os.getpid()}.tmp"
            temporary.write_text(json.dumps(changed))
            temporary.rename(temporary.with_suffix(".counts"))
