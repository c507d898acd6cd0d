"""What transfer functions share: the names of the project, the work to do, and containers by place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.values.constants import constant_value
from overhead_lint.analysis.values.elsewhere import Elsewhere
from overhead_lint.analysis.values.holders import Container
from overhead_lint.analysis.values.lattice import (
    ANY_TENSOR,
    ANYTHING,
    KINDS,
    MANY,
    MAPPING,
    MODULE,
    OPEN,
    SEQUENCE,
    UNKNOWN,
    Value,
    join,
)
from overhead_lint.analysis.values.promises import tells_items, within
from overhead_lint.analysis.values.slots import Slot, Work
from overhead_lint.analysis.values.usage import is_used_as_tensor

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from overhead_lint.analysis.values.elsewhere import Others
    from overhead_lint.analysis.values.linker import Linker, Symbol
    from overhead_lint.analysis.values.reference import Reference
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["MOST_PARTS", "Engine"]

MOST_PARTS: Final = 24
"""Places and keys that are told apart in one container that is written out."""
SITES_AN_OPERATION: Final = 8
"""Containers that one operation may make."""


class Engine:
    """The state of one solution.

    Args:
        linker: the names of the project.
        others: what is known of files that are not solved; None where all of the project are.

    Attributes:
        work: the bodies to evaluate.
        is_committing: whether operations may act on what they refer to: give arguments, write attributes and
            items. They may when all values are at rest, so that it is not by a reference that later turns
            out to be one of too many to be told.
        pending: the operations that will act then, by the keys that they have as readers.
        nn_module: the class of torch's modules.
        any_module: what is one of which nobody knows more.
    """

    def __init__(self, linker: Linker, others: Others | None = None) -> None:
        self.linker = linker
        self.others = others
        self.work = Work(linker.bodies)
        self.is_committing = False
        self.pending: dict[int, None] = {}
        self.nn_module = linker.api("torch.nn.Module")
        self.any_module = Value(MODULE, (self.nn_module.instance,))
        self.tensor = linker.api("torch.Tensor")
        self._constants: dict[tuple[type, object], Value] = {}

    def commits(self, body: Body, at: int) -> bool:
        """Whether an operation may act on what it refers to now; if not, it is evaluated again to do so."""
        if not self.is_committing:
            self.pending[body.base + at] = None
        return self.is_committing

    def constant(self, value: object) -> Value:
        """Return the value of a constant of the program."""
        key = value.__class__, value
        found = self._constants.get(key)
        if found is None:
            found = self._constants[key] = constant_value(value)
        return found

    def read(self, body: Body, found: Slot | Symbol | None) -> Value:
        """Return what stands behind a name for a body; anything where nobody knows."""
        if isinstance(found, Slot):
            return found.read(body)
        return found.value if found is not None else ANYTHING

    def step(self, holder: Elsewhere, step: str) -> Value:
        """Return what is found a step further on from something that a file defines which is not solved."""
        return self.others.step(holder, step) if self.others is not None else ANYTHING

    def part(self, holder: Elsewhere) -> Value:
        """Return what something holds that a file defines which is not solved."""
        return self.others.part(holder) if self.others is not None else ANYTHING

    def parameter(self, body: Body, place: int) -> Value:
        """Return what a parameter may be: what calls give, as far as its annotation lets it be that."""
        told = body.told[place]
        if place in body.fixed:
            return told
        value = body.parameters[place].read(body)
        if told.bits:
            is_held = self.others is not None and told.bits & (SEQUENCE | MAPPING) and tells_items(told)
            value = told if is_held and value.bits & KINDS else within(value, told)
        if value.bits & UNKNOWN and not value.bits & MANY:
            at = body.parameter_values.get(place)
            if at is not None and is_used_as_tensor(self.linker, body, at):
                return self.as_tensor(value)
        return value

    def as_tensor(self, value: Value) -> Value:
        """Return a value of which something is unknown that is used as only tensors are.

        What other files know of it is still theirs to say: where it lies, whether it is a mask.
        """
        held: dict[Reference, None] = {}
        for one in value.references:
            if isinstance(one, Elsewhere):
                one = self.part(one).references[0]
            held[one] = None
        references = tuple(sorted(held, key=lambda one: one.order))
        return Value((value.bits & ~(UNKNOWN | OPEN)) | ANY_TENSOR, references)

    # Containers

    def container(self, body: Body, at: int, kind: str, parts: int = 0, number: int = 0) -> Container:
        """Return the container that an operation makes, a new one when it is first evaluated.

        Args:
            body: the body of the operation.
            at: the operation; -1 for what the whole body makes.
            kind: its class in a word.
            parts: how many places are told apart.
            number: which of several containers of the operation it is.
        """
        key = at * SITES_AN_OPERATION + number
        found = body.sites.get(key)
        if found is None:
            slots = (Slot(), Slot(), Slot(), Slot())
            held = tuple([Slot() for _ in range(parts if parts <= MOST_PARTS else 0)])
            order = f"{body.symbol.order}#{at}.{number}"
            found = body.sites[key] = Container(order, kind, slots, held)
        assert isinstance(found, Container)
        return found

    def sequence(self, body: Body, at: int, kind: str, element: Value, number: int = 0) -> Value:
        """Return a sequence whose items are alike, made by an operation."""
        made = self.container(body, at, kind, 0, number)
        made.element.grow(element, self.work)
        return Value(SEQUENCE, (made,))

    def tuple_of(
        self, body: Body, at: int, parts: Iterable[Value], number: int = 0, kind: str = "tuple"
    ) -> Value:
        """Return a sequence with something at each place, made by an operation."""
        held = list(parts)
        made = self.container(body, at, kind, len(held), number)
        for place, one in enumerate(held):
            made.element.grow(one, self.work)
            if place < len(made.parts):
                made.parts[place].grow(one, self.work)
        return Value(SEQUENCE, (made,))

    def record(self, body: Body, at: int, fields: Mapping[str, Value], cls: Reference | None = None) -> Value:
        """Return a named tuple, made by an operation, with the values of its fields in order."""
        made = self.container(body, at, "record", len(fields), 2)
        made.cls = cls
        for place, (name, value) in enumerate(fields.items()):
            made.element.grow(value, self.work)
            if place < len(made.parts):
                made.parts[place].grow(value, self.work)
                made.entries.setdefault(name, made.parts[place])
        return Value(SEQUENCE, (made,))

    def mapping(self, body: Body, at: int, keys: Value, element: Value, number: int = 0) -> Value:
        """Return a mapping whose entries are alike, made by an operation."""
        made = self.container(body, at, "dict", 0, number)
        made.keys.grow(keys, self.work)
        made.element.grow(element, self.work)
        made.rest.grow(element, self.work)
        return Value(MAPPING, (made,))

    def put(self, made: Container, key: object, value: Value) -> None:
        """Note an entry of a mapping, under a constant key if that is a text."""
        made.element.grow(value, self.work)
        slot = made.rest
        if isinstance(key, str):
            known = made.entries.get(key)
            if known is None:
                known = made.entries[key] = Slot()
                for reader in made.keys.readers:  # they go over all entries
                    self.work.note(reader)
            slot = known
        slot.grow(value, self.work)

    def entry(self, body: Body, made: Container, key: object) -> Value:
        """Return what a mapping may hold under a key."""
        if not isinstance(key, str):
            return made.element.read(body)
        known = made.entries.get(key)
        if known is None:
            known = made.entries[key] = Slot()
        return join(known.read(body), made.rest.read(body))
