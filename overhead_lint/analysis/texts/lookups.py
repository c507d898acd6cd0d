"""What operations look something up by: subscripts, comparisons, and methods of mappings and sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    CALL,
    COMPARE,
    CONSTANT,
    DELETE_ITEM,
    FORMAT,
    ITEM,
    SET_ITEM,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.analysis.ir.records import FunctionIR

__all__ = ["LOOKUPS", "is_lookup", "looked_up_by"]

LOOKUPS: Final = frozenset({"get", "pop", "setdefault"})
"""Methods of mappings that are given a key first."""
_COMPARED: Final = frozenset({"==", "!=", "in", "not in"})


def looked_up_by(record: FunctionIR, at: int) -> Sequence[int]:
    """Return the operations that give what an operation looks something up by."""
    code, extra = record.code[at], record.extra[at]
    if code in (ITEM, DELETE_ITEM):
        return (extra,)
    if code == SET_ITEM:
        return (extra[0],)
    if code == COMPARE:
        return _compared(record, at)
    return (extra[0][0],) if code == CALL and is_lookup(record, at) else ()


def is_lookup(record: FunctionIR, at: int) -> bool:
    """Whether a call looks up its first argument in a mapping, or makes it a member of a set."""
    function = record.operand[at]
    if record.code[function] != ATTRIBUTE or not record.extra[at][0]:
        return False
    return record.extra[function] in LOOKUPS


def _compared(record: FunctionIR, at: int) -> Sequence[int]:
    """Return the sides of a comparison that something is sought or told apart by."""
    others, operators = record.extra[at]
    if len(others) != 1 or operators[0] not in _COMPARED:
        return ()
    left, right = record.operand[at], others[0]
    if operators[0] in ("in", "not in"):
        return (left,) if record.code[right] not in (CONSTANT, FORMAT) else ()
    return () if CONSTANT in (record.code[left], record.code[right]) else (left, right)
