"""What the expressions of one file may be, and are while options have their defaults."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from overhead_lint.analysis.values.project import solve
from overhead_lint.api.compiled_places import NO_PLACES, PlacesOfFile
from overhead_lint.project.compiler_names import names_compiler
from overhead_lint.project.cross_file import NOTHING_TOLD, Told
from overhead_lint.project.file_bindings import FileBindings
from overhead_lint.project.kinds.abstract_value import UNKNOWN, AbstractValue, decoded
from overhead_lint.project.kinds.inference import Kinds
from overhead_lint.project.options import Options
from overhead_lint.project.project_paths import leading_on

if TYPE_CHECKING:
    import ast
    from collections.abc import Collection


__all__ = ["FileValues"]


class FileValues(FileBindings):
    """What the expressions of one file may be.

    Args:
        tree: the file's tree.
        module: dotted name of its module, "" if unknown.
        is_package: whether it is an ``__init__.py``.
        told: what the project tells it of other files.
        neighbours: first parts of the names of modules that may be the project's; None for any.
        is_importable: whether others than the project may import it.
    """

    def __init__(
        self,
        tree: ast.Module,
        module: str = "",
        is_package: bool = False,
        told: Told = NOTHING_TOLD,
        neighbours: Collection[str] | None = None,
        is_importable: bool = True,
    ) -> None:
        super().__init__(tree, module, is_package, is_importable, dict(told.aliases))
        self.told = told
        self.leads_on = leading_on(neighbours, module)
        self._knows_modules = neighbours is not None

    @cached_property
    def kinds(self) -> Kinds:
        """What expressions are."""
        return Kinds(self, self.leads_on, {path: decoded(kind, _unknown) for path, kind in self.told.kinds})

    @cached_property
    def compile_places(self) -> PlacesOfFile:
        """What the file compiles, as far as it shows."""
        if not names_compiler(self):
            return NO_PLACES
        from overhead_lint.project.compiled_places import places_of_file  # few files compile anything

        packages = [self.module] if self.is_package else []
        alone = partial(solve, {self.module: self.flow.record}, packages)
        return places_of_file(self.kinds.values, self.module, alone, knows_modules=self._knows_modules)

    @cached_property
    def options(self) -> Options:
        """Parameters that have a constant for a default, and what tests say while they do."""
        return Options(self.flow, self.module, is_package=self.is_package)


def _unknown(path: str) -> AbstractValue:
    """What a file knows of paths that the project has not told it of."""
    return UNKNOWN
