"""Functions that run once an object, since what stands in for them keeps what they gave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.gates.access import Path, path_of
from overhead_lint.analysis.ir.opcodes import CALL, COMPARE, FUNCTION, OUTER, UNARY
from overhead_lint.analysis.ir.queries import bound, made_of, uncopied

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.records import FunctionIR, Guard

__all__ = ["memoizes"]


def memoizes(names: Names, place: int, decorator: int) -> bool:
    """Whether a decorator of the file has what it decorates run once an object, which keeps what it gave.

    What stands in for the function leaves at once with what ``getattr(self, key)`` gives, where that is
    there, and else calls ``setattr(self, key, ...)``.

    Args:
        names: the names of the file.
        place: the function that decorates, or the module.
        decorator: the decorator, or what makes it.
    """
    home, defined = names.source(place, decorator)
    record = names.functions[home]
    if record.code[defined] == CALL:
        home, defined = names.source(home, record.operand[defined])
        record = names.functions[home]
    if record.code[defined] != FUNCTION:
        return False
    maker = record.operand[defined]
    return any(
        _is_within(names, inner, maker) and _keeps_result(names, inner)
        for inner in range(len(names.functions))
    )


def _is_within(names: Names, inner: int, maker: int) -> bool:
    """Whether a function is defined in another."""
    inner = names.functions[inner].parent
    while inner > maker:
        inner = names.functions[inner].parent
    return inner == maker


def _keeps_result(names: Names, place: int) -> bool:
    """Whether a function gives what an attribute holds if that is there, and else sets it."""
    record, flow = names.functions[place], names.flow(place)
    kept = [_attribute(record, at) for at in range(len(record)) if _calls(record, at, "setattr")]
    for returned in record.returned if kept else ():
        value = record.operand[returned]
        read = bound(record, value) if value >= 0 else value
        if read >= 0 and _calls(record, read, "getattr") and _attribute(record, read) in kept:
            guard = next(flow.guards_of(flow.block_of(returned)), None)
            if guard is not None and guard.condition >= 0 and _is_there(record, guard, read):
                return True
    return False


def _calls(record: FunctionIR, at: int, name: str) -> bool:
    """Whether an operation is a call of a builtin function."""
    called = uncopied(record, record.operand[at]) if record.code[at] == CALL else -1
    return called >= 0 and record.code[called] == OUTER and record.extra[called] == name


def _attribute(record: FunctionIR, call: int) -> tuple[Path, ...]:
    """Return which attribute of what is given to ``getattr`` or ``setattr``."""
    return tuple([path_of(record, one) for one in record.extra[call][0][:2]])


def _is_there(record: FunctionIR, guard: Guard, value: int) -> bool:
    """Whether a guard lets pass where something is there: ``x is not None``, ``exists(x)``, ``x``."""
    asked, outcome = uncopied(record, guard.condition), guard.outcome
    while record.code[asked] == UNARY and record.extra[asked] == "not":
        asked, outcome = uncopied(record, record.operand[asked]), not outcome
    if record.code[asked] == COMPARE and record.extra[asked][1] == ("is",):
        outcome = not outcome
    return outcome and value in made_of(record, asked)
