"""Which loops of one file take steps."""

from __future__ import annotations

from functools import cached_property

from overhead_lint.project.file_functions import FileFunctions
from overhead_lint.project.loops import Loops

__all__ = ["FileLoops"]


class FileLoops(FileFunctions):
    """Which loops of one file take steps."""

    @cached_property
    def loops(self) -> Loops:
        """Which loops are hot."""
        return Loops(self)
