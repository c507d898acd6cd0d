"""Counts what reading objects needs in compiled code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.compile_sites.ways import EACH, Tally, Way, modules_in
from overhead_lint.analysis.values.lattice import INSTANCE, MAPPING, MODULE, SEQUENCE, is_certainly

if TYPE_CHECKING:
    from overhead_lint.analysis.compile_sites.lengths import Lengths
    from overhead_lint.analysis.values.holders import Container
    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["Readings"]

_ASSUMED_LENGTH: Final = 12
"""How long a list of modules is taken to be where nothing tells."""
_INDEXED: Final = 12
"""What indexing a ModuleList needs, whatever it holds: its own method is traced."""


class Readings:
    """Counts what reading objects needs.

    Args:
        values: the project's.
        lengths: of its containers.

    Attributes:
        tally: what was counted.
    """

    def __init__(self, values: Values, lengths: Lengths) -> None:
        self.tally = Tally()
        self.values = values
        self.lengths = lengths

    def read(self, way: Way) -> None:
        """Count what reading an object needs."""
        bits = way.value.bits
        if bits & (MODULE | INSTANCE) or not bits & (SEQUENCE | MAPPING):
            self.tally.add(way.path, way.number)
            container = modules_in(way)
            if container is not None:
                self.tally.add(f"{way.path}.__dict__", way.number)
        elif is_certainly(way.value, MAPPING):
            self.tally.add(way.path, way.number)
        else:
            self.tally.add(way.path, 2 * way.number)

    def each(self, way: Way, held: Container, place: tuple[Body, int], *, is_indexed: bool = False) -> Way:
        """Return the way to what a container holds, and count what going over it needs.

        Args:
            way: the way to it.
            held: it.
            place: where it is gone over.
            is_indexed: whether its items are read by numbers.
        """
        known = self.lengths.of(held)
        length = known if known is not None else _ASSUMED_LENGTH
        if modules_in(way) is not None:
            self.tally.lists[way.path] = length
            self.tally.places.setdefault(way.path, place)
            if known is None:
                self.tally.assumed[way.path] = None
            if self.lengths.holds_compiled(held):
                self.tally.compiled_alone[way.path] = None
            if is_indexed:
                self.tally.add("torch.nn.ModuleList.__getitem__", _INDEXED)
            else:
                self.tally.add(f"keys of {way.path}", way.number * length)
        return way.item(EACH, length, held.element.value)
