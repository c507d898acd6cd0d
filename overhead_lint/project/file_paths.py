"""What the expressions of one file stand for, as paths that can be followed into others."""

from __future__ import annotations

from functools import cached_property

from overhead_lint.project.file_values import FileValues
from overhead_lint.project.generators import Generators
from overhead_lint.project.paths import Paths

__all__ = ["FilePaths"]


class FilePaths(FileValues):
    """What the expressions of one file stand for."""

    @cached_property
    def generators(self) -> Generators:
        """Which of its functions give items in loops, and who takes these."""
        return Generators(self)

    @cached_property
    def paths(self) -> Paths:
        """What expressions stand for, in terms that other files understand."""
        return Paths(self)
