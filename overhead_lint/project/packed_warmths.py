"""Heat with its reason as the cache keeps it: a number, which holds all but the text, and that."""

from __future__ import annotations

from functools import cache
from typing import Final

from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.rule import Heat, Warmth

__all__ = ["packed_warmth", "unpacked_warmth"]

# Bits of the number: two of the heat, four of the kind of the reason, the rest of the links.
_KIND: Final = 2
_LINKS: Final = 6


def packed_warmth(heat: int, why: str, kind: int = 0, links: int = 0) -> tuple[int, str]:
    """Return heat and its reason as `marshal` takes them; the arguments are those of `Warmth`."""
    return int(heat) | kind << _KIND | links << _LINKS, why


def unpacked_warmth(number: int, why: str) -> Warmth:
    """Return what `packed_warmth` packed.

    Raises:
        ValueError: the number is not what that gives.
    """
    heat, kind, links = _parts(number)
    # Of thousands of functions, and the class's own constructor is no C function.
    return tuple.__new__(Warmth, (heat, why, kind, links))


@cache
def _parts(number: int) -> tuple[Heat, ReasonKind, int]:
    return Heat(number & 3), ReasonKind(number >> _KIND & 15), number >> _LINKS
