"""Paths as people read them, and as they are the same in each checkout and environment."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final

__all__ = ["shown_path"]

_INSTALLED: Final = ("/site-packages/", "/dist-packages/")
_STANDARD: Final = re.compile(r".*/lib/python3[.]\d+/")
"""Up to the standard library's modules, as an absolute path."""


def shown_path(path: str, root: str | PurePath = "") -> str:
    """Return `path` relative to where packages are installed, to the root, or to the standard library.

    What lies in none of them stays as it is, as do relative paths without a root.
    """
    for folder in _INSTALLED:
        if folder in path:
            return path.rpartition(folder)[2]
    if PurePath(path).is_relative_to(root):
        return str(PurePath(path).relative_to(root))
    return _STANDARD.sub("", path)
