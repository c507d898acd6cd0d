"""How often the places of one file run within their functions."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from overhead_lint.analysis.placement.hook_removals import HookRemovals
from overhead_lint.analysis.placement.idle_rounds import IdleRounds
from overhead_lint.analysis.placement.needed_waits import NeededWaits
from overhead_lint.project.file_loops import FileLoops
from overhead_lint.project.item_rounds import ItemRounds
from overhead_lint.project.placement import Placements
from overhead_lint.project.unnamed import Unnamed

if TYPE_CHECKING:
    from overhead_lint.analysis.graph.option import Option

__all__ = ["FilePlacements"]


class FilePlacements(FileLoops):
    """How often the places of one file run within their functions."""

    @cached_property
    def item_rounds(self) -> ItemRounds:
        """What generators do for each of their items."""
        return ItemRounds(self, self.placements.frequencies.items)

    @cached_property
    def placements(self) -> Placements:
        """Where nodes stand within their functions."""
        return Placements(self)

    @cached_property
    def hook_removals(self) -> HookRemovals:
        """Which functions take hooks away."""
        names, frequencies = self.flow.names, self.placements.frequencies
        return HookRemovals(self.module, names, self.kinds.values, frequencies, self.loops.is_hot)

    @cached_property
    def needed_waits(self) -> NeededWaits:
        """Waits for the device that stay, whatever is mended beside them."""
        names, frequencies = self.flow.names, self.placements.frequencies
        return NeededWaits(self.module, names, self.kinds.values, frequencies)

    @cached_property
    def idle_rounds(self) -> IdleRounds:
        """Loops that give the device nothing to do."""
        names, frequencies = self.flow.names, self.placements.frequencies
        return IdleRounds(self.module, names, self.kinds.values, frequencies)

    @cached_property
    def unnamed(self) -> Unnamed:
        """Functions and classes that it does not name where it defines them alone."""
        return Unnamed(self)

    def of_definitions(self, node: ast.AST, *, is_hot: bool) -> tuple[Option, ...]:
        """What a place hangs on for the function or class that it stands in.

        Args:
            node: the place.
            is_hot: whether it is hot by itself: elsewhere it is as hot as its function, named or not.
        """
        named = self.unnamed.option(node) if is_hot else None
        made = self.options.made.option(self.flow.point(node)[0]) if self.options.made.by_place else None
        return tuple([one for one in (named, made) if one is not None])
