"""What is joined over all that is stored in it, and who is to look again when it grows."""

from __future__ import annotations

from typing import Any, Final, Generic, TypeVar

from overhead_lint.analysis.values.lattice import BOTTOM, Value, join

__all__ = ["OPERATION", "OPERATION_BITS", "Reader", "Slot", "Work"]

OPERATION_BITS: Final = 24
"""Bits of a reader's key that hold its operation; those above them hold the number of its body."""
OPERATION: Final = (1 << OPERATION_BITS) - 1
"""The bits of the operation."""


class Reader:
    """A body of operations that read slots.

    Attributes:
        base: its number among all bodies, above the bits for an operation.
        at: the operation that is evaluated.
        dirty: the operations to evaluate again; all are when it is evaluated first.
        is_waiting: whether it is to be evaluated.
    """

    __slots__ = ("at", "base", "dirty", "is_waiting")

    def __init__(self) -> None:
        self.base = 0
        self.at = 0
        self.dirty: set[int] = set()
        self.is_waiting = False


AnyReader = TypeVar("AnyReader", bound=Reader)


class Work(Generic[AnyReader]):
    """What is to be evaluated: bodies as a whole once, then single operations of them.

    Attributes:
        bodies: all bodies of the project, by number.
        waiting: those that have something to do, in the order in which that came.
        deferred: what is to be stored later, so that nobody sees it before; None while all is stored at once.
    """

    def __init__(self, bodies: list[AnyReader]) -> None:
        self.bodies = bodies
        self.waiting: list[AnyReader] = []
        self.deferred: list[tuple[Slot, Value]] | None = None

    def add(self, body: AnyReader) -> None:
        """Have a body evaluated."""
        if not body.is_waiting:
            body.is_waiting = True
            self.waiting.append(body)

    def note(self, reader: int) -> None:
        """Have an operation evaluated, by the key that it has as a reader."""
        body = self.bodies[reader >> OPERATION_BITS]
        body.dirty.add(reader & OPERATION)
        if not body.is_waiting:
            body.is_waiting = True
            self.waiting.append(body)


class Slot:
    """An attribute, parameter, name or element: the join of all that is stored there.

    Attributes:
        value: the join so far.
        readers: the operations that read it, each as the number of its body and its own in one.
    """

    __slots__ = ("readers", "value")

    def __init__(self) -> None:
        self.value: Value = BOTTOM
        self.readers: dict[int, None] = {}

    def read(self, reader: Reader) -> Value:
        """Return what is stored; what the reader is at is evaluated again when that grows."""
        self.readers[reader.base + reader.at] = None
        return self.value

    def grow(self, value: Value, work: Work[Any]) -> None:
        """Store a value."""
        old = self.value
        if value is old or not value.bits:
            return
        if work.deferred is not None:
            work.deferred.append((self, value))
            return
        new = join(old, value)
        if new is not old:
            self.value = new
            for reader in self.readers:
                work.note(reader)
