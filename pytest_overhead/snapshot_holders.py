"""Which test has each guard snapshot since this session began, so that no other writes over it.

Workers of xdist are processes: what one holds, the others read from a folder of the session. Ranks are
sessions of their own that run the same tests: what the first of them measures under a name, all have to.
Ranks that torchrun has not started, and other sessions, are known by the time of what they write.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from overhead_lint.support.folder_lock import locked
from pytest_overhead.entries import BEGAN_KEY
from pytest_overhead.ranks_here import store_of_ranks

if TYPE_CHECKING:
    from pytest_overhead.rank_store import RankStore

__all__ = ["Holders", "holders_of"]

_KEY: pytest.StashKey[Holders] = pytest.StashKey()


class Holders:
    """The tests that hold snapshots.

    Args:
        folder: what all workers of the session see; None where there is one process.
        ranks: what several ranks tell each other by; None where there is one.
        root: what names of snapshots are relative to, for other ranks.
        began: when the session did, in nanoseconds.
    """

    def __init__(self, folder: Path | None, ranks: RankStore | None, root: Path, began: int) -> None:
        self._held: dict[Path, tuple[str, object]] = {}
        self._folder = folder
        self._ranks = ranks
        self._root = root
        self._began = began

    def of_another_rank(self, path: Path, text: str) -> tuple[int, str] | None:
        """The rank that has measured this snapshot before, and what; None if this one is the first.

        Args:
            path: the snapshot.
            text: what this rank has measured.

        Raises:
            RuntimeError: the ranks' store cannot be reached.
        """
        if self._ranks is None:
            return None
        name = path.relative_to(self._root) if path.is_relative_to(self._root) else path
        rank, first = self._ranks.claim(f"guard snapshot {name.as_posix()}", text)
        return None if rank == self._ranks.place.number else (rank, first)

    @contextlib.contextmanager
    def alone(self, path: Path) -> Iterator[None]:
        """Have no other worker, and no other session, read or write a snapshot to be updated for a while."""
        with contextlib.ExitStack() as stack:
            if self._folder is not None:
                self._folder.mkdir(exist_ok=True)
                stack.enter_context(locked(self._folder))
            with contextlib.suppress(OSError):  # no folder can be made there, or none be locked
                path.parent.mkdir(exist_ok=True)
                stack.enter_context(locked(path.resolve().parent))
            yield

    def is_of_another_process(self, path: Path) -> bool:
        """Whether a snapshot was written since this session began, and by nobody in it."""
        if path in self._held or (self._folder is not None and self._claim(self._folder, path).exists()):
            return False
        try:
            return path.stat().st_mtime_ns > self._began
        except OSError:
            return False

    def another(self, path: Path, test: str, run: object) -> str | None:
        """The test that holds a snapshot, if it is another one, or this one since earlier in the same run.

        Args:
            path: the snapshot.
            test: node id of the test that asks.
            run: what tells this run of it from others.
        """
        holder, its_run = self._held.get(path, (None, None))
        if self._folder is not None:
            with contextlib.suppress(FileNotFoundError):
                holder = self._claim(self._folder, path).read_text(encoding="utf-8")
        return holder if holder != test or its_run is run else None

    def take(self, path: Path, test: str, run: object) -> None:
        """Note that a test holds a snapshot from now on."""
        self._held[path] = (test, run)
        if self._folder is not None:
            self._folder.mkdir(exist_ok=True)
            self._claim(self._folder, path).write_text(test, encoding="utf-8")

    @staticmethod
    def _claim(folder: Path, path: Path) -> Path:
        return folder / hashlib.sha256(str(path).encode(errors="surrogateescape")).hexdigest()


def holders_of(request: pytest.FixtureRequest) -> Holders:
    """The holders of the session that a test belongs to."""
    config = request.config
    if _KEY not in config.stash:
        folder = None
        if hasattr(config, "workerinput") and config.pluginmanager.has_plugin("tmpdir"):
            factory: pytest.TempPathFactory = request.getfixturevalue("tmp_path_factory")
            folder = factory.getbasetemp().parent / "overhead_guards"  # each worker has a folder in that one
        config.stash[_KEY] = Holders(folder, store_of_ranks(config), config.rootpath, config.stash[BEGAN_KEY])
    return config.stash[_KEY]
