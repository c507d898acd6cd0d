"""Ways by which compiled code reads objects, and the guards that are counted on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import CALL, CONSTANT, PARAMETER, SET_ATTRIBUTE
from overhead_lint.analysis.ir.queries import bound
from overhead_lint.analysis.values.holders import Container
from overhead_lint.analysis.values.lattice import MODULE
from overhead_lint.analysis.values.symbols import ClassSymbol
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.analysis.values.lattice import Value
    from overhead_lint.analysis.values.symbols import Body, FunctionSymbol

__all__ = ["EACH", "Tally", "Way", "buffers_of", "is_given", "modules_in"]

EACH: Final = "[*]"
"""Stands in a way for all items of a list."""


class Way(NamedTuple):
    """A way to objects.

    Attributes:
        path: how it is read: ``self.layers[*].scale``.
        number: how many objects are read so.
        value: what they are.
    """

    path: str
    number: float
    value: Value

    def step(self, name: str, value: Value, *, is_shared: bool = False) -> Way:
        """Return the way to an attribute of each; to one object, if it is the same of all."""
        return Way(f"{self.path}.{name}", 1 if is_shared else self.number, value)

    def item(self, index: str, length: int, value: Value) -> Way:
        """Return the way to items of each."""
        return Way(f"{self.path}{index}", self.number * length, value)


class Tally:
    """The guards of one compiled form.

    Attributes:
        guards: how many guards look at what, by way or by the name of what is no object of the program.
        modules: how many modules are called, by way.
        scalars: how many numbers, texts and flags are read, by way.
        lists: how long the lists of modules are that are gone over or indexed, by way.
        places: where each of them is gone over first: a body and the operation that reads it.
        assumed: those of them whose length nothing tells.
        compiled_alone: those whose items are compiled one by one.
        functions: the project's functions that run.
    """

    def __init__(self) -> None:
        self.guards: dict[str, float] = {}
        self.modules: dict[str, float] = {}
        self.scalars: dict[str, float] = {}
        self.lists: dict[str, int] = {}
        self.places: dict[str, tuple[Body, int]] = {}
        self.assumed: dict[str, None] = {}
        self.compiled_alone: dict[str, None] = {}
        self.functions: dict[FunctionSymbol, None] = {}

    def add(self, subject: str, guards: float) -> None:
        """Count guards on a subject: what is looked at in several places needs them once."""
        self.guards[subject] = max(self.guards.get(subject, 0), guards)

    def add_scalar(self, way: Way) -> None:
        """Count a number, text or flag that is read."""
        self.add(way.path, way.number)
        self.scalars[way.path] = way.number


def is_given(cls: ClassSymbol, name: str) -> bool:
    """Whether objects of a class hold in an attribute what they are given, so that many may hold the same."""
    for one in cls.resolution_order:
        if not isinstance(one, ClassSymbol):
            continue
        for body in one.body.module.bodies:
            if body.parent is one.body and (value := _stored(body, name)) is not None:
                return body.record.code[value] == PARAMETER
    return False


def _stored(body: Body, name: str) -> int | None:
    """Return the operation whose value a method stores in an attribute of a name; None if it stores none."""
    record = body.record
    for at, code in enumerate(record.code):
        if code == SET_ATTRIBUTE and record.extra[at][0] == name:
            return bound(record, record.extra[at][1])
    return None


def buffers_of(cls: ClassSymbol) -> frozenset[str]:
    """Return the names of buffers that methods of a class and its bases register."""
    found = set()
    for one in cls.resolution_order:
        if isinstance(one, ClassSymbol):
            for body in one.body.module.bodies:
                if body.parent is one.body:
                    found |= _registered(body)
    return frozenset(found)


def _registered(body: Body) -> set[str]:
    record = body.record
    found = set()
    for at, code in enumerate(record.code):
        if code == CALL and record.extra[record.operand[at]] == "register_buffer" and record.extra[at][0]:
            name = record.extra[at][0][0]
            if record.code[name] == CONSTANT:
                found.add(str(record.extra[name]))
    return found


def modules_in(way: Way) -> Container | None:
    """Return the list of modules that a way leads to; None if it leads to something else."""
    if way.value.bits & MODULE:
        for one in way.value.references:
            if isinstance(one, Container):
                return one
    return None
