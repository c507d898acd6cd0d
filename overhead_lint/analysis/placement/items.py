"""Loops of generators that give an item in each of their rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import YIELD
from overhead_lint.analysis.ir.records import COMPREHENSION_LOOP, FUNCTION_BODY

if TYPE_CHECKING:
    from collections.abc import Callable

    from overhead_lint.analysis.ir.names import Names

__all__ = ["ItemLoops"]

_ONE_ITEM: Final = frozenset({"asynccontextmanager", "contextmanager", "fixture", "hookimpl"})
"""What they decorate gives one item, whatever loop that stands in: it is run by what they make of it."""


class ItemLoops:
    """Tells which loops of a file give items.

    Args:
        names: the names of the file.
        is_hot: whether the rounds of a loop are steps, by its function and number.
    """

    def __init__(self, names: Names, is_hot: Callable[[int, int], bool]) -> None:
        self._names = names
        self._is_hot = is_hot
        self._giving: dict[int, frozenset[int]] = {}

    def gives(self, place: int, loop: int) -> bool:
        """Whether each round of a loop gives an item, and no loop around is one of steps, nor it itself."""
        if not self.yields(place, loop):
            return False
        record = self._names.functions[place]
        while loop >= 0:
            if self._is_hot(place, loop):
                return False
            loop = record.loops[loop].parent
        return True

    def yields(self, place: int, loop: int) -> bool:
        """Whether each round of a loop gives an item."""
        record = self._names.functions[place]
        if not record.is_generator or record.kind != FUNCTION_BODY:
            return False
        known = self._giving.get(place)
        if known is None:
            found = set()
            if _ONE_ITEM.isdisjoint(self._names.decorators(place)):
                found = {
                    around
                    for block, around in enumerate(record.block_loop)
                    if around >= 0 and self.holds_yield(place, block)
                }
            known = self._giving[place] = frozenset(self._statement(place, one) for one in found)
        return loop in known

    def _statement(self, place: int, loop: int) -> int:
        """Return the innermost loop around that is a statement; -1 for none."""
        record = self._names.functions[place]
        while loop >= 0 and record.loops[loop].kind == COMPREHENSION_LOOP:
            loop = record.loops[loop].parent
        return loop

    def holds_yield(self, place: int, block: int) -> bool:
        """Whether a block gives an item."""
        record = self._names.functions[place]
        return YIELD in record.code[record.block_start[block] : record.block_end[block]]
