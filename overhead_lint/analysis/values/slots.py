"""What is joined over all that is stored in it, and who is to look again when it grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.values.lattice import BOTTOM, Value, join

if TYPE_CHECKING:
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["Slot", "Work"]


class Work:
    """The bodies that are to be evaluated.

    Attributes:
        waiting: those, in the order in which they came.
    """

    def __init__(self) -> None:
        self.waiting: list[Body] = []

    def add(self, body: Body) -> None:
        """Have a body evaluated, once if it waits already."""
        if not body.is_waiting:
            body.is_waiting = True
            self.waiting.append(body)


class Slot:
    """An attribute, parameter, name or element: the join of all that is stored there.

    Attributes:
        value: the join so far.
        readers: the bodies that read it.
    """

    __slots__ = ("readers", "value")

    def __init__(self) -> None:
        self.value: Value = BOTTOM
        self.readers: dict[Body, None] = {}

    def read(self, reader: Body) -> Value:
        """Return what is stored; the reader will be evaluated again when that grows."""
        self.readers[reader] = None
        return self.value

    def grow(self, value: Value, work: Work) -> None:
        """Store a value."""
        old = self.value
        if value is old or not value.bits:
            return
        new = join(old, value)
        if new is not old and new != old:
            self.value = new
            for reader in self.readers:
                work.add(reader)
