"""How often a program point runs, compared with the function that it is in."""

from __future__ import annotations

import enum
from typing import Final

__all__ = ["LOOP", "NEVER", "ONCE", "RARE", "REPEATED", "SAME", "STEP", "Frequency", "once", "repeated"]


class Frequency(enum.IntEnum):
    """How often, from least to most; caches and edges keep the numbers, in three bits."""

    NEVER = 0
    """Not at all."""
    RARE = 1
    """Hardly ever, however often the function does: behind a `overhead_lint.analysis.graph.gate.Gate`."""
    ONCE = 2
    """Once, until what it makes is there."""
    SAME = 3
    """As often as the function."""
    REPEATED = 4
    """Many times a call of the function."""
    STEP = 5
    """Once a round of a hot loop: a step."""
    LOOP = 6
    """Many times a round of a hot loop."""


# To ask an enumeration for a member takes long (Python 3.11).
NEVER: Final = Frequency.NEVER
RARE: Final = Frequency.RARE
ONCE: Final = Frequency.ONCE
SAME: Final = Frequency.SAME
REPEATED: Final = Frequency.REPEATED
STEP: Final = Frequency.STEP
LOOP: Final = Frequency.LOOP

_REPEATED: Final = {SAME: REPEATED, STEP: LOOP}
_ONCE: Final[dict[int, int]] = {REPEATED: SAME, LOOP: STEP}


def repeated(around: Frequency) -> Frequency:
    """Return how often a loop runs what it repeats, of which it is not known that its rounds are steps."""
    return _REPEATED.get(around, around)


def once(within: int) -> int:
    """Return how often what a loop repeats runs where that goes round once; see `repeated`."""
    return _ONCE.get(within, within)
