"""Abstract values: what an expression may be, as a set of possibilities, and what it may refer to.

A set is one number, a bit each: kinds; for tensors where they may lie, what numbers they may hold and how
many dimensions they may have. Joining is the union. No bit is bottom, "not evaluated yet"; `UNKNOWN` says
that it may be anything, so "certainly a tensor" is "no kind but `TENSOR` is among them".

References are a set, too, of at most `MOST_REFERENCES`. What they leave out is said by bits: `OPEN`, that
there may be others than those that are told, and `VARIES`, that numbers and texts may be others than the
constants that are told.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Final, final

from overhead_lint.analysis.values.reference import Constant, Reference

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "ACCELERATOR",
    "ANYTHING",
    "ANY_TENSOR",
    "ARRAY",
    "BOOL",
    "BOTTOM",
    "CLASS",
    "CONTEXT",
    "DEVICE",
    "DEVICES",
    "DIMENSIONS",
    "DTYPE",
    "EVENT",
    "EVERYTHING",
    "FLOAT",
    "FLOATS",
    "FUNCTION",
    "HOST",
    "HOST_TENSOR",
    "INSTANCE",
    "INSTANCES",
    "INT",
    "INTEGERS",
    "KINDS",
    "LOADER",
    "MANY",
    "MAPPING",
    "MODULE",
    "MOST_CONSTANTS",
    "MOST_REFERENCES",
    "NAMESPACE",
    "NONE_TYPE",
    "NOTHING",
    "NUMBERS",
    "NUMBER_TYPES",
    "OBJECT",
    "OPEN",
    "OPTIMIZER",
    "RANKS",
    "SCALAR",
    "SCHEDULER",
    "SEQUENCE",
    "STREAM",
    "TENSOR",
    "TENSOR_TRAITS",
    "TEXT",
    "TRUTHS",
    "UNKNOWN",
    "VARIES",
    "Value",
    "beyond",
    "is_certainly",
    "is_on_device",
    "join",
    "join_all",
    "keys_in",
    "names_of",
    "of_bits",
]

TENSOR: Final = 1 << 0
MODULE: Final = 1 << 1
OPTIMIZER: Final = 1 << 2
SCHEDULER: Final = 1 << 3
LOADER: Final = 1 << 4
INT: Final = 1 << 5
FLOAT: Final = 1 << 6
BOOL: Final = 1 << 7
TEXT: Final = 1 << 8
NONE_TYPE: Final = 1 << 9
SEQUENCE: Final = 1 << 10
"""A tuple, list, set, generator: what is gone over, and is no mapping."""
MAPPING: Final = 1 << 11
FUNCTION: Final = 1 << 12
CLASS: Final = 1 << 13
NAMESPACE: Final = 1 << 14
"""A module of Python."""
INSTANCE: Final = 1 << 15
"""An object of a class of the project that derives from no class of another kind."""
ARRAY: Final = 1 << 16
DEVICE: Final = 1 << 17
DTYPE: Final = 1 << 18
STREAM: Final = 1 << 19
EVENT: Final = 1 << 20
CONTEXT: Final = 1 << 21
"""A context manager."""
OBJECT: Final = 1 << 22
"""An object of Python's or a library's that is none of the others."""
UNKNOWN: Final = 1 << 23
"""It may be anything, and nobody knows what."""

HOST: Final = 1 << 24
"""Tensors: may lie in the host's memory."""
ACCELERATOR: Final = 1 << 25
"""Tensors: may lie on an accelerator."""
FLOATS: Final = 1 << 26
"""Tensors: may hold floating-point or complex numbers."""
INTEGERS: Final = 1 << 27
"""Tensors: may hold integers."""
TRUTHS: Final = 1 << 28
"""Tensors: may hold booleans."""
SCALAR: Final = 1 << 29
"""Tensors: may have no dimension."""
DIMENSIONS: Final = 1 << 30
"""Tensors: may have dimensions."""
OPEN: Final = 1 << 31
"""May refer to something else than it is told to."""
VARIES: Final = 1 << 32
"""Numbers and texts: may be something else than the constants that are told."""
MANY: Final = 1 << 33
"""May refer to more than is told apart: nothing is told but constants. `OPEN` goes with it."""

KINDS: Final = (1 << 24) - 1
NUMBERS: Final = INT | FLOAT | BOOL
DEVICES: Final = HOST | ACCELERATOR
NUMBER_TYPES: Final = FLOATS | INTEGERS | TRUTHS
RANKS: Final = SCALAR | DIMENSIONS
TENSOR_TRAITS: Final = DEVICES | NUMBER_TYPES | RANKS
ANY_TENSOR: Final = TENSOR | TENSOR_TRAITS
HOST_TENSOR: Final = ANY_TENSOR & ~ACCELERATOR
INSTANCES: Final = MODULE | OPTIMIZER | SCHEDULER | LOADER | INSTANCE | CONTEXT | STREAM | EVENT | OBJECT
"""Kinds of objects that refer to their class, as far as it is known."""

_ORDER: Final = attrgetter("order")
MOST_REFERENCES: Final = 24
MOST_CONSTANTS: Final = 4

_NAMES: Final = (
    "tensor module optimizer scheduler loader int float bool text none sequence mapping function class "
    "namespace instance array device dtype stream event context object unknown host accelerator floats "
    "integers truths scalar dimensions open varies many"
)
"""The possibilities in words, by bit."""


@final
class Value:
    """What an expression may be; never changed once it is made.

    Attributes:
        bits: the set of possibilities.
        references: what it may refer to, sorted, without constants where `VARIES` is set.
    """

    __slots__ = ("bits", "references")

    def __init__(self, bits: int, references: tuple[Reference, ...] = ()) -> None:
        self.bits = bits
        self.references = references

    def __eq__(self, other: object) -> bool:
        """Whether another value has the same possibilities and references."""
        return isinstance(other, Value) and other.bits == self.bits and other.references == self.references

    def __hash__(self) -> int:
        """Return the hash of both parts."""
        return hash((self.bits, self.references))

    def __repr__(self) -> str:
        """Return its possibilities in words, and its references."""
        return f"<Value {' '.join([*names_of(self.bits), *map(repr, self.references)])}>"


BOTTOM: Final = Value(0)
ANYTHING: Final = Value(UNKNOWN)
"""Nobody knows what it may be; what else is told beside that is what it may be, among others."""
EVERYTHING: Final = Value(UNKNOWN | OPEN | VARIES | MANY)
"""Top: what comes of a value whose references are too many to be told, so that fewer of them give no more.

A join with it is it: nothing else is told beside it.
"""
NOTHING: Final = Value(NONE_TYPE)
"""The value None."""

_PLAIN: Final[dict[int, Value]] = {0: BOTTOM, NONE_TYPE: NOTHING, ANYTHING.bits: ANYTHING}


def of_bits(bits: int) -> Value:
    """Return the value of a set of possibilities that refers to nothing."""
    found = _PLAIN.get(bits)
    if found is None:
        found = _PLAIN[bits] = Value(bits)
    return found


def join(one: Value, other: Value) -> Value:
    """Return the least value that is as large as both: the first itself if it is."""
    if one is other or other is BOTTOM:
        return one
    if one is BOTTOM:
        return other
    mine, others = one.bits, other.bits
    bits = mine | others
    if bits & MANY and bits & UNKNOWN:
        return EVERYTHING
    held, given = one.references, other.references
    if held is given or not given or held == given:
        references = held
    elif not held:
        references = given
    else:
        references = _merged(held, given)
    if references is held and bits == mine:
        return one
    if references is given and bits == others:
        return other
    if not references:
        return of_bits(bits)
    found = _cut(bits, references)
    return one if found.bits == mine and found.references == held else found


def join_all(values: Iterable[Value]) -> Value:
    """Return the join of all; bottom of none."""
    found = BOTTOM
    for one in values:
        found = join(found, one)
    return found


def _merged(one: tuple[Reference, ...], other: tuple[Reference, ...]) -> tuple[Reference, ...]:
    """Return the union of two sorted sets of references, which has something."""
    more = [new for new in other if new not in one]
    if not more:
        return one
    if len(one) + len(more) == len(other):
        return other
    more += one
    more.sort(key=_ORDER)
    return tuple(more)


def _cut(bits: int, references: tuple[Reference, ...]) -> Value:
    """Return the value with references that are not too many, and no constants where they vary."""
    if not bits & (VARIES | MANY) and len(references) <= MOST_CONSTANTS:
        return Value(bits, references)
    # Constants come first among references.
    if not bits & MANY and len(references) <= MOST_REFERENCES and not isinstance(references[0], Constant):
        return Value(bits, references)
    constants = [one for one in references if isinstance(one, Constant)]
    others = [one for one in references if not isinstance(one, Constant)]
    if constants and (bits & VARIES or len(constants) > MOST_CONSTANTS):
        constants = []
        bits |= VARIES
    if others and (bits & MANY or len(others) > MOST_REFERENCES):
        others = []
        bits |= MANY | OPEN
        if bits & UNKNOWN:
            return EVERYTHING
    if len(constants) + len(others) != len(references):
        references = tuple(sorted([*constants, *others], key=_ORDER))
    return Value(bits, references) if references else of_bits(bits)


def beyond(bits: int) -> Value:
    """Return what comes of the part of a value that is not told: bottom if all is told."""
    if bits & MANY:
        return EVERYTHING
    return ANYTHING if bits & (UNKNOWN | OPEN) else BOTTOM


def keys_in(value: Value) -> list[object]:
    """Return the constants that a value may be, as keys; None among them if it may be something else."""
    found: list[object] = [one.value for one in value.references if isinstance(one, Constant)]
    if value.bits & KINDS & ~(NUMBERS | TEXT) or value.bits & (VARIES | OPEN):
        found.append(None)
    return found


def is_certainly(value: Value, kinds: int) -> bool:
    """Whether a value is one of some kinds, and nothing else but perhaps None."""
    found = value.bits & KINDS & ~NONE_TYPE
    return found != 0 and found & ~kinds == 0


def is_on_device(value: Value) -> bool:
    """Whether a value is a tensor, and nothing else, that is or may be on an accelerator."""
    return value.bits & KINDS == TENSOR and value.bits & DEVICES != HOST


def names_of(bits: int) -> list[str]:
    """Return the possibilities in words, for people."""
    return [name for at, name in enumerate(_NAMES.split()) if bits >> at & 1]
