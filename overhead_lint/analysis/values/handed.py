"""What a call, or the read of a property, gives to the functions of the project that it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, STAR
from overhead_lint.analysis.values.holders import Partial
from overhead_lint.analysis.values.symbols import Bound, FunctionSymbol
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.reference import Reference
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["RECEIVER", "Given", "handed_to", "run_by"]

RECEIVER: Final = -1
"""In the place of an argument's number: what a method is called on."""


class Given(NamedTuple):
    """What a parameter is given: an operation, and which of the arguments it is."""

    value: int
    number: int


def handed_to(values: Values, body: Body, at: int) -> list[tuple[FunctionSymbol, Mapping[int, Given]]]:
    """Return the functions of the project that an operation runs, with what their parameters are given.

    None where it may run anything else.

    Args:
        values: what is known of all that is solved together.
        body: the body of the operation.
        at: the operation, a call or an attribute.
    """
    record = body.record
    if record.code[at] == ATTRIBUTE:
        receiver = {0: Given(record.operand[at], RECEIVER)}
        return [(one, receiver) for one in values.properties(body, at)]
    given, names = record.extra[at]
    if "" in names or any(record.code[one] == STAR for one in given):
        return []
    function = record.operand[at]
    found: list[tuple[FunctionSymbol, Mapping[int, Given]]] = []
    for one in body.values[function].references:
        runs, skipped = run_by(one)
        if runs is None:
            return []
        arguments: dict[int, Given] = {}
        if isinstance(one, Bound) and record.code[function] == ATTRIBUTE and not runs.of_class:
            arguments[0] = Given(record.operand[function], RECEIVER)
        for number, value in enumerate(given):
            named = number - (len(given) - len(names))
            place = _parameter(runs, number + skipped, names[named] if named >= 0 else None)
            if place >= 0:
                arguments[place] = Given(value, number)
        found.append((runs, arguments))
    return found


def run_by(called: Reference) -> tuple[FunctionSymbol | None, int]:
    """Return the function of the project that a call of something runs, and how many parameters it has then.

    Those that are given otherwise: the object of a method, what a partial call has.
    """
    skipped = 0
    through: list[Reference] = []
    while isinstance(called, Partial) and len(called.function.value.references) == 1:
        if called in through:
            return None, 0  # `f = partial(f, 1)`, and nothing else is known of f
        through.append(called)
        skipped += len(called.positional)
        (called,) = called.function.value.references
    if isinstance(called, Bound):
        return called.function, skipped + 1
    return (called, skipped) if isinstance(called, FunctionSymbol) else (None, 0)


def _parameter(function: FunctionSymbol, place: int, name: str | None) -> int:
    """Return the place of the parameter that is given something, by place or by name; -1 for none."""
    parameters = function.body.record.parameters
    if name is None:
        return place if place < len(parameters) and parameters[place].kind not in ("*", "**", "=") else -1
    return next((at for at, one in enumerate(parameters) if one.name == name), -1)
