"""A graph as numbers, with some modules as they are after an edit in the place of what they were."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from overhead_lint.project.graph.numbered_graph import EDGES, TARGET, NumberedGraph
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["GONE", "Part", "Splice"]

GONE: Final = -1
_HOW: Final = (1 << TARGET) - 1


class Part(NamedTuple):
    """A module as it is now: what each of its functions is, and the edges of each, in numbers of now."""

    flags: Sequence[int]
    edges: Sequence[Sequence[int]]


class Splice:
    """Puts modules into a graph.

    Args:
        before: the graph.
        names: for each module that changed, by its number, its functions before and now, by name in paths.

    Attributes:
        starts: the number of the first function of each module now; at last how many there are.
    """

    def __init__(
        self, before: NumberedGraph, names: Mapping[int, tuple[Sequence[str], Sequence[str]]]
    ) -> None:
        self._before = before
        self._changed = sorted(names)
        self.starts = array("i", before.starts)
        self._moved: list[int] | None = None
        if any(old != new for old, new in names.values()):
            self._moved = self._number(names)
        self._segments: list[tuple[int, int | None]] = []

    def _number(self, names: Mapping[int, tuple[Sequence[str], Sequence[str]]]) -> list[int]:
        """Number the functions of all modules; gives the numbers of now for those of before."""
        moved: list[int] = []
        at = 0
        for module in range(len(self.starts) - 1):
            self.starts[module] = at
            if module in names:
                old, new = names[module]
                places = {name: at + place for place, name in enumerate(new)}
                moved += [places.get(name, GONE) for name in old]
                at += len(new)
            else:
                count = len(self._before.functions(module))
                moved += range(at, at + count)
                at += count
        self.starts[-1] = at
        return moved

    def function(self, before: int) -> int:
        """The number that a function of before has now; `GONE` if it is not there any more."""
        return self._moved[before] if self._moved is not None else before

    def spliced(self, parts: Mapping[int, Part]) -> NumberedGraph | None:
        """The graph as it is now; None if a module that is as it was leads to what is gone.

        Args:
            parts: the modules that changed, by their numbers.
        """
        before, at = self._before, 0
        flags, first, edges = array("I"), array("i", [0]), array(EDGES)
        self._segments = []
        for module in (*self._changed, len(before.starts) - 1):
            end = before.starts[module]
            shift = len(edges) - before.first[at]
            self._segments.append((before.first[at], shift))
            flags += before.flags[at:end]
            edges += self._retargeted(before.edges[before.first[at] : before.first[end]])
            first += array("i", [one + shift for one in before.first[at + 1 : end + 1]])
            if module in parts:
                at = before.starts[module + 1]
                self._segments.append((before.first[end], None))
                flags += array("I", parts[module].flags)
                for its in parts[module].edges:
                    edges += array(EDGES, its)
                    first.append(len(edges))
        if edges and min(edges) < 0:
            return None
        return NumberedGraph(self.starts, flags, first, edges)

    def _retargeted(self, edges: array[int]) -> array[int]:
        moved = self._moved
        if moved is None:
            return edges
        return array(EDGES, [moved[edge >> TARGET] << TARGET | edge & _HOW for edge in edges])

    def edge(self, before: int) -> int:
        """The number that an edge has now of a module that is as it was, by that of before; else `GONE`."""
        _, shift = self._segments[bisect_right(self._segments, before, key=_start) - 1]
        return before + shift if shift is not None else GONE


def _start(segment: tuple[int, int | None]) -> int:
    return segment[0]
