"""Evaluates the bodies of a project until nothing changes any more: bottom first, then what nobody gives.

A body is evaluated as a whole, and again when something grows that it read. The result is the least solution,
so it does not hang on the order. Some steps are made for all bodies at once when everything has come to rest,
since what they ask is true of fewer things the more is known: operations act on what they refer to, which may
turn out to be too many things; parameters of what is never called are opened; then what is read and bottom.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import (
    BIND,
    CONSTANT,
    COPY,
    DELETE_ATTRIBUTE,
    DELETE_ITEM,
    EXCEPTION,
    EXIT,
    FORMAT,
    MATCH,
    PARAMETER,
    PHI,
    RAISE,
    RETURN,
    SLICE,
    UNBOUND,
)
from overhead_lint.analysis.ir.opcodes import (
    UNKNOWN as UNKNOWN_CODE,
)
from overhead_lint.analysis.ir.records import NONE
from overhead_lint.analysis.values.annotations import promised
from overhead_lint.analysis.values.arguments import default_of
from overhead_lint.analysis.values.engine import Engine
from overhead_lint.analysis.values.lattice import (
    ANYTHING,
    BOTTOM,
    KINDS,
    MAPPING,
    NONE_TYPE,
    NOTHING,
    NUMBERS,
    OPEN,
    SEQUENCE,
    TEXT,
    VARIES,
    Value,
    join,
    of_bits,
)
from overhead_lint.analysis.values.narrowing import RESULT, narrowed, refine
from overhead_lint.analysis.values.operations import HANDLERS, constant_value
from overhead_lint.analysis.values.symbols import ClassSymbol, FunctionSymbol

if TYPE_CHECKING:
    from collections.abc import Callable

    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.values.linker import Linker
    from overhead_lint.analysis.values.slots import Slot
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["Order", "solve_bodies"]

Order = "Callable[[list[Body]], list[Body]]"

_ONCE: Final = frozenset(
    {
        DELETE_ATTRIBUTE,
        DELETE_ITEM,
        EXCEPTION,
        EXIT,
        FORMAT,
        MATCH,
        RAISE,
        SLICE,
        UNBOUND,
        UNKNOWN_CODE,
    }
)
"""Operations whose values hang on nothing."""
_MOST_ROUNDS: Final = 12
"""How often the operations of a body are gone over in one evaluation; after that it waits its turn."""
_ANY_TEXT: Final = of_bits(TEXT | VARIES)


def solve_bodies(linker: Linker, order: Callable[[list[Body]], list[Body]] | None = None) -> Engine:
    """Find out what the operations of all bodies may give.

    Args:
        linker: the project, with its classes described.
        order: in which order to evaluate what waits; for tests, since the result does not hang on it.

    Returns:
        The engine, whose linker holds the bodies with their values.
    """
    engine = Engine(linker)
    for body in linker.bodies:
        _prepare(engine, body)
    for body in sorted(linker.bodies, key=lambda one: one.is_function):
        engine.work.add(body)
    _drain(engine, order)
    for body in [one for one in linker.bodies if one.is_function]:
        if body.is_called:
            _open_missing(engine, body)
        else:
            _open(engine, body)
    for body in linker.bodies:
        if isinstance(body.symbol, ClassSymbol):
            _open_fields(engine, body.symbol)
    _drain(engine, order)
    while waiting := [slot for slot in _slots(linker) if slot.readers and not slot.value.bits & KINDS]:
        for slot in waiting:
            slot.grow(ANYTHING, engine.work)
        _drain(engine, order)
    return engine


def _drain(engine: Engine, order: Callable[[list[Body]], list[Body]] | None) -> None:
    """Evaluate what waits until all is at rest, and what operations do then to what they refer to."""
    work = engine.work
    while work.waiting or engine.pending:
        while work.waiting:
            batch = work.waiting
            work.waiting = []
            for body in order(batch) if order is not None else batch:
                body.is_waiting = False
                _evaluate(engine, body)
        pending = engine.pending
        engine.pending = {}
        engine.is_committing = True
        for body, at in pending:
            _commit(engine, body, at)
        engine.is_committing = False


def _commit(engine: Engine, body: Body, at: int) -> None:
    """Let an operation act on what it refers to."""
    if at in body.refined:
        _evaluate_refined(engine, body, at)
    else:
        HANDLERS[body.record.code[at]](engine, body, at)


# Before


def _prepare(engine: Engine, body: Body) -> None:
    """Note what of a body does not hang on any value."""
    record = body.record
    values = body.values
    active = body.active
    for at, code in enumerate(record.code):
        if code == CONSTANT:
            values[at] = constant_value(record.extra[at])
        elif code in _ONCE:
            values[at] = HANDLERS[code](engine, body, at)
        else:
            active.append(at)
    refine(engine.linker, body)
    if body.is_function:
        _tell_parameters(engine, body)
        if not record.is_generator:
            _divide_returns(body)


def _tell_parameters(engine: Engine, body: Body) -> None:
    """Note what parameters are told to be, and what a method's first one is."""
    symbol = body.symbol
    assert isinstance(symbol, FunctionSymbol)
    fixed = set()
    for place, parameter in enumerate(body.record.parameters):
        order = f"{symbol.order} parameter {place}"
        told = BOTTOM
        if parameter.annotation is not None:
            told = promised(engine, body, parameter.annotation, order)
        if parameter.kind == "*":
            made = engine.container(body, -1, "tuple", 0, 1)
            told = Value(SEQUENCE, (made,))
            fixed.add(place)
        elif parameter.kind == "**":
            made = engine.container(body, -1, "dict", 0, 2)
            made.keys.grow(_ANY_TEXT, engine.work)
            told = Value(MAPPING, (made,))
            fixed.add(place)
        elif place == 0 and symbol.cls is not None and not symbol.is_static:
            cls = symbol.cls
            told = engine.symbol_value(cls) if symbol.of_class else _object_of(cls)
            fixed.add(place)
        body.told[place] = told
    body.fixed = frozenset(fixed)


def _object_of(cls: ClassSymbol) -> Value:
    bits = cls.kind | OPEN if cls.kind & (SEQUENCE | MAPPING) else cls.kind
    return Value(bits, (cls.instance,))


def _divide_returns(body: Body) -> None:
    """Divide what a function gives into its parameters as they are, which hang on the call, and all else."""
    record = body.record
    passes: set[int] = set()
    others: dict[int, None] = {}
    seen: set[int] = set()
    waiting = [at if at in body.refined else record.operand[at] for at in record.returned]
    if _runs_off_its_end(record):
        waiting.append(NONE)
    while waiting:
        at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        code = record.code[at] if at >= 0 else NONE
        if code == PARAMETER and record.parameters[record.operand[at]].kind not in ("*", "**"):
            passes.add(record.operand[at])
        elif code in (BIND, COPY) and at not in body.refined:
            waiting.append(record.operand[at])
        elif code == PHI and at not in body.refined:
            waiting += record.extra[at]
        else:
            others[at] = None
    body.passes = tuple(sorted(passes))
    body.returns = tuple(sorted(others))


def _runs_off_its_end(record: FunctionIR) -> bool:
    """Whether control may come to the end of a function without a ``return``."""
    for block in record.predecessors[1]:
        end = record.block_end[block]
        last = record.code[end - 1] if end > record.block_start[block] else NONE
        if last not in (RETURN, RAISE):
            return True
    return False


# Evaluation


def _evaluate(engine: Engine, body: Body) -> None:
    record = body.record
    codes, values, refined = record.code, body.values, body.refined
    has_loops = bool(record.loops)
    rounds = 0
    changed = True
    while changed:
        changed = False
        rounds += 1
        if rounds > _MOST_ROUNDS:
            engine.work.add(body)
            break
        for at in body.active:
            if at in refined:
                new = _evaluate_refined(engine, body, at)
            else:
                new = HANDLERS[codes[at]](engine, body, at)
            old = values[at]
            if new is not old and new != old:
                grown = join(old, new)
                if grown is not old and grown != old:
                    values[at] = grown
                    changed = has_loops
    _publish(engine, body)


def _evaluate_refined(engine: Engine, body: Body, at: int) -> Value:
    """Return what an operation gives that stands under tests: its operands are what these leave of them."""
    values = body.values
    record = body.record
    tests = body.refined[at]
    if record.code[at] == PHI:
        found = BOTTOM
        said = dict(tests)
        for place, way in enumerate(record.extra[at]):
            value = values[way]
            found = join(found, narrowed(value, said[place]) if place in said else value)
        return found
    saved = []
    for operand, about in tests:
        if operand != RESULT:
            saved.append((operand, values[operand]))
            values[operand] = narrowed(values[operand], about)
    found = HANDLERS[record.code[at]](engine, body, at)
    for operand, value in saved:
        values[operand] = value
    for operand, about in tests:
        if operand == RESULT:
            found = narrowed(found, about)
    return found


def _publish(engine: Engine, body: Body) -> None:
    """Store what a body's names hold for others, and what it gives."""
    record, values, work = body.record, body.values, engine.work
    for name, slot in body.cells.items():
        for at in record.stores.get(name, ()):
            slot.grow(values[at], work)
        for at in record.hidden_stores.get(name, ()):
            slot.grow(values[at], work)
    if not body.is_function:
        return
    if record.is_generator:
        body.returned.grow(Value(SEQUENCE, (engine.container(body, -1, "generator"),)), work)
        return
    for at in body.returns:
        body.returned.grow(values[at] if at >= 0 else NOTHING, work)


# What nobody gives


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
