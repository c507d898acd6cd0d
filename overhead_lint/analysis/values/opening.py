"""Opens what nobody in the project gives: to what annotations promise, defaults show, or anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.values.annotations import promised
from overhead_lint.analysis.values.arguments import default_of
from overhead_lint.analysis.values.attributes import promised_attribute
from overhead_lint.analysis.values.elsewhere import PARAMETER_OF
from overhead_lint.analysis.values.lattice import (
    ANY_TENSOR,
    ANYTHING,
    BOTTOM,
    KINDS,
    MAPPING,
    MODULE,
    NONE_TYPE,
    NUMBERS,
    OPEN,
    SEQUENCE,
    TENSOR,
    TEXT,
    VARIES,
    Value,
    of_bits,
)
from overhead_lint.analysis.values.symbols import ClassSymbol, FunctionSymbol

if TYPE_CHECKING:
    from overhead_lint.analysis.values.engine import Engine
    from overhead_lint.analysis.values.linker import Linker
    from overhead_lint.analysis.values.slots import Slot
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["open_all", "open_rest", "unfilled"]

_TELLING: Final = frozenset({TENSOR, MODULE, SEQUENCE, MAPPING})


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


def open_rest(engine: Engine) -> None:
    """Open what still waits for others: parameters that other files may give, results that are promised."""
    for body in [one for one in engine.linker.bodies if one.is_function]:
        if engine.others is not None and _is_public(body):
            _open_to_others(engine, body)
        if engine.others is not None and _is_forward(body):
            for slot in body.parameters:  # models are called from elsewhere, with tensors of the device
                if slot.value.bits & TENSOR:
                    slot.grow(of_bits(ANY_TENSOR), engine.work)
        if body.promised.bits and not body.returned.value.bits:
            body.returned.grow(body.promised, engine.work)


def _is_forward(body: Body) -> bool:
    """Whether a function is what calling a module runs."""
    cls = body.symbol.cls if isinstance(body.symbol, FunctionSymbol) else None
    return body.record.name == "forward" and cls is not None and cls.kind & MODULE != 0


def unfilled(linker: Linker) -> list[Slot]:
    """Return what is read although nothing is stored there: attributes, else parameters, names and results.

    What is made of an attribute that nothing stores is known once that is opened.
    """
    stored = [slot for body in linker.bodies for slot in _attributes(body)]
    return _empty(stored) or _empty(_slots(linker))


def _empty(slots: list[Slot]) -> list[Slot]:
    return [slot for slot in slots if slot.readers and not slot.value.bits & KINDS]


def _attributes(body: Body) -> list[Slot]:
    return _unstored(body.symbol) if isinstance(body.symbol, ClassSymbol) else []


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
        elif place not in body.fixed and not body.parameters[place].value.bits & KINDS:
            _open_parameter(engine, body, place)  # the others partial calls have given something


def _open_missing(engine: Engine, body: Body) -> None:
    """Let parameters that calls in the project only leave out or give None be what others may give."""
    for place, slot in enumerate(body.parameters):
        if place not in body.fixed and slot.value.bits & KINDS == NONE_TYPE:
            slot.grow(ANYTHING, engine.work)


def _is_public(body: Body) -> bool:
    """Whether other files may call a function, by its name and where it stands."""
    name, around = body.record.name, body.parent
    while around is not None and not around.is_function:
        around = around.parent
    return around is None and (not name.startswith("_") or name.startswith("__"))


def _open_to_others(engine: Engine, body: Body) -> None:
    """Let parameters be anything that are not given the same kind of thing by all who call a function.

    Who is given a tensor, module or container here is given one by others. A number, text or function may
    well be another thing there.
    """
    for place, slot in enumerate(body.parameters):
        kinds = slot.value.bits & KINDS & ~NONE_TYPE
        is_free = place not in body.fixed and not body.told[place].bits
        if is_free and kinds not in _TELLING and body.record.parameters[place].default < 0:
            slot.grow(_from_others(engine, body, place), engine.work)


def _from_others(engine: Engine, body: Body, place: int) -> Value:
    """Return what other files give a parameter: anything, if they cannot be asked."""
    symbol = body.symbol
    if engine.others is None or not isinstance(symbol, FunctionSymbol) or body.parent is None:
        return ANYTHING
    if body.parent.parent is not None or symbol.name.startswith("_"):
        return ANYTHING
    parameters = body.record.parameters
    number = "" if parameters[place].kind == "=" else str(place)
    return engine.others.value(f"{PARAMETER_OF}.{symbol.name}:{parameters[place].name}:{number}")


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
        slot.grow(_from_others(engine, body, place), engine.work)
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
