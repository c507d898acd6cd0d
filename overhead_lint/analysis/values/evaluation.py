"""Evaluates the operations of one body: all of them once, then those that have something new to go by."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, BIND, CALL, COPY, PHI
from overhead_lint.analysis.values.lattice import BOTTOM, NOTHING, SEQUENCE, Value, join
from overhead_lint.analysis.values.narrowing import RESULT, narrowed
from overhead_lint.analysis.values.operations import HANDLERS

if TYPE_CHECKING:
    from overhead_lint.analysis.values.engine import Engine
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["commit", "evaluate"]

_SAME: Final = frozenset({BIND, COPY})
"""Operations that give their operand as it is."""
_STRICT: Final = frozenset({ATTRIBUTE, CALL})
"""Operations that give nothing, and do nothing, while nothing is known of their operand.

So are most of a function while nobody has given it arguments, which is when all of it is evaluated.
"""


def evaluate(engine: Engine, body: Body) -> None:
    """Evaluate the operations of a body: all the first time, then those that have something new to go by."""
    is_new = not body.is_evaluated
    if is_new:
        body.is_evaluated = True
        _evaluate_all(engine, body)
    if body.dirty:
        is_new = _evaluate_dirty(engine, body) or is_new
    if is_new:
        _publish(engine, body)


def _evaluate_all(engine: Engine, body: Body) -> None:
    """Evaluate all operations in order."""
    codes, values, refined, operand = body.record.code, body.values, body.refined, body.record.operand
    for at in body.active:
        code = codes[at]
        if at in refined:
            body.at = at
            values[at] = _evaluate_refined(engine, body, at)
        elif code in _SAME:
            values[at] = values[operand[at]]
        elif code not in _STRICT or values[operand[at]].bits:
            body.at = at
            values[at] = HANDLERS[code](engine, body, at)


def _evaluate_dirty(engine: Engine, body: Body) -> bool:
    """Evaluate the operations that have something new to go by, and return whether any gives more."""
    codes, values, refined, dirty = body.record.code, body.values, body.refined, body.dirty
    uses = body.uses
    has_grown = False
    while dirty:
        heap = sorted(dirty)
        while heap:
            at = heappop(heap)
            dirty.discard(at)
            body.at = at
            if at in refined:
                new = _evaluate_refined(engine, body, at)
            else:
                new = HANDLERS[codes[at]](engine, body, at)
            old = values[at]
            if new is old:
                continue
            new = join(old, new)
            if new is old:
                continue
            values[at] = new
            has_grown = True
            users = uses[at]
            while users:
                more: list[int] = []
                for user in users:
                    if codes[user] in _SAME and user not in refined:
                        values[user] = new
                        more += uses[user]
                    elif user not in dirty:
                        dirty.add(user)
                        heappush(heap, user)
                users = more
    return has_grown


def commit(engine: Engine, body: Body, at: int) -> None:
    """Let an operation act on what it refers to."""
    body.at = at
    if at in body.refined:
        _evaluate_refined(engine, body, at)
    else:
        HANDLERS[body.record.code[at]](engine, body, at)


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
