"""Gates: what lets a program point run hardly ever, as a value."""

from __future__ import annotations

import enum
from typing import Any, Final

from overhead_lint.analysis.graph.frequency import NEVER, ONCE, RARE, Frequency
from overhead_lint.tuples import NamedTuple

__all__ = ["Gate", "GateKind", "PlainGate", "plain_gate", "read_gate"]


class GateKind(enum.IntEnum):
    """What lets something run; caches keep the numbers."""

    NEVER = 0
    """Nothing does."""
    ERROR = 1
    """A failure."""
    EVERY = 2
    """So many steps, or some of another count, have passed: `Gate.value`, "" where it is not written."""
    WARNING = 3
    """Something that a warning is logged for."""
    DEPRECATED = 4
    """A call in a way that is deprecated."""
    OLD_TORCH = 5
    """A torch before `Gate.value`."""
    DEBUG_MESSAGES = 6
    """Debug messages are shown."""
    NOT_FINITE = 7
    """Numbers that are not finite."""
    EMPTY_ROW = 8
    """A row of a mask of which nothing is left."""
    ENVIRONMENT = 9
    """`Gate.subject` is set in the environment."""
    TIME = 10
    """Some time has passed."""
    EMPTY = 11
    """`Gate.subject` is empty."""
    LAST_ROUND = 12
    """The last round of a loop."""
    RANK = 13
    """The rank is `Gate.value`."""
    MAIN_RANK = 14
    """It is the main rank."""
    COUNT = 15
    """The counter `Gate.subject` is `Gate.value`."""
    LISTED = 16
    """The counter `Gate.subject` is one of `Gate.value`."""
    EXPORT = 17
    """A model is exported."""
    MODE = 18
    """What the function `Gate.subject` tells of is on."""
    FLAG = 19
    """`Gate.subject` is on, which is for few runs."""
    WHEN = 20
    """`Gate.subject`, by the words that it consists of."""
    WARM_UP = 21
    """`Gate.subject` goes on."""
    FIRST = 22
    """`Gate.subject` tells of the first time."""
    CLEARED = 23
    """`Gate.subject` is set, and cleared by that."""
    SET = 24
    """`Gate.subject` is not set, and set by that."""
    MOVED = 25
    """The module `Gate.subject` is on a device, and moved to the host by that."""
    EPISODE = 26
    """`Gate.subject` tells of the end of an episode."""
    ATTRIBUTE_MISSING = 27
    """`Gate.subject` lacks an attribute, and is given it by that."""
    MISSING = 28
    """`Gate.subject` is missing, and provided by that."""
    UNFILLED = 29
    """`Gate.subject` is empty, and filled by that."""
    FIRST_OF_PARAMETER = 30
    """The first step of a parameter."""
    BEST = 31
    """`Gate.subject` is the best so far."""
    GROWTH = 32
    """`Gate.subject` is more than ever."""
    CHANGE = 33
    """`Gate.subject` is another than before."""
    MISS = 34
    """The cache `Gate.subject` misses."""
    TRAINING = 35
    """The function around is a whole training, and this is outside of its steps."""
    ITERATION = 36
    """An iteration begins or ends."""
    UNPASSED = 37
    """Somebody passes the option `Gate.subject`, which nobody does."""
    CAPTURE = 38
    """A CUDA graph is captured."""
    FEW = 39
    """The counter `Gate.subject` is below `Gate.value`, which is small."""
    GIVEN = 40
    """A call passes something else than `Gate.value` for the parameter `Gate.subject`, which none does."""
    CHANCE = 41
    """By chance, of which `Gate.value` is the measure."""

    @property
    def label(self) -> str:
        """The kind as reports name it."""
        return self.name.lower().replace("_", " ")


_ONCE: Final = frozenset(
    {
        *(GateKind.LAST_ROUND, GateKind.COUNT, GateKind.FIRST, GateKind.CLEARED),
        *(GateKind.SET, GateKind.MOVED, GateKind.EPISODE, GateKind.ATTRIBUTE_MISSING, GateKind.MISSING),
        *(GateKind.UNFILLED, GateKind.FIRST_OF_PARAMETER, GateKind.ITERATION),
    }
)
"""Gates that let something run once, and no more once that is made, set or filled."""


PlainGate = tuple[Any, ...]
"""What `plain_gate` gives."""


class Gate(NamedTuple):
    """What lets a program point run.

    Attributes:
        kind: what it is.
        subject: what is asked about, as it is written; "" where the kind says all.
        value: what that is compared with, as it is written.
        line: where it stands, from 1; 0 where that is not said.
    """

    kind: GateKind
    subject: str = ""
    value: str = ""
    line: int = 0

    @property
    def frequency(self) -> Frequency:
        """How often it lets something run."""
        return NEVER if self.kind is GateKind.NEVER else ONCE if self.kind in _ONCE else RARE


def plain_gate(gate: Gate | None) -> PlainGate:
    """Return a gate as `marshal` takes it: nothing for none."""
    return (int(gate.kind), gate.subject, gate.value, gate.line) if gate is not None else ()


def read_gate(plain: PlainGate) -> Gate | None:
    """Return the gate that `plain_gate` was given."""
    return Gate(_KINDS[plain[0]], *plain[1:]) if plain else None


_KINDS: Final = tuple(GateKind)
