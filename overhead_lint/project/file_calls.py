"""What the calls of one file run, as far as it shows."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from overhead_lint.project.calls import Calls
from overhead_lint.project.file_index import index_of
from overhead_lint.project.file_paths import FilePaths
from overhead_lint.project.graph.resolver import Resolver
from overhead_lint.project.passed_instances import (
    CalledMethod,
    CalledParameter,
    methods_called,
    parameters_called,
)

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
    def calls(self) -> Calls:
        """What calls run."""
        return Calls(self, self.local_graph)

    @cached_property
    def parameters_called(self) -> list[CalledParameter]:
        """Calls of parameters, and of attributes of ``self`` that parameters are kept in."""
        return list(parameters_called(self))

    @cached_property
    def methods_called(self) -> list[CalledMethod]:
        """Calls of methods of parameters that say nothing of their class."""
        return list(methods_called(self))
