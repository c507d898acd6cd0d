"""Paths as people read them, and as they are the same in each checkout and environment."""

from __future__ import annotations

from pathlib import PurePath
from typing import Final

__all__ = ["shown_path"]

_INSTALLED: Final = ("/site-packages/", "/dist-packages/")


def shown_path(path: str, root: str | PurePath) -> str:
    """Return `path` relative to the folder that packages are installed in, or to the root; else as it is."""
    for folder in _INSTALLED:
        if folder in path:
            return path.rpartition(folder)[2]
    return str(PurePath(path).relative_to(root)) if PurePath(path).is_relative_to(root) else path
