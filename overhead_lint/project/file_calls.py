"""What the calls of one file run, as far as it shows."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from overhead_lint.project.file_index import index_of
from overhead_lint.project.file_paths import FilePaths
from overhead_lint.project.given import GivenCall, calls_of_given
from overhead_lint.project.graph.resolver import Resolver

if TYPE_CHECKING:
    from overhead_lint.project.module_index import ModuleIndex

__all__ = ["FileCalls"]


class FileCalls(FilePaths):
    """What the calls of one file run."""

    @cached_property
    def index(self) -> ModuleIndex:
        """What other files can ask this one for by name."""
        return index_of(self)

    @cached_property
    def local_graph(self) -> Resolver:
        """Resolves paths as far as this file goes; its key is ""."""
        return Resolver({"": self.index})

    @cached_property
    def calls_of_given(self) -> list[GivenCall]:
        """Calls of what functions are given."""
        return list(calls_of_given(self))
