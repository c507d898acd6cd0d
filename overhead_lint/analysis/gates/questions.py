"""What the condition of a branch asks, as far as its own operations show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.graph.option import MANY_ROUNDS
from overhead_lint.analysis.ir.naming import last_name, written
from overhead_lint.analysis.ir.opcodes import (
    ATTRIBUTE,
    BINARY,
    CALL,
    CONSTANT,
    ITEM,
    OUTER,
    SLICE,
)
from overhead_lint.analysis.ir.queries import NAMED, bound, constant, is_constant, made_of, uncopied
from overhead_lint.analysis.vocabulary import (
    COUNTERS,
    EPOCHS,
    EXPIRED,
    FINITE,
    INTERVAL_WORDS,
    NO_INTERVAL,
    NOT_FINITE,
    STEP_WORDS,
)
from overhead_lint.analysis.words import words

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.records import FunctionIR

__all__ = [
    "above_zero",
    "asks_finite",
    "asks_for_expired",
    "interval",
    "is_counter",
    "is_length",
    "is_of_steps",
    "length_of",
    "said_in",
    "without_keys",
]

_MOST_ASKED: Final = 8
_MANY_OF_PARTS: Final = 10
_AROUND_FINITE: Final = frozenset(
    {"all", "any", "bool", "count_nonzero", "int", "item", "len", "nonzero", "sum"}
)


def asks_finite(record: FunctionIR, test: int) -> bool | None:
    """Whether a test asks if numbers are finite; False if it asks for others, None if it asks neither.

    ``torch.isfinite(x).all()`` asks for finite ones; ``isnan(x).any()`` for a number that is not. Both sides
    of ``&`` and ``|`` have to ask alike.
    """
    for _ in range(_MOST_ASKED):
        test = bound(record, test)
        code, extra = record.code[test], record.extra[test]
        if code == BINARY and extra[1] in ("&", "|"):
            left, right = asks_finite(record, record.operand[test]), asks_finite(record, extra[0])
            return left if left == right else None
        if code != CALL:
            return None
        name = last_name(record, record.operand[test])
        if name in FINITE | NOT_FINITE:
            return name in FINITE
        asked = _asked(record, test) if name in _AROUND_FINITE else -1
        if asked < 0:
            return None
        test = asked
    return None


def asks_for_expired(record: FunctionIR, call: int) -> bool:
    """Whether a call asks if something has expired that is to be replaced: ``torch.any(expired_codes)``."""
    asked = _asked(record, call) if last_name(record, record.operand[call]) == "any" else -1
    return asked >= 0 and not EXPIRED.isdisjoint(said_in(record, asked))


def _asked(record: FunctionIR, call: int) -> int:
    """Return what ``x.all()`` or ``torch.any(x)`` asks about; -1 if it asks about nothing."""
    called = uncopied(record, record.operand[call])
    holder = record.operand[called] if record.code[called] == ATTRIBUTE else -1
    if holder >= 0 and record.code[bound(record, holder)] in (BINARY, CALL):
        return holder
    given = record.extra[call][0]
    if given and not record.extra[call][1]:
        return int(given[0])
    return holder if holder >= 0 and record.code[holder] in NAMED else -1


def interval(record: FunctionIR, test: int, *, counts: bool, shows: bool) -> Gate | None:
    """Return the gate that a counter modulo something is where it is zero; None if it is none.

    Args:
        record: the function.
        test: the operation ``%``.
        counts: whether its left side counts the rounds of a hot loop: such is a counter by any name.
        shows: whether what it lets run tells how far the program has come: then it is one by any name.
    """
    left, right = record.operand[test], record.extra[test][0]
    counter, said = said_in(record, left), said_in(record, right)
    if said & NO_INTERVAL:
        return None
    gate = Gate(GateKind.EVERY, written(record, left), written(record, right))
    if said & EPOCHS:
        return gate
    of_steps = counts or bool(counter & STEP_WORDS)
    if not of_steps and not counter & COUNTERS:
        return None
    if is_constant(record, right):
        number = constant(record, right)
        # What is named as any number is may count what each step has a dozen of, such as layers.
        rare = isinstance(number, (int, float)) and number >= (MANY_ROUNDS if of_steps else _MANY_OF_PARTS)
    else:
        rare = shows or bool(counter & STEP_WORDS or said & INTERVAL_WORDS)
    return gate if rare else None


def is_of_steps(record: FunctionIR, modulo: int, *, counts: bool) -> bool:
    """Whether a counter of steps is taken modulo something that is no number of micro-batches.

    Args:
        record: the function.
        modulo: the operation ``%``.
        counts: whether its left side counts the rounds of a hot loop.
    """
    counter, said = said_in(record, record.operand[modulo]), said_in(record, record.extra[modulo][0])
    return (counts or bool(counter & STEP_WORDS)) and not said & NO_INTERVAL


def said_in(record: FunctionIR, value: int) -> set[str]:
    """Return the words of all names in an expression, and of the keys that it looks up: ``state["step"]``."""
    said: set[str] = set()
    for one in made_of(record, value, NAMED):
        if record.code[one] != CONSTANT:
            said.update(words(last_name(record, one)))
        elif isinstance(record.extra[one], str):
            said.update(words(record.extra[one]))
    return said


def is_length(record: FunctionIR, value: int) -> bool:
    """Whether an expression asks for a length: ``len(loader) - 1``."""
    return any(
        record.code[one] == CALL and last_name(record, record.operand[one]) == "len"
        for one in made_of(record, value, NAMED)
    )


def length_of(record: FunctionIR, value: int) -> tuple[int, bool] | None:
    """Return what an expression gives the length of, and whether that is a tensor: ``len(x)``, ``x.size(0)``.

    It may do so by a name: ``count = x.shape[0]``.
    """
    value = bound(record, value)
    code, operand, extra = record.code[value], record.operand[value], record.extra[value]
    if code == CALL:
        called, given = uncopied(record, operand), extra[0]
        if record.code[called] == OUTER:
            return (given[0], False) if record.extra[called] == "len" and len(given) == 1 else None
        if record.code[called] != ATTRIBUTE:
            return None
        method = record.extra[called]
        sized = method in ("numel", "nelement") or (method == "size" and len(given) == 1)
        return (record.operand[called], True) if sized else None
    if code != ITEM or record.code[extra] == SLICE:
        return None
    shape = uncopied(record, operand)
    is_shape = record.code[shape] == ATTRIBUTE and record.extra[shape] == "shape"
    return (record.operand[shape], True) if is_shape else None


def above_zero(word: str, bound_by: object) -> bool | None:
    """Whether a comparison asks for numbers above zero, True, or for zero, False; None if for neither."""
    is_zero, is_one = bound_by == 0, bound_by == 1
    if isinstance(bound_by, bool) or not (is_zero or is_one):
        return None
    if word in ((">", "!=") if is_zero else (">=",)):
        return True
    return False if word == ("<=" if is_zero else "<") else None


def without_keys(record: FunctionIR, value: int) -> int:
    """Return the table that ``key in table.keys()`` looks into."""
    value = uncopied(record, value)
    if record.code[value] != CALL or record.extra[value][0]:
        return value
    called = uncopied(record, record.operand[value])
    is_keys = record.code[called] == ATTRIBUTE and record.extra[called] == "keys"
    return record.operand[called] if is_keys else value


def is_counter(record: FunctionIR, value: int) -> bool:
    """Whether an expression is a number of steps or batches by its name."""
    said = words(last_name(record, value))
    named = not STEP_WORDS.isdisjoint(said) and said[-1] in STEP_WORDS | COUNTERS
    return named and record.code[uncopied(record, value)] != CALL
