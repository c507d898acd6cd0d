"""What edits ask of other files: a fix must leave the names that they import."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

__all__ = ["Elsewhere"]

Elsewhere = Callable[[Path, Collection[str], bool], set[str]]
"""Gives those names of a module that other files use; told the file, the names, and whether it has an
``__all__``, which star imports go by."""
