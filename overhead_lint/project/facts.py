"""What is known about one file, gathered when it is first asked for."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from overhead_lint.project.cross_file import NOTHING_TOLD, Told
from overhead_lint.project.file_summaries import FileSummaries
from overhead_lint.project.fix_doubts import Doubts, doubts
from overhead_lint.project.heat import FileHeat
from overhead_lint.project.warmable import Warmable

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from overhead_lint.rule import Warmth

__all__ = ["FileFacts"]


class FileFacts(FileSummaries):
    """The facts of one file.

    Args:
        tree: the file's tree.
        path: the file as it is named in reasons for heat.
        module: dotted name of its module, "" if unknown.
        is_package: whether it is an ``__init__.py``.
        cold: why the whole file is cold, "" if it is not.
        warmths: heat of the file's functions, by name in paths, as the project's graph has it; without
            it the file stands alone.
        told: what the project tells it of other files.
        neighbours: first parts of the names of modules that may be the project's; None for any.
        is_importable: whether others than the project may import it.
    """

    def __init__(
        self,
        tree: ast.Module,
        path: str,
        *,
        module: str = "",
        is_package: bool = False,
        cold: str = "",
        warmths: Mapping[str, Warmth] | None = None,
        told: Told = NOTHING_TOLD,
        neighbours: Collection[str] | None = None,
        is_importable: bool = True,
    ) -> None:
        super().__init__(tree, module, is_package, told, neighbours, is_importable)
        self.path = path
        self.cold = cold
        self.warmths = warmths

    def release(self) -> None:
        """Let go of all that was gathered; nothing may be asked any more.

        The parts refer to each other, so that the tree would stay until Python looks for such cycles.
        """
        self.kinds.release()
        for part in _emptied(self):
            for inner in _emptied(part):
                _emptied(inner)

    @cached_property
    def doubts(self) -> Doubts:
        """What makes fixes unsafe that are safe in other files."""
        return doubts(self)

    @cached_property
    def warmable(self) -> Warmable:
        """Which nodes heat can reach."""
        return Warmable(self)

    @cached_property
    def heat(self) -> FileHeat:
        """How hot places are."""
        return FileHeat(self, self.path, self.cold, self.warmths)


def _emptied(one: object) -> list[object]:
    """Take what an object holds out of it; nodes keep theirs."""
    take_all = getattr(one, "take_all", None)  # classes that are compiled have no dictionary, but this
    if take_all is not None:
        taken: list[object] = take_all()
        return taken
    if isinstance(one, ast.AST) or not hasattr(one, "__dict__"):
        return []
    held = list(vars(one).values())
    vars(one).clear()
    return held
