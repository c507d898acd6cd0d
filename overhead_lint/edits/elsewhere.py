"""What edits ask of other files: a fix must leave what these use as they use it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Protocol

__all__ = ["Elsewhere"]


class Elsewhere(Protocol):
    """Tells what the other files of a project use of one."""

    def using(self, module: Path, names: Collection[str], listed: bool) -> set[str]:
        """Return the names that other files use.

        Args:
            module: the file.
            names: names that it has.
            listed: whether it has an ``__all__``, which star imports go by.
        """

    def decorating(self, module: Path, name: str) -> Path | None:
        """Return another file that decorates functions by a name, or one that a file gives that; or None."""
