"""What constants of a program are."""

from __future__ import annotations

from typing import Final

from overhead_lint.analysis.values.lattice import (
    BOOL,
    FLOAT,
    INT,
    NOTHING,
    OBJECT,
    TEXT,
    VARIES,
    Value,
    of_bits,
)
from overhead_lint.analysis.values.reference import Constant

__all__ = ["constant_value"]

_KINDS: Final = {bool: BOOL, int: INT, float: FLOAT, complex: FLOAT, str: TEXT}
_LONGEST_TEXT: Final = 60


def constant_value(value: object) -> Value:
    """Return the value of a constant of the program."""
    if value is None:
        return NOTHING
    kind = _KINDS.get(value.__class__)
    if kind is None:
        return of_bits(OBJECT)
    if isinstance(value, str) and len(value) > _LONGEST_TEXT:
        return of_bits(TEXT | VARIES)
    return Value(kind, (Constant(value),))
