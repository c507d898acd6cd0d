"""What can be asked of loops: what they are left for, and which names keep what a round gave them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BIND,
    BOOLEAN,
    COMPARE,
    CONSTANT,
    DELETE_ATTRIBUTE,
    OUTER,
    PARAMETER,
    SET_ATTRIBUTE,
    STORE_OUTER,
    UNARY,
)
from overhead_lint.analysis.ir.paths import ends_each_round, in_loop, runs_between
from overhead_lint.analysis.ir.queries import NAMED, made_of
from overhead_lint.analysis.ir.records import GUARD_BRANCH, WHILE_LOOP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.ir.queries import Flow

__all__ = ["is_left_once", "outlives_rounds"]


Place = tuple[int, int]
"""A block, and the number of an operation."""


def is_left_once(flow: Flow, loop: int, asked: int, at: Place) -> bool:
    """Whether a loop is left once a test in it is true: ``if done: save()`` before ``if done: break``.

    Nothing may change what is asked for from the one place to the other.

    Args:
        flow: the function.
        loop: the loop.
        asked: the value of the test.
        at: where it is asked.
    """
    ends = list(_ends(flow, loop))
    return any(
        _is_same(flow, part, end) and not runs_between(flow, at, where, _changes(flow, part))
        for part in (_joined(flow, asked, "and") if ends else ())
        for end, where in ends
    )


def outlives_rounds(flow: Flow, asked: int, name: str, loop: int) -> bool:
    """Whether a name keeps over the rounds of a loop what a test of it decides about.

    It is bound before the loop; in the loop only under that test, or to something made of itself:
    ``if kept is None: kept = ...``, ``kept = join(kept, new)``.
    """
    record = flow.record
    bindings = record.stores.get(name, [])
    is_bound_before = False
    for binding in bindings:
        block = flow.block_of(binding)
        if not in_loop(record, block, loop):
            is_bound_before = True
        elif not any(asked in made_of(record, guard.condition, NAMED) for guard in flow.guards_of(block)):
            parts = made_of(record, record.operand[binding], NAMED)
            if not any(not set(bindings).isdisjoint(flow.definitions(one)) for one in parts):
                return False
    return is_bound_before


def _ends(flow: Flow, loop: int) -> Iterator[tuple[int, Place]]:
    """Yield conditions for which a loop is left, each with where it is asked in each round that goes on."""
    record = flow.record
    header, value = record.loops[loop].header, record.loops[loop].value
    if record.loops[loop].kind == WHILE_LOOP and value >= 0:
        for part in _joined(flow, value, "and"):
            if record.code[part] == UNARY and record.extra[part] == "not":
                yield record.operand[part], (header, record.block_end[header])
    for block, number in enumerate(record.block_guard):
        if number < 0 or not in_loop(record, block, loop):
            continue
        guard = record.guards[number]
        if guard.kind != GUARD_BRANCH or not guard.outcome:
            continue
        if all(in_loop(record, one, loop) for one in flow.successors[block]):
            continue
        begun = record.block_guard.index(number)
        tested = record.predecessors[begun][0] if record.predecessors[begun] else begun
        if ends_each_round(flow, tested, loop):
            for part in _joined(flow, guard.condition, "or"):
                yield part, (tested, record.block_end[tested])


def _joined(flow: Flow, value: int, word: str) -> Iterator[int]:
    """Yield the sides of a condition that are joined by ``and``, or by ``or``."""
    extra = flow.record.extra[value] if flow.record.code[value] == BOOLEAN else None
    if extra is not None and extra[0] == word:
        for part in extra[1:]:
            yield from _joined(flow, part, word)
    else:
        yield value


def _is_same(flow: Flow, one: int, other: int) -> bool:
    """Whether two conditions ask the same of the same names, their attributes and constants alone."""
    record = flow.record
    code, extra, others = record.code[one], record.extra[one], record.extra[other]
    if code in NAMED or record.code[other] in NAMED:
        return _name(flow, one) == _name(flow, other) != ""
    if code != record.code[other]:
        return False
    if code == CONSTANT:
        return extra.__class__ is others.__class__ and bool(extra == others)
    if code not in (ATTRIBUTE, COMPARE, UNARY):
        return False
    if not _is_same(flow, record.operand[one], record.operand[other]):
        return False
    if code != COMPARE:
        return bool(extra == others)
    return bool(extra[1] == others[1]) and all(
        _is_same(flow, *pair) for pair in zip(extra[0], others[0], strict=True)
    )


def _name(flow: Flow, value: int) -> str:
    """Return the name that something was read by; "" for what has none, or more than one."""
    record = flow.record
    names = set()
    for one in flow.definitions(value):
        if record.code[one] == PARAMETER:
            names.add(record.parameters[record.operand[one]].name)
        elif record.code[one] in (BIND, OUTER):
            names.add(record.extra[one])
    return names.pop() if len(names) == 1 else ""


def _changes(flow: Flow, condition: int) -> list[int]:
    """Return the operations that bind names of a condition, or write to attributes so called."""
    record = flow.record
    parts = made_of(record, condition, NAMED)
    names = {_name(flow, part) for part in parts if record.code[part] in NAMED}
    attributes = {record.extra[part] for part in parts if record.code[part] == ATTRIBUTE}
    found = [binding for name in names for binding in record.stores.get(name, ())]
    for at, code in enumerate(record.code):
        if code == STORE_OUTER:
            is_change = record.extra[at] in names
        elif code == SET_ATTRIBUTE:
            is_change = record.extra[at][0] in attributes
        else:
            is_change = code == DELETE_ATTRIBUTE and record.extra[at] in attributes
        if is_change:
            found.append(at)
    return found
