"""What operations make that holds values: containers by their place, and partial calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.values.reference import Reference

if TYPE_CHECKING:
    from overhead_lint.analysis.values.slots import Slot

__all__ = ["Container", "Partial", "RecordClass"]


class Container(Reference):
    """All containers that one place of the program makes: what is put into one is put into each.

    Attributes:
        kind: its class in a word: tuple, list, set, dict, deque, generator, record (a named tuple), sequence
            (a list or a tuple).
        element: what it may hold, of a mapping its values; what stands in `parts` and `entries` among it.
        keys: of a mapping what its keys may be.
        parts: what stands at each place, of one that is written out; () of others.
        entries: of a mapping what stands under each constant key, of a record under each name.
        rest: of a mapping what stands under keys that are not constant.
        cls: the class of the project that a record is an object of; None of what has none there.
        grows: a slot that is not bottom once something is added after it was made, so that `parts` are no
            places any more.
    """

    __slots__ = ("cls", "element", "entries", "grows", "keys", "kind", "parts", "rest")

    def __init__(
        self, order: str, kind: str, slots: tuple[Slot, Slot, Slot, Slot], parts: tuple[Slot, ...]
    ) -> None:
        super().__init__(order)
        self.kind = kind
        self.element, self.keys, self.rest, self.grows = slots
        self.parts = parts
        self.entries: dict[str, Slot] = {}
        self.cls: Reference | None = None


class RecordClass(Reference):
    """A class of named tuples that a call makes.

    Attributes:
        names: its fields, by place.
    """

    __slots__ = ("names",)

    def __init__(self, order: str, names: tuple[str, ...]) -> None:
        super().__init__(order)
        self.names = names


class Partial(Reference):
    """What ``functools.partial`` makes at one place.

    Attributes:
        place: the place of the body that makes it in its file, and the operation.
        function: what it will call.
        positional: what it gives by place.
        named: what it gives by name.
    """

    __slots__ = ("function", "named", "place", "positional")

    def __init__(
        self,
        order: str,
        place: tuple[int, int],
        function: Slot,
        positional: tuple[Slot, ...],
        named: dict[str, Slot],
    ) -> None:
        super().__init__(order)
        self.place = place
        self.function = function
        self.positional = positional
        self.named = named
