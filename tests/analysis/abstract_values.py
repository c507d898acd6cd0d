"""Random abstract values, and what must hold of functions of them."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from overhead_lint.analysis.values.constants import constant_value
from overhead_lint.analysis.values.lattice import BOTTOM, KINDS, Value, join, join_all, of_bits
from overhead_lint.analysis.values.reference import Constant, Reference
from overhead_lint.analysis.values.symbols import Api

REFERENCES: Final[list[Reference]] = [
    *[Api(f"library.Class{number}").instance for number in range(30)],
    *[Constant(one) for one in (0, 1, 2.5, True, "cpu", "cuda:0", "x")],
]
_BITS: Final = st.lists(st.integers(0, 32), max_size=4).map(lambda found: sum(1 << one for one in set(found)))


def _value(bits: int, references: list[int]) -> Value:
    if not bits & KINDS:
        return BOTTOM
    made = [of_bits(bits)]
    for one in references:
        held = REFERENCES[one]
        if isinstance(held, Constant):
            made.append(constant_value(held.value))
        else:
            made.append(Value(bits, (held,)))
    return join_all(made)


values: Final = st.builds(_value, _BITS, st.lists(st.integers(0, len(REFERENCES) - 1), max_size=11))
"""Values in normal form, as joins make them."""


def is_at_most(one: Value, other: Value) -> bool:
    """Whether a value is no larger than another."""
    return join(one, other) == other
