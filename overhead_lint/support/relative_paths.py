"""Paths in files that other programs, or other runs, read: relative to a folder, with slashes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["relative_to", "root"]


def root(environ: Mapping[str, str], *variables: str) -> Path:
    """The folder that paths are relative to: what the first variable that is set names, else this one."""
    named = next((environ[variable] for variable in variables if environ.get(variable)), None)
    return Path(named) if named is not None else Path.cwd()


def relative_to(path: Path, folder: Path) -> str:
    """A path below a folder with slashes between its parts; the absolute path if it is elsewhere.

    The folder that a file lies in is resolved, so that ``a/../b.py`` is named as the server knows it.
    """
    real = Path(os.path.realpath(path.parent)) / path.name
    try:
        return real.relative_to(os.path.realpath(folder)).as_posix()
    except ValueError:
        return real.as_posix()
