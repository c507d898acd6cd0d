"""Asks whether files and folders exist: what may not be asked for, or has no possible name, does not."""

from __future__ import annotations

import os
import stat
from pathlib import Path

__all__ = ["exists", "is_file", "is_folder", "is_gone", "is_pipe", "why_endless"]


def exists(path: Path) -> bool:
    """Whether there is a file or a folder; `Path.exists` raises where a folder above may not be entered."""
    return os.path.exists(path)  # noqa: PTH110 - see above


def is_folder(path: Path) -> bool:
    """Whether there is a folder; `Path.is_dir` raises where a folder above may not be entered."""
    return os.path.isdir(path)  # noqa: PTH112 - see above


def is_file(path: Path) -> bool:
    """Whether there is a file; `Path.is_file` raises where a folder above may not be entered."""
    return os.path.isfile(path)  # noqa: PTH113 - see above


def is_gone(path: Path) -> bool:
    """Whether there is surely nothing of this name: what may not be asked for may well be there."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return True
    except OSError:
        return False
    return False


def why_endless(path: Path) -> str:
    """Why what is read from a path may never come or never end, as ``is a pipe``; "" for what is whole."""
    if is_pipe(path):
        return "is a pipe"
    try:
        state = path.stat()
    except (OSError, ValueError):
        return ""
    is_null = os.path.samestat(state, os.stat(os.devnull))  # noqa: PTH116 - nothing else is compared with it
    return "is a device" if stat.S_ISCHR(state.st_mode) and not is_null else ""


def is_pipe(path: Path) -> bool:
    """Whether there is a pipe that nobody may write to; what shells make for ``<(...)`` is in ``/dev``."""
    try:
        return stat.S_ISFIFO(path.stat().st_mode) and not path.is_relative_to("/dev")
    except (OSError, ValueError):
        return False
