"""What calls give, by what is called: functions and classes of the project, methods, objects, APIs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.effect import Result
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE
from overhead_lint.analysis.ir.queries import bound
from overhead_lint.analysis.values.api_calls import call_api, presumed_call
from overhead_lint.analysis.values.arguments import Arguments, arguments_of, pass_to
from overhead_lint.analysis.values.attributes import instance_attribute, promised_attribute, set_attribute
from overhead_lint.analysis.values.classes import REGISTERING
from overhead_lint.analysis.values.elsewhere import CALLED, INSTANCE_OF, Elsewhere, with_presumed
from overhead_lint.analysis.values.holders import Container, Partial, RecordClass
from overhead_lint.analysis.values.lattice import (
    ANY_TENSOR,
    ANYTHING,
    BOTTOM,
    CONTEXT,
    DEVICES,
    FUNCTION,
    KINDS,
    MANY,
    MAPPING,
    MODULE,
    NOTHING,
    OPEN,
    SEQUENCE,
    TENSOR,
    UNKNOWN,
    Value,
    beyond,
    join,
    keys_in,
    of_bits,
)
from overhead_lint.analysis.values.promises import within
from overhead_lint.analysis.values.symbols import Api, Bound, ClassSymbol, FunctionSymbol, Instance
from overhead_lint.analysis.values.usage import is_used_as_tensor

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from overhead_lint.analysis.values.engine import Engine
    from overhead_lint.analysis.values.reference import Reference
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["call", "construct", "run"]

_NAMED_TUPLES: Final = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})
_DEEPEST: Final = 6
"""Objects by way of each other that one call calls: the ``__call__`` of a ``__call__``, and so on."""


def call(engine: Engine, body: Body, at: int) -> Value:
    """Return what a call operation gives, and give its arguments to the functions that it calls."""
    record = body.record
    function = record.operand[at]
    called = body.values[function]
    if not called.bits & KINDS:
        return BOTTOM
    found = BOTTOM
    others: list[Reference] = []
    for one in called.references:
        symbol = one.function if isinstance(one, Bound) else one
        if isinstance(symbol, FunctionSymbol) and not symbol.body.passes and not engine.is_committing:
            engine.commits(body, at)  # what it is given matters only then
            found = join(found, _result(body, symbol))
        else:
            others.append(one)
    if not others and not called.bits & UNKNOWN:
        return join(found, beyond(called.bits))
    function = bound(record, function)
    name = ""
    receiver = BOTTOM
    if record.code[function] == ATTRIBUTE:
        name = record.extra[function]
        receiver = body.values[record.operand[function]]
    given = arguments_of(body, at, receiver)
    if name in REGISTERING:
        _register(engine, body, at, given)
    for one in others:
        found = join(found, call_reference(engine, body, at, one, given, 0))
    if called.bits & UNKNOWN:
        found = with_presumed(called, found, presumed_call(engine, body, at, name, given))
    found = join(found, beyond(called.bits & ~UNKNOWN))
    if found.bits & UNKNOWN and not found.bits & MANY and is_used_as_tensor(engine.linker, body, at):
        return engine.as_tensor(found)
    return found


def _register(engine: Engine, body: Body, at: int, given: Arguments) -> None:
    """Store what is registered under a name: buffers and parameters are moved with their module."""
    if not engine.commits(body, at):
        return
    stored = given.at(1, "default", "module", "param", "tensor")
    if stored.bits & TENSOR:
        stored = Value(stored.bits | DEVICES, stored.references)
    for key in keys_in(given.at(0, "name")):
        if isinstance(key, str):
            set_attribute(engine, body, given.receiver, key, stored)


def call_reference(
    engine: Engine, body: Body, at: int, called: Reference, given: Arguments, depth: int
) -> Value:
    """Return what a call of one thing gives.

    Args:
        engine: the project.
        body: the body that calls.
        at: the call.
        called: what is called.
        given: the arguments.
        depth: how many calls have led to this one.
    """
    if isinstance(called, FunctionSymbol):
        return run(engine, body, called, given, 0)
    if isinstance(called, Bound):
        return run(engine, body, called.function, given, 1)
    if isinstance(called, ClassSymbol):
        return construct(engine, body, called, given)
    if isinstance(called, Api):
        if called.effect.returns is Result.CALLED:
            return _call_factory(engine, body, at, called, given, depth)
        return call_api(engine, body, at, called, given)
    if isinstance(called, Instance):
        return _call_instance(engine, body, at, called, given, depth)
    if isinstance(called, Partial):
        return _call_partial(engine, body, at, called, given, depth)
    if isinstance(called, RecordClass):
        return engine.record(body, at, _fields_of(called.names, given))
    if isinstance(called, Elsewhere):
        return _call_elsewhere(engine, called)
    if isinstance(called, Container) and called.kind.startswith("torch."):
        return of_bits(ANY_TENSOR)
    return BOTTOM


def run(engine: Engine, body: Body, function: FunctionSymbol, given: Arguments, skip: int) -> Value:
    """Return what a function of the project gives.

    Args:
        engine: the project.
        body: the body that calls it.
        function: the function.
        given: the arguments.
        skip: how many parameters it is given otherwise: 1 for a method of an object.
    """
    return _result(body, function, pass_to(engine, body, function, given, skip))


def _result(body: Body, function: FunctionSymbol, given_back: Sequence[Value] = ()) -> Value:
    """Return what a function of the project gives, some of it as it was given."""
    found = function.body.returned.read(body)
    for value in given_back:
        found = join(found, value)
    if function.body.promised.bits:
        found = within(found, function.body.promised)
    if function.makes_context and found.bits:
        return Value(CONTEXT, found.references)
    return found


def construct(engine: Engine, body: Body, cls: ClassSymbol, given: Arguments) -> Value:
    """Return an object of a class of the project, whose constructor is given the arguments."""
    for one in cls.resolution_order:
        cell = one.body.cells.get("__init__") if isinstance(one, ClassSymbol) else None
        if cell is not None:
            own = Arguments(given.call, given.positional, given.named, Value(cls.kind, (cls.exact,)))
            own.more_positional, own.more_named = given.more_positional, given.more_named
            own.named_mappings = given.named_mappings
            for function in cell.read(body).references:
                if isinstance(function, FunctionSymbol):
                    pass_to(engine, body, function, own, 1)
            break
    else:
        if engine.commits(body, given.call):
            _set_fields(engine, cls, given)
    if any(isinstance(one, Api) and one.path in _NAMED_TUPLES for one in cls.bases):
        return engine.record(body, given.call, _promised_fields(engine, cls, given), cls)
    bits = cls.kind | OPEN if cls.kind & (SEQUENCE | MAPPING) else cls.kind
    return Value(bits, (cls.exact,))


def _fields_of(names: Iterable[str], given: Arguments) -> dict[str, Value]:
    """Return what a named tuple with some fields is made of."""
    rest = join(given.more_positional, given.more_named)
    return {
        name: join(given.at(place, name), BOTTOM if rest.bits else NOTHING)
        for place, name in enumerate(names)
    }


def _promised_fields(engine: Engine, cls: ClassSymbol, given: Arguments) -> dict[str, Value]:
    """Return what a named tuple of a class is made of, as far as its annotations let it be that."""
    names = list(cls.body.record.annotations)
    found = {}
    for name, value in _fields_of(names, given).items():
        told = promised_attribute(engine, cls, name)
        found[name] = within(value, told) if told.bits else value
    return found


def _set_fields(engine: Engine, cls: ClassSymbol, given: Arguments) -> None:
    """Store what an object is made with that has no constructor of its own: a dataclass, or its kin."""
    names: dict[str, ClassSymbol] = {}
    for one in reversed(cls.resolution_order):
        if isinstance(one, ClassSymbol):
            names.update(dict.fromkeys(one.body.record.annotations, one))
    for name, value in [*zip(names, given.positional, strict=False), *given.named.items()]:
        if name in names:
            names[name].field(name).grow(value, engine.work)
    rest = join(given.more_positional, given.more_named)
    for name in names if rest.bits else ():
        names[name].field(name).grow(rest, engine.work)


def _call_instance(
    engine: Engine, body: Body, at: int, instance: Instance, given: Arguments, depth: int
) -> Value:
    """Return what a call of an object gives: of its ``forward`` if it is a module."""
    cls = instance.cls
    if isinstance(cls, Api):
        called = cls.effect.called
        if called is Result.TENSOR and cls is not engine.nn_module:
            return of_bits(ANY_TENSOR)
        if called is Result.TENSORS:
            return engine.sequence(body, at, "tuple", of_bits(ANY_TENSOR))
        if called is Result.ARGUMENTS and given.positional:
            return given.positional[0]
        return ANYTHING
    if depth > _DEEPEST:
        return ANYTHING
    names = ("__call__", "forward") if cls.kind & MODULE else ("__call__",)
    for name in names:
        for one in cls.resolution_order:
            if isinstance(one, ClassSymbol) and name in one.own:
                method = instance_attribute(engine, body, instance, name)
                own = Arguments(given.call, given.positional, given.named, Value(cls.kind, (instance,)))
                own.more_positional, own.more_named = given.more_positional, given.more_named
                own.named_mappings = given.named_mappings
                found = BOTTOM
                for reference in method.references:
                    found = join(found, call_reference(engine, body, at, reference, own, depth + 1))
                return join(found, beyond(method.bits))
    return ANYTHING


def _call_factory(engine: Engine, body: Body, at: int, api: Api, given: Arguments, depth: int) -> Value:
    """Return what a field of a class is where nobody gives it: what its factory gives, or its default."""
    factories = [given.named[name] for name in api.effect.calls if name in given.named]
    if not factories or depth > _DEEPEST:
        default = given.at(0, "default")
        return default if default.bits else ANYTHING
    found = BOTTOM
    for factory in factories:
        found = join(found, beyond(factory.bits))
        for one in factory.references:
            own = Arguments(given.call, [], {}, BOTTOM)
            found = join(found, call_reference(engine, body, at, one, own, depth + 1))
    return found


def _call_elsewhere(engine: Engine, called: Elsewhere) -> Value:
    """Return what a call of something gives that another file defines, else what its name tells."""
    found = engine.step(called, CALLED)
    if not found.bits & UNKNOWN or called.is_part or CALLED in called.path or INSTANCE_OF in called.path:
        return found
    cls = engine.linker.api(called.path)
    bits = cls.bits
    if cls.name == "from_pretrained" and "Model" in cls.path:
        return engine.any_module
    return Value(bits, (*found.references, cls.instance)) if bits else found


def _call_partial(
    engine: Engine, body: Body, at: int, partial: Partial, given: Arguments, depth: int
) -> Value:
    """Return what a function gives of which some arguments were given before."""
    named = {name: slot.read(body) for name, slot in partial.named.items()}
    named.update(given.named)
    positional = [*[slot.read(body) for slot in partial.positional], *given.positional]
    own = Arguments(given.call, positional, named, BOTTOM)
    own.more_positional, own.more_named = given.more_positional, given.more_named
    own.named_mappings = given.named_mappings
    found = BOTTOM
    function = partial.function.read(body)
    if depth > _DEEPEST or function.bits & KINDS & ~FUNCTION:
        found = ANYTHING
    found = join(found, beyond(function.bits))
    for one in function.references:
        if depth <= _DEEPEST:
            found = join(found, call_reference(engine, body, at, one, own, depth + 1))
    return found
