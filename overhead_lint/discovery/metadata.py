"""Files that say what a distribution is and needs, read as data: nothing of them is run."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.support.existence import is_file, why_endless

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["data_of", "is_distribution", "parsed_toml", "table", "text_of"]

_LARGEST: Final = 1 << 20
"""Bytes: what is larger is no list of requirements that anybody wrote."""


def is_distribution(folder: Path) -> bool:
    """Whether a folder is that of a distribution, whose metadata list what it needs."""
    if is_file(folder / "setup.py") and not is_file(folder / "__init__.py"):
        return True
    if re.search(rb"^\s*\[(metadata|options)\]", data_of(folder / "setup.cfg"), re.MULTILINE):
        return True
    of_project = rb"^\s*\[\s*(project|tool\s*\.\s*poetry)\s*\]"
    return re.search(of_project, data_of(folder / "pyproject.toml"), re.MULTILINE) is not None


def data_of(path: Path) -> bytes:
    """Return what a file holds; nothing where it cannot be read, or is no list that somebody wrote."""
    try:
        if not is_file(path) or why_endless(path) or path.stat().st_size > _LARGEST:
            return b""
        return path.read_bytes()
    except OSError:
        return b""


def text_of(path: Path) -> str:
    """Return the text of a file; "" where `data_of` gives nothing."""
    return data_of(path).decode("utf-8-sig", errors="replace")


def parsed_toml(text: str) -> Mapping[str, Any]:
    """Return the tables of a TOML file; none where it is damaged."""
    if not text:
        return {}
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        content: Mapping[str, Any] = tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}
    return content


def table(holder: object, *keys: str) -> Mapping[str, Any]:
    """Return the table below some keys; an empty one where there is none."""
    for key in keys:
        holder = holder.get(key) if isinstance(holder, dict) else None
    return holder if isinstance(holder, dict) else {}
