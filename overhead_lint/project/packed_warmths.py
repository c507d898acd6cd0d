"""Heat with its reason as the cache keeps it: a number, the chain, and the gate where there is one."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from overhead_lint.analysis.graph.gate import Gate, PlainGate, plain_gate, read_gate
from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.rule import Heat, Warmth

__all__ = ["Packed", "packed_warmth", "unpacked_warmth"]

Packed = tuple[Any, ...]
"""What `packed_warmth` gives."""

# Bits of the number: two of the heat, four of the kind of the reason, the rest of the links.
_KIND: Final = 2
_LINKS: Final = 6


def packed_warmth(heat: int, chain: str, kind: int = 0, links: int = 0, gate: Gate | None = None) -> Packed:
    """Return heat and its reason as `marshal` takes them; the arguments are those of `Warmth`."""
    number = int(heat) | kind << _KIND | links << _LINKS
    return (number, chain) if gate is None else (number, chain, plain_gate(gate))


def unpacked_warmth(number: int, chain: str, gate: PlainGate = ()) -> Warmth:
    """Return what `packed_warmth` packed.

    Raises:
        ValueError: the number is not what that gives.
    """
    heat, kind, links = _parts(number)
    # Of thousands of functions, and the class's own constructor is no C function.
    return tuple.__new__(Warmth, (heat, chain, kind, links, read_gate(gate)))


@cache
def _parts(number: int) -> tuple[Heat, ReasonKind, int]:
    return Heat(number & 3), ReasonKind(number >> _KIND & 15), number >> _LINKS
