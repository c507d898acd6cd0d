"""What parameters are given as far as their annotations let them be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.values.holders import Container
from overhead_lint.analysis.values.lattice import (
    ARRAY,
    KINDS,
    MANY,
    NONE_TYPE,
    OPEN,
    TENSOR,
    UNKNOWN,
    Value,
    join,
)

if TYPE_CHECKING:
    from overhead_lint.analysis.values.reference import Reference

__all__ = ["tells_items", "within"]


def tells_items(told: Value) -> bool:
    """Whether an annotation says what a container holds."""
    return bool(told.references) and all(
        isinstance(one, Container) and not one.element.value.bits & UNKNOWN for one in told.references
    )


def within(value: Value, told: Value) -> Value:
    """Return what a parameter is given as far as its annotation lets it be: what that promises of all else.

    Args:
        value: what calls give.
        told: what the annotation promises.
    """
    bits = value.bits
    if told.bits & UNKNOWN or not bits & KINDS:
        # Of a class that another file defines, nothing is known but the class.
        return told if told.references and bits & UNKNOWN and not value.references else value
    allowed = told.bits | NONE_TYPE
    if not bits & KINDS & ~allowed and not bits & OPEN:
        return join(value, told) if tells_items(told) else value
    # What is open is another thing that the annotation promises.
    kept = bits & (allowed | ~KINDS)
    if not bits & MANY:
        kept &= ~OPEN
    return join(Value(kept, _fitting(value.references, kept)), told) if kept & KINDS else told


def _fitting(references: tuple[Reference, ...], bits: int) -> tuple[Reference, ...]:
    """Return those of some references that something of these kinds may have."""
    if bits & KINDS & ~(TENSOR | NONE_TYPE | ARRAY):
        return references
    return ()
