"""Places that training does not come to: behind ``if self.training:``, or behind ``mode == "train"``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.guards import guards_within
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, BOOLEAN, COMPARE, CONSTANT, UNARY
from overhead_lint.analysis.ir.queries import uncopied
from overhead_lint.analysis.ir.records import GUARD_BRANCH, NONE
from overhead_lint.analysis.vocabulary import TRAINING

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.names import Names
    from overhead_lint.analysis.ir.records import FunctionIR

__all__ = ["is_beside_training"]

_DEEPEST: Final = 8


def is_beside_training(names: Names, place: int, block: int) -> bool:
    """Whether a block of a function runs only where a mode is another than training."""
    flow = names.flow(place)
    guards = flow.record.guards
    return any(
        guards[one].kind == GUARD_BRANCH
        and _trains(flow.record, guards[one].condition, outcome=guards[one].outcome) is False
        for one in guards_within(flow, block, NONE)
    )


def _trains(record: FunctionIR, test: int, *, outcome: bool, depth: int = 0) -> bool | None:
    """Return whether training is on where a test has an outcome; None where it does not tell."""
    test = uncopied(record, test)
    code, extra = record.code[test], record.extra[test]
    if depth > _DEEPEST:
        return None
    if code == UNARY and extra == "not":
        return _trains(record, record.operand[test], outcome=not outcome, depth=depth + 1)
    if code == BOOLEAN and extra[0] == ("and" if outcome else "or"):
        told = (_trains(record, one, outcome=outcome, depth=depth + 1) for one in extra[1:])
        return next((one for one in told if one is not None), None)
    if code == ATTRIBUTE and extra == "training":
        return outcome
    if code == COMPARE and extra[1] in (("==",), ("!=",)):
        sides = (record.operand[test], extra[0][0])
        if any(record.code[one] == CONSTANT and record.extra[one] in TRAINING for one in sides):
            return outcome is (extra[1] == ("==",))
    return None
