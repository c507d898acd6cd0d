"""What the project needs to know of one file."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from overhead_lint.project.file_placements import FilePlacements
from overhead_lint.project.summary import summarize

if TYPE_CHECKING:
    from overhead_lint.project.file_summary import FileSummary


__all__ = ["FileSummaries"]


class FileSummaries(FilePlacements):
    """What the project needs to know of one file."""

    @cached_property
    def summary(self) -> FileSummary:
        """What the project graph needs to know of the file."""
        return summarize(self)
