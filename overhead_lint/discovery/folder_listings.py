"""What lies below folders, kept between runs: one that nothing came into or went from is not listed again.

The times of a folder tell whether names in it came, went or changed; Python itself finds modules that way.
Where the times are others, the names are compared. What cannot be told by either, such as where links lead
to, is not kept.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.support import blobs
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

__all__ = ["Listing", "Listings", "Stamp", "stamp"]

# Some file systems have clocks that tick once in two seconds: after a change another may follow unseen.
_TICK_NS: Final = 2_000_000_000
_MOST: Final = 8  # folders that were walked
_UNSURE: Final = (0, 0, 0)
_ABSENT: Final = (-1, 0, 0)

Stamp = tuple[int, int, int]


class Listing(NamedTuple):
    """What a walk found below a folder.

    Attributes:
        folders: those that it listed, by their paths below the folder ("" for itself), with the stamps that
            they had before, and hashes of the names in them that matter.
        patterns: files with patterns of what git ignores that it read or looked for, with their stamps.
        files: the Python files, by their paths below the folder, in order.
        cold: for each of them why all of it is cold.
        settings: files that may hold settings of the linter, likewise.
        options: files that may hold options of the project, likewise.
        requirements: files that may say which torch a folder requires, likewise.
    """

    folders: Sequence[tuple[str, Stamp, int]]
    patterns: Sequence[tuple[str, Stamp]]
    files: Sequence[str]
    cold: Sequence[str]
    settings: Sequence[str]
    options: Sequence[str]
    requirements: Sequence[str]


class Listings:
    """The listings of earlier runs.

    Args:
        file: where they are kept.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: dict[str, tuple[Any, ...]] = {}
        self._changed = False
        try:
            _, self._known = blobs.get(file)
        except blobs.UNUSABLE:
            return  # none, or broken: folders are listed

    def find(
        self, folder: str, patterns: Iterable[str], names_in: Callable[[str], int | None]
    ) -> Listing | None:
        """What an earlier run found below a folder, if a walk would find the same now.

        Args:
            folder: its real path, with a separator at the end.
            patterns: the files with patterns of what git ignores that hold for it by where it lies.
            names_in: lists a folder, and gives the hash of the names in it that matter.
        """
        try:
            found = Listing._make(self._known[folder])
            above = list(patterns)
            paths = (*above, *[path for path, _ in found.patterns[len(above) :]])
            now = tuple((path, stamp(path)) for path in paths)
            if now != found.patterns or any(one == _UNSURE for _, one in now):
                return None
            folders = _as_before(folder, found.folders, names_in)
        except (KeyError, *blobs.UNUSABLE):
            return None
        if folders is not None and folders is not found.folders:
            self.keep(folder, found._replace(folders=folders))
        return found if folders is not None else None

    def keep(self, folder: str, listing: Listing) -> None:
        """Keep what was found below a folder."""
        self._known.pop(folder, None)
        while len(self._known) >= _MOST:
            del self._known[next(iter(self._known))]
        self._known[folder] = tuple(map(tuple, listing))
        self._changed = True

    def save(self) -> None:
        """Write what was found for later runs, if it is another than before.

        Raises:
            OSError: it cannot be written.
        """
        if self._changed:
            blobs.put(self._file, (self._known,))


def stamp(path: str) -> Stamp:
    """What tells whether a file or folder has changed since; that it is not there tells it as well."""
    try:
        now = os.stat(path)  # noqa: PTH116 - asked of all folders of a project
    except (FileNotFoundError, NotADirectoryError):  # .git is a file in worktrees and submodules
        return _ABSENT
    if time.time_ns() - max(now.st_mtime_ns, now.st_ctime_ns) < _TICK_NS:
        return _UNSURE
    return now.st_mtime_ns, now.st_ctime_ns, now.st_size


def _as_before(
    top: str, folders: Sequence[tuple[str, Stamp, int]], names_in: Callable[[str], int | None]
) -> Sequence[tuple[str, Stamp, int]] | None:
    """The folders of a listing with the stamps that they have now; None if names in one are others."""
    stat = os.stat
    changed: dict[int, tuple[str, Stamp, int]] = {}
    for number, (below, before, names) in enumerate(folders):
        now = stat(top + below)
        if before != (now.st_mtime_ns, now.st_ctime_ns, now.st_size):
            known = stamp(top + below)
            if names_in(top + below) != names:
                return None
            if known != before:
                changed[number] = (below, known, names)
    if not changed:
        return folders
    return [changed.get(number, folder) for number, folder in enumerate(folders)]
