"""What operators give: each pair of possibilities on its own, so that more of them give no less."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.values.iteration import items_of
from overhead_lint.analysis.values.lattice import (
    ANYTHING,
    ARRAY,
    BOOL,
    BOTTOM,
    DEVICES,
    DIMENSIONS,
    EVERYTHING,
    FLOAT,
    FLOATS,
    INT,
    KINDS,
    MANY,
    NONE_TYPE,
    NUMBER_TYPES,
    NUMBERS,
    OBJECT,
    SCALAR,
    SEQUENCE,
    TENSOR,
    TENSOR_TRAITS,
    TEXT,
    TRUTHS,
    UNKNOWN,
    VARIES,
    Value,
    join,
    of_bits,
)
from overhead_lint.analysis.values.reference import Constant

if TYPE_CHECKING:
    from overhead_lint.analysis.values.engine import Engine
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["binary", "compare", "unary"]

_TRUTH: Final = of_bits(BOOL | VARIES)
_BY_IDENTITY: Final = frozenset({"in", "is", "is not", "not in"})
_PLAIN: Final = NUMBERS | TEXT | SEQUENCE | ARRAY
"""Kinds of which it is known what operators give."""
_NAMED: Final = OBJECT | TEXT
_UNTOLD: Final = KINDS & ~TENSOR & ~NONE_TYPE & ~_PLAIN & ~OBJECT


def binary(engine: Engine, body: Body, at: int, left: Value, right: Value, operator: str) -> Value:
    """Return what an operator of two operands gives."""
    mine, others = left.bits, right.bits
    if not mine & KINDS or not others & KINDS:
        return BOTTOM
    if (mine | others) & MANY:
        return EVERYTHING
    operator = operator.rstrip("=")
    found = BOTTOM
    if (mine | others) & TENSOR:
        found = of_bits(_tensor_bits(mine, others, operator))
    # What both may be that is no tensor; None has no operators.
    mine &= KINDS & ~TENSOR & ~NONE_TYPE
    others &= KINDS & ~TENSOR & ~NONE_TYPE
    if mine and others:
        found = join(found, _plain(engine, body, at, left, right, operator))
    return found


def _tensor_bits(left: int, right: int, operator: str) -> int:
    """Return what the tensor may be that an operator gives of at least one tensor."""
    found = TENSOR
    for mine, other in ((left, right), (right, left)):
        if not mine & TENSOR:
            continue
        found |= mine & DEVICES
        numbers = mine & NUMBER_TYPES
        if operator == "/":
            numbers = FLOATS
        elif other & (UNKNOWN | ARRAY):
            numbers = NUMBER_TYPES
        elif other & FLOAT:
            numbers |= FLOATS
        found |= numbers
        if mine & DIMENSIONS or other & (UNKNOWN | ARRAY | SEQUENCE):
            found |= DIMENSIONS
        if mine & SCALAR and other & (SCALAR | NUMBERS | UNKNOWN):
            found |= SCALAR
    return found


def _plain(engine: Engine, body: Body, at: int, left: Value, right: Value, operator: str) -> Value:
    """Return what an operator gives of two operands that are no tensors."""
    mine, others = left.bits & KINDS, right.bits & KINDS
    found = 0
    if mine & NUMBERS and others & NUMBERS:
        if operator == "/" or (mine | others) & FLOAT or operator == "**":
            found |= FLOAT | VARIES
        if operator != "/" and mine & (INT | BOOL) and others & (INT | BOOL):
            found |= INT | VARIES
    if mine & TEXT:
        found |= TEXT | VARIES
    if mine & ARRAY and others & (ARRAY | NUMBERS | SEQUENCE):
        found |= ARRAY
    if others & ARRAY and mine & (NUMBERS | SEQUENCE):
        found |= ARRAY
    result = of_bits(found)
    if (mine & SEQUENCE and others & (SEQUENCE | INT)) or (others & SEQUENCE and mine & INT):
        element = BOTTOM
        for one in (left, right):
            if one.bits & SEQUENCE:
                element = join(element, items_of(engine, body, at, one))
        result = join(result, engine.sequence(body, at, "sequence", element))
    if (mine & OBJECT and others & _NAMED) or (mine & TEXT and others & OBJECT):  # a path and its parts
        result = join(result, of_bits(OBJECT))
    is_known = not (mine & _UNTOLD or (others & _UNTOLD and mine & ~TEXT))
    if (mine & OBJECT and others & ~_NAMED) or (others & OBJECT and mine & ~_NAMED):
        is_known = False
    return result if is_known else join(result, ANYTHING)


def compare(left: Value, right: Value, operator: str) -> Value:
    """Return what a comparison gives."""
    mine, others = left.bits, right.bits
    if not mine & KINDS or not others & KINDS:
        return BOTTOM
    if operator in _BY_IDENTITY:
        return _TRUTH
    if (mine | others) & MANY:
        return EVERYTHING
    found = 0
    for one, other in ((mine, others), (others, mine)):
        if one & TENSOR and other & KINDS & ~(TEXT | NONE_TYPE):
            found |= TENSOR | TRUTHS | (one & DEVICES)
            if one & DIMENSIONS or other & ~NUMBERS & KINDS:
                found |= DIMENSIONS
            if one & SCALAR:
                found |= SCALAR
        if one & ARRAY and other & KINDS & ~(TENSOR | TEXT | NONE_TYPE):
            found |= ARRAY
    texts = TEXT | NONE_TYPE
    if mine & texts or others & texts:
        found |= BOOL | VARIES
    mine &= KINDS & ~(TENSOR | ARRAY | texts)
    others &= KINDS & ~(TENSOR | ARRAY | texts)
    if mine & ~(UNKNOWN | OBJECT) and others & ~(UNKNOWN | OBJECT):
        found |= BOOL | VARIES
    if mine and others and (mine | others) & (UNKNOWN | OBJECT):
        return join(of_bits(found), ANYTHING)
    return of_bits(found)


def unary(value: Value, operator: str) -> Value:
    """Return what an operator of one operand gives."""
    bits = value.bits
    if not bits & KINDS:
        return BOTTOM
    if operator == "not":
        return _TRUTH
    if bits & MANY:
        return EVERYTHING
    found = BOTTOM
    if bits & TENSOR:
        found = of_bits(TENSOR | (bits & TENSOR_TRAITS))
    if bits & NUMBERS:
        kinds = (bits & (INT | FLOAT)) | (INT if bits & BOOL else 0)
        constants = [one.value for one in value.references if isinstance(one, Constant)]
        if operator == "-" and not bits & VARIES:
            for one in constants:
                if isinstance(one, (int, float)):
                    found = join(found, Value(INT if isinstance(one, int) else FLOAT, (Constant(-one),)))
        else:
            found = join(found, of_bits(kinds | VARIES))
    if bits & ARRAY:
        found = join(found, of_bits(ARRAY))
    if bits & KINDS & ~(TENSOR | NUMBERS | ARRAY | NONE_TYPE | TEXT):
        found = join(found, ANYTHING)
    return found
