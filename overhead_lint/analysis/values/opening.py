"""Opens what nobody in the project gives: to what annotations promise, defaults show, or anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.values.annotations import promised
from overhead_lint.analysis.values.arguments import default_of
from overhead_lint.analysis.values.attributes import promised_attribute
from overhead_lint.analysis.values.lattice import (
    ANYTHING,
    BOTTOM,
    KINDS,
    NONE_TYPE,
    NUMBERS,
    OPEN,
    TEXT,
    VARIES,
    Value,
    of_bits,
)
from overhead_lint.analysis.values.symbols import ClassSymbol

if TYPE_CHECKING:
    from overhead_lint.analysis.values.engine import Engine
    from overhead_lint.analysis.values.linker import Linker
    from overhead_lint.analysis.values.slots import Slot
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["open_all", "unfilled"]

Order = "Callable[[list[Body]], list[Body]]"


def open_all(engine: Engine) -> None:
    """Open the parameters of functions that nobody calls, and what is None wherever the project gives it."""
    bodies = engine.linker.bodies
    for body in [one for one in bodies if one.is_function]:
        if body.is_called:
            _open_missing(engine, body)
        else:
            _open(engine, body)
    for body in bodies:
        if isinstance(body.symbol, ClassSymbol):
            _open_fields(engine, body.symbol)


def unfilled(linker: Linker) -> list[Slot]:
    """Return the parameters, results, names and attributes that are read although nothing is stored there."""
    return [slot for slot in _slots(linker) if slot.readers and not slot.value.bits & KINDS]


def _open(engine: Engine, body: Body) -> None:
    """Let the parameters of a function that nobody calls be what they may be."""
    for place, parameter in enumerate(body.record.parameters):
        if parameter.kind == "*":
            engine.container(body, -1, "tuple", 0, 1).element.grow(
                _annotated(engine, body, place), engine.work
            )
        elif parameter.kind == "**":
            made = engine.container(body, -1, "dict", 0, 2)
            element = _annotated(engine, body, place)
            made.element.grow(element, engine.work)
            made.rest.grow(element, engine.work)
        elif place not in body.fixed:
            _open_parameter(engine, body, place)


def _open_missing(engine: Engine, body: Body) -> None:
    """Let parameters that calls in the project only leave out or give None be what others may give."""
    for place, slot in enumerate(body.parameters):
        if place not in body.fixed and slot.value.bits & KINDS == NONE_TYPE:
            slot.grow(ANYTHING, engine.work)


def _open_fields(engine: Engine, cls: ClassSymbol) -> None:
    """Let attributes that the project only sets to None be what others may set."""
    for name, slot in cls.fields.items():
        if name in cls.stored and slot.value.bits & KINDS == NONE_TYPE:
            slot.grow(ANYTHING, engine.work)
    for name in cls.body.record.annotations:
        slot = cls.field(name)
        cell = cls.body.cells.get(name)
        known = slot.value.bits | (cell.value.bits if cell is not None else 0)
        if not known & KINDS & ~NONE_TYPE:
            slot.grow(promised_attribute(engine, cls, name), engine.work)


def _annotated(engine: Engine, body: Body, place: int) -> Value:
    said = body.record.parameters[place].annotation
    order = f"{body.symbol.order} parameter {place}"
    return promised(engine, body, said, order) if said is not None else ANYTHING


def _open_parameter(engine: Engine, body: Body, place: int) -> None:
    """Let a parameter be what its default shows, or anything that its annotation promises."""
    slot = body.parameters[place]
    default = default_of(body, place).value if body.record.parameters[place].default >= 0 else BOTTOM
    slot.grow(default, engine.work)
    kinds = default.bits & KINDS & ~NONE_TYPE
    if not kinds or body.told[place].bits:
        slot.grow(ANYTHING, engine.work)
    elif kinds & (NUMBERS | TEXT):
        slot.grow(of_bits(VARIES), engine.work)
    else:
        slot.grow(of_bits(OPEN), engine.work)


def _slots(linker: Linker) -> list[Slot]:
    """Return all parameters, results, names and attributes of the project."""
    found: list[Slot] = []
    for body in linker.bodies:
        for place, slot in enumerate(body.parameters):
            if place not in body.fixed:
                found.append(slot)
        if body.returns or body.record.is_generator:
            found.append(body.returned)
        found += body.cells.values()
        if isinstance(body.symbol, ClassSymbol):
            found += [slot for name, slot in body.symbol.fields.items() if name in body.symbol.stored]
            found += _unstored(body.symbol)
    return found


def _unstored(cls: ClassSymbol) -> list[Slot]:
    """Return attributes of objects of a class that nothing stores, outside of methods either."""
    family = [one for one in cls.resolution_order if isinstance(one, ClassSymbol)]
    family += cls.descendants()
    return [
        slot
        for name, slot in cls.unstored.items()
        if not any(name in one.fields and one.fields[name].value.bits for one in family)
    ]
