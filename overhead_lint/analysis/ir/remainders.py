"""What remains of a division: ``i % n``, and what tests ask of that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.opcodes import BINARY, BOOLEAN, COMPARE, UNARY
from overhead_lint.analysis.ir.queries import bound
from overhead_lint.analysis.ir.records import NONE

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.records import FunctionIR

__all__ = ["is_modulo", "modulo_asked"]


def is_modulo(record: FunctionIR, value: int) -> bool:
    """Whether an operation is ``%``; of texts it may be one, too."""
    return record.code[value] == BINARY and record.extra[value][1] == "%"


def modulo_asked(record: FunctionIR, test: int, outcome: bool) -> int:
    """Return the ``%`` that has one value where a test has an outcome: ``i % n == 0``; `NONE` for none."""
    test = bound(record, test)
    code, extra = record.code[test], record.extra[test]
    if code == UNARY and extra == "not":
        return modulo_asked(record, record.operand[test], not outcome)
    if code == BOOLEAN and extra[0] == ("and" if outcome else "or"):
        return next(
            (one for one in (modulo_asked(record, part, outcome) for part in extra[1:]) if one >= 0), NONE
        )
    sides = [test] if not outcome else []
    if code == COMPARE and extra[1] == (("==",) if outcome else ("!=",)):
        sides = [bound(record, record.operand[test]), bound(record, extra[0][0])]
    return next((one for one in sides if is_modulo(record, one)), NONE)
