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
    NOT_FINITE = 5
    """Numbers that are not finite."""
    ENVIRONMENT = 6
    """`Gate.subject` is set in the environment."""
    TIME = 7
    """Some time has passed."""
    EMPTY = 8
    """`Gate.subject` is empty."""
    LAST_ROUND = 9
    """The last round of a loop."""
    RANK = 10
    """The rank is `Gate.value`."""
    MAIN_RANK = 11
    """It is the main rank."""
    COUNT = 12
    """The counter `Gate.subject` is `Gate.value`."""
    LISTED = 13
    """The counter `Gate.subject` is one of `Gate.value`."""
    EXPORT = 14
    """A model is exported."""
    MODE = 15
    """What the function `Gate.subject` tells of is on."""
    FLAG = 16
    """`Gate.subject` is on, which is for few runs."""
    WHEN = 17
    """`Gate.subject`, by the words that it consists of."""
    WARM_UP = 18
    """`Gate.subject` goes on."""
    FIRST = 19
    """`Gate.subject` tells of the first time."""
    CLEARED = 20
    """`Gate.subject` is set, and cleared by that."""
    SET = 21
    """`Gate.subject` is not set, and set by that."""
    MOVED = 22
    """The module `Gate.subject` is on a device, and moved to the host by that."""
    EPISODE = 23
    """`Gate.subject` tells of the end of an episode."""
    ATTRIBUTE_MISSING = 24
    """`Gate.subject` lacks an attribute, and is given it by that."""
    MISSING = 25
    """`Gate.subject` is missing, and provided by that."""
    UNFILLED = 26
    """`Gate.subject` is empty, and filled by that."""
    BEST = 27
    """`Gate.subject` is the best so far."""
    GROWTH = 28
    """`Gate.subject` is more than ever."""
    CHANGE = 29
    """`Gate.subject` is another than before."""
    MISS = 30
    """The cache `Gate.subject` misses."""
    TRAINING = 31
    """The function around is a whole training, and this is outside of its steps."""
    ITERATION = 32
    """An iteration begins or ends."""
    UNPASSED = 33
    """Somebody passes the option `Gate.subject`, which nobody does."""
    CAPTURE = 34
    """A CUDA graph is captured."""
    FEW = 35
    """The counter `Gate.subject` is below `Gate.value`, which is small."""
    GIVEN = 36
    """A call passes something else than `Gate.value` for the parameter `Gate.subject`, which none does."""
    CONVERTED = 37
    """The parameter `Gate.subject` is given as something else than a tensor, and made one by that."""

    @property
    def label(self) -> str:
        """The kind as reports name it."""
        return self.name.lower().replace("_", " ")


_ONCE: Final = frozenset(
    {
        *(GateKind.LAST_ROUND, GateKind.COUNT, GateKind.FIRST, GateKind.CLEARED),
        *(GateKind.SET, GateKind.MOVED, GateKind.EPISODE, GateKind.ATTRIBUTE_MISSING, GateKind.MISSING),
        *(GateKind.UNFILLED, GateKind.ITERATION),
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
