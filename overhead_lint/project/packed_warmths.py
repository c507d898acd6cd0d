"""Heat with its reason as the cache keeps it: a number, what begins the chain, and what else there is."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.graph.gate import Gate, PlainGate, plain_gate, read_gate
from overhead_lint.analysis.graph.option import Option, PlainOption, read_options
from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.rule import Heat, Place, Repeated, Warmth

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Packed", "packed_warmth", "unpacked_warmth"]

PlainPlace = tuple[str, str, int]
Packed = tuple[Any, ...]
"""What `packed_warmth` gives."""

# Bits of the number: three of the heat, four of the kind of the reason, one that tells of a round of unknown
# length, one that tells of rounds that are requests, two of evaluations, the rest of what repeats the place.
_KIND: Final = 3
_ROUND: Final = 7
_REQUESTS: Final = 8
_EVALUATES: Final = 9
_EVALUATIONS: Final = 10
_REPEATED: Final = 11


def packed_warmth(
    heat: int,
    begins: str,
    kind: int = 0,
    gate: Gate | None = None,
    options: tuple[Option, ...] = (),
    is_round_unknown: bool = False,
    has_requests: bool = False,
    places: tuple[Place, ...] = (),
    repeated: int = 0,
    evaluates: bool = False,
    has_evaluations: bool = False,
    stays: Place | None = None,
    stays_in_rounds: Place | None = None,
) -> Packed:
    """Return heat and its reason as `marshal` takes them; the arguments are those of `Warmth`."""
    number = int(heat) | kind << _KIND | is_round_unknown << _ROUND | repeated << _REPEATED
    number |= has_requests << _REQUESTS | evaluates << _EVALUATES | has_evaluations << _EVALUATIONS
    if gate is None and not options and not places and stays is stays_in_rounds is None:
        return number, begins  # of most
    waits = [wait and tuple(wait) for wait in (stays, stays_in_rounds)]
    more = waits if any(waits) else ()
    return number, begins, plain_gate(gate), tuple(map(tuple, options)), tuple(map(tuple, places)), *more


def unpacked_warmth(
    number: int,
    begins: str,
    gate: PlainGate = (),
    options: tuple[PlainOption, ...] = (),
    places: tuple[PlainPlace, ...] = (),
    stays: PlainPlace | None = None,
    stays_in_rounds: PlainPlace | None = None,
    *,
    shown: Callable[[str], str] | None = None,
) -> Warmth:
    """Return what `packed_warmth` packed.

    Args:
        number: the first of it, and so on.
        begins: the second.
        gate: what follows, where there is more.
        options: the same.
        places: the same.
        stays: the same.
        stays_in_rounds: the same.
        shown: gives what a run shows for a text with names of files that are marked; they stay if it is None.

    Raises:
        ValueError: the number is not what that gives.
    """
    (heat, kind, repeated), rounds, phase = _parts(number)
    waits = stays, stays_in_rounds
    if shown is not None:
        begins = shown(begins)
        places = tuple([(shown(path), function, line) for path, function, line in places])
        stays, in_rounds = (one and (shown(one[0]), *one[1:]) for one in waits)
        waits = stays, in_rounds
    found = tuple(map(Place._make, places))
    values = (
        heat,
        begins,
        kind,
        read_gate(gate),
        read_options(options),
        *rounds,
        found,
        repeated,
        *phase,
        *(one and Place._make(one) for one in waits),
    )
    # Of thousands of functions, and the class's own constructor is no C function.
    warmth: Warmth = tuple.__new__(Warmth, values)
    return warmth


@cache
def _parts(number: int) -> tuple[tuple[Heat, ReasonKind, Repeated], tuple[bool, bool], tuple[bool, bool]]:
    kind, repeated = ReasonKind(number >> _KIND & 15), Repeated(number >> _REPEATED)
    rounds = bool(number >> _ROUND & 1), bool(number >> _REQUESTS & 1)
    phase = bool(number >> _EVALUATES & 1), bool(number >> _EVALUATIONS & 1)
    return (Heat(number & 7), kind, repeated), rounds, phase
