"""Evaluates the bodies of a project until nothing changes any more: bottom first, then what nobody gives.

A body is evaluated as a whole, and again when something grows that it read. The result is the least solution,
so it does not hang on the order. Some steps are made for all bodies at once when everything has come to rest,
since what they ask is true of fewer things the more is known: operations act on what they refer to, which may
turn out to be too many things; parameters of what is never called are opened; then what is read and bottom.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, ITEM, NEXT, UNPACK
from overhead_lint.analysis.ir.queries import operands
from overhead_lint.analysis.values.engine import Engine
from overhead_lint.analysis.values.evaluation import commit, evaluate
from overhead_lint.analysis.values.lattice import ANYTHING, Value
from overhead_lint.analysis.values.opening import open_all, open_rest, unfilled
from overhead_lint.analysis.values.ordering import first_order
from overhead_lint.analysis.values.preparation import prepare
from overhead_lint.analysis.values.slots import OPERATION, OPERATION_BITS

if TYPE_CHECKING:
    from collections.abc import Callable

    from overhead_lint.analysis.values.elsewhere import Others
    from overhead_lint.analysis.values.linker import Linker
    from overhead_lint.analysis.values.slots import Slot
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["solve_bodies"]

_TAKING: Final = frozenset({ATTRIBUTE, ITEM, NEXT, UNPACK})
"""Operations that take something of a value: of some things nobody knows what that is."""


def solve_bodies(
    linker: Linker,
    order: Callable[[list[Body]], list[Body]] | None = None,
    others: Others | None = None,
) -> Engine:
    """Find out what the operations of all bodies may give.

    Args:
        linker: the project, with its classes described.
        order: in which order to evaluate what waits; for tests, since the result does not hang on it.
        others: what is known of files that are not solved; None where all of the project are.

    Returns:
        The engine, whose linker holds the bodies with their values.
    """
    engine = Engine(linker, others)
    for body in linker.bodies:
        prepare(engine, body)
    for body in first_order(linker):
        engine.work.add(body)
    _drain(engine, order)
    open_all(engine)
    _drain(engine, order)
    open_rest(engine)
    _drain(engine, order)
    while waiting := unfilled(linker):
        for slot in waiting:
            slot.grow(ANYTHING, engine.work)
        _drain(engine, order)
    while _fill(engine):
        _drain(engine, order)
    return engine


def _fill(engine: Engine) -> bool:
    """Let what is taken of values be anything where it gives nothing, and return whether there was some."""
    found = False
    for body in engine.linker.bodies:
        values, record = body.values, body.record
        for at in body.active:
            if values[at].bits or record.code[at] not in _TAKING:
                continue
            if all(values[one].bits for one in operands(record, at)):
                values[at] = ANYTHING
                body.dirty.update(body.uses[at])
                engine.work.add(body)
                found = True
    return found


def _drain(engine: Engine, order: Callable[[list[Body]], list[Body]] | None) -> None:
    """Evaluate what waits until all is at rest, and what operations do then to what they refer to."""
    work = engine.work
    while work.waiting or engine.pending:
        while work.waiting:
            batch = work.waiting
            work.waiting = []
            for body in order(batch) if order is not None else batch:
                body.is_waiting = False
                evaluate(engine, body)
        pending = engine.pending
        engine.pending = {}
        stores: list[tuple[Slot, Value]] = []
        work.deferred = stores
        engine.is_committing = True
        for key in pending:
            commit(engine, work.bodies[key >> OPERATION_BITS], key & OPERATION)
        engine.is_committing = False
        work.deferred = None
        for slot, value in stores:
            slot.grow(value, work)
