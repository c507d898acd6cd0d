"""Copies a project to another folder, so that its programs can be run there."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path
from typing import Final

__all__ = ["copy_project", "is_environment", "size_of"]

_LEFT_OUT: Final = frozenset(
    {
        ".git",
        ".hg",
        ".mypy_cache",
        ".overhead-lint-cache",
        ".pytest_cache",
        ".ruff_cache",
        ".svn",
        "__pycache__",
    }
)
_LINKED: Final = frozenset({".nox", ".tox", "node_modules"})


def is_environment(folder: Path) -> bool:
    """Whether a folder holds installed packages: a link leads there, since they are not the project's."""
    return folder.name in _LINKED or (folder / "pyvenv.cfg").is_file() or (folder / "conda-meta").is_dir()


def size_of(root: Path) -> int:
    """Return how many bytes a copy of a project takes. Raises `OSError`."""
    size = 0
    with os.scandir(root) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _LEFT_OUT and not is_environment(Path(entry.path)):
                    size += size_of(Path(entry.path))
            elif entry.is_file(follow_symlinks=False):
                size += entry.stat(follow_symlinks=False).st_size
    return size


def copy_project(root: Path, to: Path) -> None:
    """Copy what lies in a folder, but for version control, caches, and what is no file, link or folder.

    Links within the project lead to their copies, others to where they led. Environments become links.

    Args:
        root: the folder, absolute and without links.
        to: where its copy comes; it is made.

    Raises:
        OSError: something cannot be read or written.
    """
    _copy(root, to, root, to)


def _copy(folder: Path, to: Path, root: Path, root_to: Path) -> None:
    to.mkdir()
    with os.scandir(folder) as entries:
        for entry in entries:
            source, target = Path(entry.path), to / entry.name
            if entry.is_symlink():
                target.symlink_to(_led_to(source, root, root_to))
            elif entry.is_dir():
                if entry.name in _LEFT_OUT:
                    continue
                if is_environment(source):
                    target.symlink_to(source)
                else:
                    _copy(source, target, root, root_to)
            elif stat.S_ISREG(entry.stat().st_mode):
                shutil.copy2(source, target)


def _led_to(link: Path, root: Path, root_to: Path) -> Path:
    """Where the copy of a link leads."""
    aim = Path(os.path.normpath(link.parent / link.readlink()))
    return root_to / aim.relative_to(root) if aim.is_relative_to(root) else aim
