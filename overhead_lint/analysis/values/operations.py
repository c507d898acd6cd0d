"""What each operation makes of its operands: one function a code."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir import opcodes as code
from overhead_lint.analysis.ir.opcodes import SLICE, STAR
from overhead_lint.analysis.values.arguments import Arguments, default_of, pass_to
from overhead_lint.analysis.values.arithmetic import binary, compare, unary
from overhead_lint.analysis.values.attributes import attribute, instance_attribute, set_attribute
from overhead_lint.analysis.values.calls import call, run
from overhead_lint.analysis.values.elsewhere import STARRED
from overhead_lint.analysis.values.engine import MOST_PARTS
from overhead_lint.analysis.values.holders import Container
from overhead_lint.analysis.values.iteration import item_at, items_of, part_of
from overhead_lint.analysis.values.lattice import (
    ANYTHING,
    BOOL,
    BOTTOM,
    CONTEXT,
    INSTANCE,
    KINDS,
    MANY,
    MAPPING,
    MODULE,
    NONE_TYPE,
    NOTHING,
    OBJECT,
    SEQUENCE,
    STREAM,
    TEXT,
    UNKNOWN,
    VARIES,
    Value,
    beyond,
    join,
    keys_in,
    of_bits,
)
from overhead_lint.analysis.values.narrowing import narrowed
from overhead_lint.analysis.values.slots import Slot
from overhead_lint.analysis.values.symbols import Bound, ClassSymbol, FunctionSymbol, Instance
from overhead_lint.analysis.values.usage import is_used_as_tensor

if TYPE_CHECKING:
    from overhead_lint.analysis.values.engine import Engine
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["HANDLERS"]

_OBJECT: Final = of_bits(OBJECT)
_TEXT: Final = of_bits(TEXT | VARIES)
_TRUTH: Final = of_bits(BOOL | VARIES)

Handler = Callable[["Engine", "Body", int], Value]


def _parameter(engine: Engine, body: Body, at: int) -> Value:
    return engine.parameter(body, body.record.operand[at])


def _outer(engine: Engine, body: Body, at: int) -> Value:
    if body.is_function and body.record.extra[at] in body.record.stores:
        return BOTTOM  # one of its own names that is not bound yet: reading it raises
    found = body.outer.get(at)
    if found is None:
        behind = engine.linker.outer(body, body.record.extra[at])
        if behind is None and engine.others is not None and "*" in body.module.bodies[0].record.stores:
            found = engine.others.value(f"{STARRED}{body.record.extra[at]}")
        else:
            found = behind if isinstance(behind, Slot) else engine.read(body, behind)
        body.outer[at] = found
    return found.read(body) if isinstance(found, Slot) else found


def _phi(engine: Engine, body: Body, at: int) -> Value:
    values = body.values
    found = BOTTOM
    for way in body.record.extra[at]:
        found = join(found, values[way])
    return found


def _same(engine: Engine, body: Body, at: int) -> Value:
    return body.values[body.record.operand[at]]


def _return(engine: Engine, body: Body, at: int) -> Value:
    given = body.record.operand[at]
    return body.values[given] if given >= 0 else NOTHING


def _attribute(engine: Engine, body: Body, at: int) -> Value:
    record = body.record
    return attribute(engine, body, at, body.values[record.operand[at]], record.extra[at])


def _set_attribute(engine: Engine, body: Body, at: int) -> Value:
    record = body.record
    name, value = record.extra[at]
    if engine.commits(body, at):
        set_attribute(engine, body, body.values[record.operand[at]], name, body.values[value])
    return NOTHING


def _item(engine: Engine, body: Body, at: int) -> Value:
    record = body.record
    index = record.extra[at]
    is_slice = record.code[index] == SLICE
    found = item_at(engine, body, at, body.values[record.operand[at]], body.values[index], is_slice=is_slice)
    return _by_use(engine, body, at, found)


def _by_use(engine: Engine, body: Body, at: int, found: Value) -> Value:
    """Return what an operation gives: a tensor if something unknown is used as only tensors are."""
    if found.bits & UNKNOWN and not found.bits & MANY and is_used_as_tensor(engine.linker, body, at):
        return engine.as_tensor(found)
    return found


def _set_item(engine: Engine, body: Body, at: int) -> Value:
    record = body.record
    if not engine.commits(body, at):
        return NOTHING
    index, stored = record.extra[at]
    value, key = body.values[stored], body.values[index]
    for one in body.values[record.operand[at]].references:
        if not isinstance(one, Container):
            continue
        if one.kind == "dict":
            for told in keys_in(key):
                engine.put(one, told, value)
            one.keys.grow(key, engine.work)
        else:
            if record.code[index] == SLICE:
                value = items_of(engine, body, at, value)
            one.element.grow(value, engine.work)
            one.grows.grow(NOTHING, engine.work)
    return NOTHING


def _boolean(engine: Engine, body: Body, at: int) -> Value:
    word, *parts = body.record.extra[at]
    values = body.values
    if word == "if":
        del parts[0]
    said = body.branches.get(at)
    found = BOTTOM
    for place, part in enumerate(parts):
        value = values[part]
        if said is not None and said[place]:
            value = narrowed(value, said[place])
        if word == "or" and part != parts[-1] and value.bits & NONE_TYPE:
            value = Value(value.bits & ~NONE_TYPE, value.references)
        found = join(found, value)
    return found


def _build(engine: Engine, body: Body, at: int) -> Value:
    record, values = body.record, body.values
    kind, *parts = record.extra[at]
    if kind == "dict":
        return _build_mapping(engine, body, at, parts)
    if kind == "dict of rounds":
        key = values[parts[0]] if parts else BOTTOM
        element = values[parts[1]] if len(parts) > 1 else BOTTOM
        return engine.mapping(body, at, key, element)
    if kind in ("list of rounds", "set of rounds", "generator"):
        return engine.sequence(body, at, kind.partition(" ")[0], values[parts[0]] if parts else BOTTOM)
    if any(record.code[part] == STAR for part in parts):
        made = engine.container(body, at, kind)
        for part in parts:
            value = values[part]
            if record.code[part] == STAR:
                value = items_of(engine, body, at, value)
            made.element.grow(value, engine.work)
        return Value(SEQUENCE, (made,))
    return engine.tuple_of(body, at, [values[part] for part in parts], 0, kind)


def _build_mapping(engine: Engine, body: Body, at: int, parts: list[int]) -> Value:
    values = body.values
    made = engine.container(body, at, "dict")
    is_wide = len(parts) > 2 * MOST_PARTS
    for place in range(0, len(parts), 2):
        key, value = parts[place], values[parts[place + 1]]
        if key < 0:
            for one in value.references:
                if isinstance(one, Container) and one.kind == "dict":
                    made.keys.grow(one.keys.read(body), engine.work)
                    for name, slot in list(one.entries.items()):
                        engine.put(made, name, slot.read(body))
                    engine.put(made, None, one.rest.read(body))
            engine.put(made, None, beyond(value.bits))
            continue
        for told in keys_in(values[key]):
            engine.put(made, None if is_wide else told, value)
        made.keys.grow(values[key], engine.work)
    return Value(MAPPING, (made,))


def _unpack(engine: Engine, body: Body, at: int) -> Value:
    record = body.record
    return _by_use(
        engine, body, at, part_of(engine, body, at, body.values[record.operand[at]], record.extra[at])
    )


def _next(engine: Engine, body: Body, at: int) -> Value:
    return _by_use(engine, body, at, items_of(engine, body, at, body.values[body.record.operand[at]]))


def _enter(engine: Engine, body: Body, at: int) -> Value:
    value = body.values[body.record.operand[at]]
    if not value.bits:
        return BOTTOM
    found = BOTTOM
    for one in value.references:
        if isinstance(one, Container):
            found = join(found, one.element.read(body))
        elif isinstance(one, Instance):
            found = join(found, _entered(engine, body, at, one, value))
    if value.bits & KINDS & ~(CONTEXT | STREAM | INSTANCE | MODULE | SEQUENCE):
        found = join(found, ANYTHING)
    return join(found, beyond(value.bits))


def _entered(engine: Engine, body: Body, at: int, instance: Instance, value: Value) -> Value:
    """Return what entering an object gives."""
    if not isinstance(instance.cls, ClassSymbol):
        return of_bits(OBJECT) if value.bits & (CONTEXT | STREAM | OBJECT) else ANYTHING
    method = instance_attribute(engine, body, instance, "__enter__")
    found = BOTTOM
    given = Arguments(at, [], {}, Value(instance.cls.kind, (instance,)))
    for one in method.references:
        if isinstance(one, Bound):
            found = join(found, run(engine, body, one.function, given, 1))
    return join(found, beyond(method.bits))


def _yield(engine: Engine, body: Body, at: int) -> Value:
    record = body.record
    given = record.operand[at]
    value = body.values[given] if given >= 0 else NOTHING
    if record.extra[at]:
        value = items_of(engine, body, at, value)
    engine.container(body, -1, "generator").element.grow(value, engine.work)
    return ANYTHING


def _function(engine: Engine, body: Body, at: int) -> Value:
    target = body.module.bodies[body.record.operand[at]]
    symbol = target.symbol
    assert isinstance(symbol, FunctionSymbol)
    for place, parameter in enumerate(target.record.parameters):
        if parameter.default >= 0:
            default_of(target, place).grow(body.values[parameter.default], engine.work)
    _register(engine, body, at, target, symbol.value)
    return BOTTOM if symbol.is_hidden else symbol.value


def _register(engine: Engine, body: Body, at: int, target: Body, value: Value) -> None:
    """Give what is decorated to decorators that give it back as it is: they may keep it in a table."""
    for decorator in target.record.decorators:
        for one in body.values[decorator].references:
            function, place = (one.function, 1) if isinstance(one, Bound) else (one, 0)
            if isinstance(function, FunctionSymbol) and place in function.body.passes:
                pass_to(engine, body, function, Arguments(at, [value], {}, BOTTOM), place)


def _class(engine: Engine, body: Body, at: int) -> Value:
    target = body.module.bodies[body.record.operand[at]]
    symbol = target.symbol
    assert isinstance(symbol, ClassSymbol)
    _register(engine, body, at, target, symbol.value)
    return symbol.value


def _import(engine: Engine, body: Body, at: int) -> Value:
    record = body.record
    path, name = record.extra[at]
    if name == "*":
        return NOTHING
    return engine.read(body, engine.linker.imported(body.module, record.operand[at], path, name))


def _store_outer(engine: Engine, body: Body, at: int) -> Value:
    record = body.record
    found = engine.linker.outer(body, record.extra[at])
    value = body.values[record.operand[at]]
    if isinstance(found, Slot):
        found.grow(value, engine.work)
    return value


def _binary(engine: Engine, body: Body, at: int) -> Value:
    record = body.record
    right, operator = record.extra[at]
    found = binary(engine, body, at, body.values[record.operand[at]], body.values[right], operator)
    return _by_use(engine, body, at, found)


def _compare(engine: Engine, body: Body, at: int) -> Value:
    record = body.record
    others, operators = record.extra[at]
    found = BOTTOM
    left = body.values[record.operand[at]]
    for other, operator in zip(others, operators, strict=True):
        right = body.values[other]
        found = join(found, compare(left, right, operator))
        left = right
    return _by_use(engine, body, at, found)


def _unary(engine: Engine, body: Body, at: int) -> Value:
    record = body.record
    return unary(body.values[record.operand[at]], record.extra[at])


def _fixed(value: Value) -> Handler:
    return lambda engine, body, at: value


HANDLERS: Final[list[Handler]] = [_fixed(NOTHING)] * len(code.NAMES)
"""What an operation gives, by its code."""
for _code, _handler in (
    (code.PARAMETER, _parameter),
    (code.OUTER, _outer),
    (code.PHI, _phi),
    (code.COPY, _same),
    (code.BIND, _same),
    (code.ATTRIBUTE, _attribute),
    (code.SET_ATTRIBUTE, _set_attribute),
    (code.ITEM, _item),
    (code.SET_ITEM, _set_item),
    (code.CALL, call),
    (code.BINARY, _binary),
    (code.COMPARE, _compare),
    (code.UNARY, _unary),
    (code.BOOLEAN, _boolean),
    (code.BUILD, _build),
    (code.FORMAT, _fixed(_TEXT)),
    (code.NEXT, _next),
    (code.UNPACK, _unpack),
    (code.ENTER, _enter),
    (code.YIELD, _yield),
    (code.AWAIT, _same),
    (code.FUNCTION, _function),
    (code.CLASS, _class),
    (code.IMPORT, _import),
    (code.EXCEPTION, _fixed(_OBJECT)),
    (code.RETURN, _return),
    (code.STAR, _same),
    (code.STORE_OUTER, _store_outer),
    (code.SLICE, _fixed(_OBJECT)),
    (code.MATCH, _fixed(_TRUTH)),
    (code.UNBOUND, _fixed(BOTTOM)),
    (code.UNKNOWN, _fixed(ANYTHING)),
):
    HANDLERS[_code] = _handler
