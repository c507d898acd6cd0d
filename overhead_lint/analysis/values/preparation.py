"""Finds what of a body hangs on no value: constants, uses, tests, told parameters, ways to return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BIND,
    BUILD,
    CALL,
    CLASS,
    CONSTANT,
    COPY,
    DELETE_ATTRIBUTE,
    DELETE_ITEM,
    EXCEPTION,
    EXIT,
    FORMAT,
    FUNCTION,
    MATCH,
    PARAMETER,
    PHI,
    RAISE,
    RETURN,
    SLICE,
    STAR,
    UNBOUND,
)
from overhead_lint.analysis.ir.opcodes import (
    UNKNOWN as UNKNOWN_CODE,
)
from overhead_lint.analysis.ir.queries import WITH_MORE, WITHOUT_OPERAND, bound, operands
from overhead_lint.analysis.ir.records import NONE
from overhead_lint.analysis.values.annotations import promised
from overhead_lint.analysis.values.classes import is_autograd_function
from overhead_lint.analysis.values.lattice import (
    ANY_TENSOR,
    BOTTOM,
    MAPPING,
    OPEN,
    SEQUENCE,
    TENSOR,
    TEXT,
    UNKNOWN,
    VARIES,
    Value,
    of_bits,
)
from overhead_lint.analysis.values.narrowing import refine
from overhead_lint.analysis.values.operations import HANDLERS
from overhead_lint.analysis.values.symbols import ClassSymbol, FunctionSymbol

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.records import Annotation, FunctionIR
    from overhead_lint.analysis.values.engine import Engine
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["prepare"]


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
_DEFINING: Final = frozenset({CLASS, FUNCTION})
_ANY_TEXT: Final = of_bits(TEXT | VARIES)


def prepare(engine: Engine, body: Body) -> None:
    """Note what of a body does not hang on any value."""
    record = body.record
    values = body.values
    active = body.active
    body.has_stars = STAR in record.code
    uses, operand, extra = body.uses, record.operand, record.extra
    for at, code in enumerate(record.code):
        if code == PARAMETER:
            body.parameter_values.setdefault(record.operand[at], at)
        if code == CONSTANT:
            values[at] = engine.constant(extra[at])
            continue
        if code in _ONCE:
            values[at] = HANDLERS[code](engine, body, at)
            continue
        active.append(at)
        if code in WITH_MORE or code in _DEFINING:
            _note_uses(body, at, code)
        elif code not in WITHOUT_OPERAND:
            one = operand[at]
            if one >= 0:
                uses[one].append(at)
                if one > at:
                    body.dirty.add(at)
    refine(engine.linker, body)
    if body.is_function:
        _tell_parameters(engine, body)
        if not record.is_generator:
            _divide_returns(body)
            if record.returns is not None:
                body.promised = _promised_result(engine, body, record.returns)


def _note_uses(body: Body, at: int, code: int) -> None:
    """Note an operation with those that it is evaluated from.

    If it is evaluated before one of them, it is to be evaluated again: a phi, and what was made while another
    block was lowered.
    """
    record, uses = body.record, body.uses
    for operand in operands(record, at):
        uses[operand].append(at)
        if operand > at:
            body.dirty.add(at)
    if code == CALL:
        function = bound(record, record.operand[at])
        if record.code[function] == ATTRIBUTE:  # a method goes by what it is read on
            uses[record.operand[function]].append(at)
    elif code in _DEFINING:
        defined = body.module.bodies[record.operand[at]].record
        for one in (*defined.decorators, *(parameter.default for parameter in defined.parameters)):
            if one >= 0:
                uses[one].append(at)


def _tell_parameters(engine: Engine, body: Body) -> None:
    """Note what parameters are told to be, and what a method's first one is."""
    symbol = body.symbol
    assert isinstance(symbol, FunctionSymbol)
    is_gradient = symbol.name == "backward" and symbol.cls is not None and is_autograd_function(symbol.cls)
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
            if is_gradient:
                made.element.grow(of_bits(ANY_TENSOR), engine.work)
        elif parameter.kind == "**":
            made = engine.container(body, -1, "dict", 0, 2)
            made.keys.grow(_ANY_TEXT, engine.work)
            told = Value(MAPPING, (made,))
            fixed.add(place)
        elif place and is_gradient:
            told = told if told.bits else of_bits(ANY_TENSOR)
        elif place == 0 and symbol.cls is not None and not symbol.is_static:
            cls = symbol.cls
            told = cls.value if symbol.of_class else _object_of(cls)
            fixed.add(place)
        body.told[place] = told
    body.fixed = frozenset(fixed)


def _promised_result(engine: Engine, body: Body, said: Annotation) -> Value:
    """Return what a function is annotated to give; bottom where that says nothing, or something wrong.

    A wrong annotation is common where one value became several.
    """
    record = body.record
    found = promised(engine, body, said, f"{body.symbol.order} result")
    if found.bits & UNKNOWN:
        return BOTTOM
    given = [record.operand[at] for at in record.returned if record.operand[at] >= 0]
    is_pair = any(record.code[at] == BUILD and record.extra[at][0] == "tuple" for at in given)
    return BOTTOM if is_pair and found.bits & TENSOR else found


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
