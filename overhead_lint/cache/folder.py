"""The folder that caches of a project lie in: made as one that may be deleted, cleared, and removed."""

from __future__ import annotations

import errno
import re
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

__all__ = ["FOLDER", "clean", "drop_old", "make"]

FOLDER: Final = ".overhead-lint-cache"
"""Its name below the root of a project."""

_OF_INDEX: Final = (
    *(".index", ".since", ".data", ".folders", ".words"),
    *(".graph", ".options", ".tables", ".shipped", ".torch"),
)
"""What goes with an index."""

_KINDS: Final = (*_OF_INDEX, ".records")
"""Of what is in it, beside the tag and temporary files."""

_TAGGED: Final = "CACHEDIR.TAG"
_OURS: Final = r"[0-9a-f]{8}(-[0-9a-f]+)?[.](" + "|".join(kind[1:] for kind in _KINDS) + r")([.].*[.]tmp)?"
"""Names that a cache is written under; those of somebody else hardly look like it."""

_TRIES: Final = 100
"""How often a folder is emptied that other runs write into meanwhile."""

_KEPT: Final = 6  # caches, each for one set of rules and settings
_FORGOTTEN: Final = 3600.0  # seconds
_TAG: Final = "Signature: 8a477f597d28d172789f06886806bc55\n# A cache that may be deleted at any time.\n"


def make(folder: Path) -> None:
    """Make a folder if it is not there, with the tag and the ``.gitignore`` of caches.

    It gets them also if it was empty, or lost them to a `clean` while another run was writing. A
    ``.gitignore`` that is there stays as it is.

    Raises:
        OSError: it cannot be made, or not be written to.
    """
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)  # another run may be making it
    elif (folder / _TAGGED).is_file() or _is_of_others(folder):
        return  # our cache, or somebody's folder
    ignored = folder / ".gitignore"
    if not ignored.exists():
        ignored.write_text("*\n", encoding="utf-8")
    (folder / _TAGGED).write_text(_TAG, encoding="utf-8")


def _is_of_others(folder: Path) -> bool:
    """Whether a folder without a tag holds anything but the files of a cache."""
    names = [path.name for path in folder.iterdir()]
    files = [name for name in names if name != ".gitignore"]
    is_cache = bool(files) and all(re.fullmatch(_OURS, name) for name in files)
    return bool(names) and not is_cache


def drop_old(folder: Path, name: str, replaced: Iterable[str], own: Collection[str]) -> None:
    """Remove segments that were replaced or never referred to, and caches of settings long out of use.

    Args:
        folder: where they lie.
        name: of the cache that was just saved, as its files begin.
        replaced: names of its segments that it does not refer to any more.
        own: names of those that it does.

    Raises:
        OSError: something that cannot be removed.
    """
    for segment in replaced:
        (folder / segment).unlink(missing_ok=True)
    by_age = sorted(folder.glob("*.index"), key=_changed, reverse=True)
    kept = {path.stem for path in by_age[:_KEPT]}
    for path in folder.glob("*.*"):
        of = path.stem.partition("-")[0]
        if path.suffix in _OF_INDEX and of not in kept:
            path.unlink(missing_ok=True)
        unreferred = path.suffix == ".data" and of == name and path.name not in own
        # Left behind by a run that was ended, or outrun by another; unless that is about to refer to it.
        if (unreferred or path.suffix == ".tmp") and time.time() - _changed(path) > _FORGOTTEN:
            path.unlink(missing_ok=True)


def _changed(path: Path) -> float:
    """When a file was changed last; now for one that another run has moved or removed meanwhile."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return time.time()


def clean(folders: Iterable[Path]) -> list[Path]:
    """Remove cache folders, where they are ours; gives those that were removed.

    Raises:
        OSError: a folder that cannot be removed.
    """
    removed = []
    for folder in folders:
        if _is_ours(folder):
            _remove(folder)
            removed.append(folder)
    return removed


def _remove(folder: Path) -> None:
    """Remove a cache folder, the tag last: one that is half removed is still known for what it is."""
    for left in reversed(range(_TRIES)):
        try:
            for path in sorted(folder.iterdir(), key=lambda path: path.name == _TAGGED):
                path.unlink(missing_ok=True)
            if not folder.is_symlink():
                folder.rmdir()
            return
        except FileNotFoundError:  # another run has removed it
            return
        except OSError as error:
            if error.errno != errno.ENOTEMPTY or not left:
                raise


def _is_ours(folder: Path) -> bool:
    """Whether a folder holds a cache of ours and nothing else; other tools mark theirs with the same tag."""
    if not (folder / _TAGGED).is_file():
        return False
    ours = (_TAGGED, ".gitignore")
    try:
        return all(path.name in ours or path.suffix in (*_KINDS, ".tmp") for path in folder.iterdir())
    except FileNotFoundError:  # another run has removed it since
        return False
