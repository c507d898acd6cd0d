"""What modules can be asked for by name, made of their summaries: at once, or when they are asked."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from overhead_lint.project.graph.interning import Interner
from overhead_lint.project.module_index import NOTHING_TAKEN, ClassSummary, ModuleIndex, squeezed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from overhead_lint.project.file_summary import FileSummary

__all__ = ["StoredModule", "indexed"]


def indexed(
    name: str, folder: str, summary: FileSummary, functions: Mapping[str, str], shared: Interner
) -> ModuleIndex:
    """What a module can be asked for by name.

    Args:
        name: its dotted name.
        folder: that of where it lies.
        summary: what it holds.
        functions: its functions by name in paths, with the paths of what they return.
        shared: takes what many modules say.
    """
    return ModuleIndex(
        name,
        folder,
        functions,
        {cls.name: _without_attributes(cls, shared) for cls in summary.classes},
        {shared.one(own): shared.one(path) for own, path in summary.names},
        shared.texts(summary.stars),
        summary.patches,
        squeezed(summary.handed),
        {function.name: shared.texts(function.takes) for function in summary.functions if function.takes}
        or NOTHING_TAKEN,
        squeezed(summary.gives),
        squeezed(summary.passed),
        squeezed({cls.name: dict(cls.attributes) for cls in summary.classes if cls.attributes}),
    )


def _without_attributes(cls: ClassSummary, shared: Interner) -> ClassSummary:
    return ClassSummary(cls.name, *map(shared.texts, cls._replace(attributes=())[1:]))


class StoredModule:
    """A module whose summary is read when it is asked for more than its name.

    Args:
        name: its dotted name.
        folder: that of where it lies.
        summary: gives what it holds.
    """

    def __init__(self, name: str, folder: str, summary: Callable[[], FileSummary]) -> None:
        self.name = name
        self.folder = folder
        self._summary = summary

    @cached_property
    def _index(self) -> ModuleIndex:
        summary = self._summary()
        functions = {function.name: function.returns for function in summary.functions}
        return indexed(self.name, self.folder, summary, {"": "", **functions}, Interner())

    @property
    def functions(self) -> Mapping[str, str]:
        """See `ModuleIndex`, here and below."""
        return self._index.functions

    @property
    def classes(self) -> Mapping[str, ClassSummary]:
        return self._index.classes

    @property
    def names(self) -> Mapping[str, str]:
        return self._index.names

    @property
    def stars(self) -> tuple[str, ...]:
        return self._index.stars

    @property
    def patches(self) -> tuple[tuple[str, str], ...]:
        return self._index.patches

    @property
    def handed(self) -> bytes:
        return self._index.handed

    @property
    def takes(self) -> Mapping[str, tuple[str, ...]]:
        return self._index.takes

    @property
    def gives(self) -> bytes:
        return self._index.gives

    @property
    def passed(self) -> bytes:
        return self._index.passed

    @property
    def attributes(self) -> bytes:
        return self._index.attributes
