"""What a call is given, and how that is bound to the parameters of a function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.opcodes import STAR
from overhead_lint.analysis.values.holders import Container
from overhead_lint.analysis.values.lattice import (
    ANYTHING,
    BOTTOM,
    EVERYTHING,
    KINDS,
    MANY,
    MAPPING,
    OPEN,
    SEQUENCE,
    TEXT,
    UNKNOWN,
    VARIES,
    Value,
    beyond,
    join,
    of_bits,
)
from overhead_lint.analysis.values.slots import Slot

if TYPE_CHECKING:
    from overhead_lint.analysis.values.engine import Engine
    from overhead_lint.analysis.values.symbols import Body, FunctionSymbol

__all__ = ["Arguments", "arguments_of", "give_beforehand", "pass_to"]

_ANY_TEXT = of_bits(TEXT | VARIES)


class Arguments:
    """What a call is given.

    Attributes:
        call: the operation.
        positional: by place, up to the first starred one.
        named: by name.
        more_positional: what starred arguments hold and those behind them are; bottom without any.
        more_named: what the mappings hold that are given with two stars; bottom without any.
        named_mappings: those mappings, as far as they are known.
        receiver: what the function was read on, if it is a method or may be one.
    """

    __slots__ = ("call", "more_named", "more_positional", "named", "named_mappings", "positional", "receiver")

    def __init__(self, call: int, positional: list[Value], named: dict[str, Value], receiver: Value) -> None:
        self.call = call
        self.positional = positional
        self.named = named
        self.more_positional = BOTTOM
        self.more_named = BOTTOM
        self.named_mappings: list[Container] = []
        self.receiver = receiver

    @property
    def all_values(self) -> list[Value]:
        """All that is given, what stars hold among it."""
        found = [*self.positional, *self.named.values()]
        for one in (self.more_positional, self.more_named):
            if one.bits:
                found.append(one)
        return found

    @property
    def is_evaluated(self) -> bool:
        """Whether nothing of it is bottom."""
        for one in self.positional:
            if not one.bits:
                return False
        return all(one.bits for one in self.named.values())

    def at(self, place: int, *names: str) -> Value:
        """Return what is given at a place or by a name; bottom if that is nothing."""
        if 0 <= place < len(self.positional):
            return self.positional[place]
        for name in names:
            found = self.named.get(name)
            if found is not None:
                return found
        return join(self.more_positional if place >= 0 else BOTTOM, self.more_named)


def arguments_of(body: Body, at: int, receiver: Value) -> Arguments:
    """Return what a call is given, so far."""
    values = body.values
    given, names = body.record.extra[at]
    if not names and not body.has_stars:
        return Arguments(at, [values[operand] for operand in given], {}, receiver)
    codes = body.record.code
    count = len(given) - len(names)
    found = Arguments(at, [], {}, receiver)
    for place in range(count):
        operand = given[place]
        value = values[operand]
        if codes[operand] == STAR:
            found.more_positional = join(found.more_positional, _items(body, value))
        elif found.more_positional.bits:
            found.more_positional = join(found.more_positional, value)
        else:
            found.positional.append(value)
    for place, name in enumerate(names):
        value = values[given[count + place]]
        if name:
            found.named[name] = value
        else:
            _add_mapping(body, found, value)
    return found


def _items(body: Body, value: Value) -> Value:
    """Return what a starred argument holds."""
    found = BOTTOM
    for one in value.references:
        if isinstance(one, Container):
            found = join(found, one.element.read(body))
    if value.bits & KINDS & ~SEQUENCE & ~MAPPING:
        found = join(found, ANYTHING)
    return join(found, beyond(value.bits))


def _add_mapping(body: Body, found: Arguments, value: Value) -> None:
    is_known = value.bits & (UNKNOWN | OPEN) == 0 and value.bits == MAPPING
    for one in value.references:
        if isinstance(one, Container) and one.kind == "dict":
            found.named_mappings.append(one)
            found.more_named = join(found.more_named, one.rest.read(body))
        else:
            is_known = False
    if value.bits and not is_known:
        found.more_named = join(found.more_named, EVERYTHING if value.bits & MANY else ANYTHING)


def pass_to(engine: Engine, body: Body, function: FunctionSymbol, given: Arguments, skip: int) -> list[Value]:
    """Give a function its arguments.

    Args:
        engine: the project.
        body: the body that calls.
        function: what is called.
        given: the arguments.
        skip: how many parameters are given otherwise: 1 for a method of an object.

    Returns:
        What is given for the parameters that it gives back as they are.
    """
    target = function.body
    if engine.commits(body, given.call):
        if not target.is_called:
            target.is_called = True
            engine.work.add(target)
        _give(engine, body, target, given, skip)
    return [
        given.receiver if at < skip else _given(engine, body, target, at, given, skip) for at in target.passes
    ]


def give_beforehand(engine: Engine, function: FunctionSymbol, given: Arguments, skip: int) -> None:
    """Give a function what a partial call of it has, which somebody calls later.

    Args:
        engine: the project.
        function: what is called then.
        given: the arguments of the partial call.
        skip: how many parameters are given otherwise: 1 for a method of an object.
    """
    target = function.body
    for at, parameter in enumerate(target.record.parameters):
        place = at - skip if parameter.kind in ("", "/") else -1
        is_placed = 0 <= place < len(given.positional)
        value = given.positional[place] if is_placed else given.named.get(parameter.name)
        if value is not None:
            target.parameters[at].grow(value, engine.work)


def _give(engine: Engine, body: Body, target: Body, given: Arguments, skip: int) -> None:
    """Store what a call gives in the parameters of a function."""
    taken: set[str] = set()
    place = -skip
    for at, parameter in enumerate(target.record.parameters):
        kind = parameter.kind
        if kind == "*":
            _give_rest(engine, target, given, place)
        elif kind == "**":
            _give_more(engine, body, target, given, taken)
        else:
            if at >= skip:
                taken.add(parameter.name)
                target.parameters[at].grow(_given(engine, body, target, at, given, skip), engine.work)
            place += kind != "="


def _given(engine: Engine, body: Body, target: Body, at: int, given: Arguments, skip: int) -> Value:
    """Return what a parameter is given, its default where it may be left out."""
    parameter = target.record.parameters[at]
    place = at - skip if parameter.kind != "=" else -1
    if 0 <= place < len(given.positional):
        return given.positional[place]
    if parameter.kind != "/" and parameter.name in given.named:
        return given.named[parameter.name]
    found = given.more_positional if place >= 0 else BOTTOM
    found = join(found, given.more_named)
    for one in given.named_mappings:
        found = join(found, engine.entry(body, one, parameter.name))
    if parameter.default >= 0:
        found = join(found, default_of(target, at).read(body))
    return found


def default_of(target: Body, at: int) -> Slot:
    """Return the slot for the default of a parameter."""
    found = target.defaults.get(at)
    if found is None:
        found = target.defaults[at] = Slot()
    return found


def _give_rest(engine: Engine, target: Body, given: Arguments, place: int) -> None:
    """Give a function what a call has by place beyond its parameters."""
    made = engine.container(target, -1, "tuple", 0, 1)
    for value in given.positional[max(place, 0) :]:
        made.element.grow(value, engine.work)
    made.element.grow(given.more_positional, engine.work)


def _give_more(engine: Engine, body: Body, target: Body, given: Arguments, taken: set[str]) -> None:
    """Give a function what a call has by names that it has no parameters for."""
    made = engine.container(target, -1, "dict", 0, 2)
    made.keys.grow(_ANY_TEXT, engine.work)
    for name, value in given.named.items():
        if name not in taken:
            engine.put(made, name, value)
    made.element.grow(given.more_named, engine.work)
    made.rest.grow(given.more_named, engine.work)
    for one in given.named_mappings:
        one.keys.read(body)
        for name, slot in list(one.entries.items()):
            if name not in taken:
                engine.put(made, name, slot.read(body))
