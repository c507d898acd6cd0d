"""What makes a place run as often as it does: the kind of the reason, which rules and the graph ask about.

The reason itself is text for readers, made where heat is found out; nothing is read from that again.
"""

from __future__ import annotations

import enum
from typing import Final

from overhead_lint.tuples import NamedTuple

__all__ = ["NOT_SHOWN", "Reason", "ReasonKind"]

NOT_SHOWN: Final = "nothing shows that it runs in a step"
"""The reason of what is cold since nobody is seen to call it."""


class ReasonKind(enum.IntEnum):
    """What stands at the beginning of the call chain that leads to a place; summaries keep the numbers."""

    OTHER = 0
    """Anything else: a name, what a library offers, a gate, nothing."""
    LOOP = 1
    """A loop whose rounds are steps, or in whose rounds a module is called on the way."""
    ROUND = 2
    """A loop of which nobody knows how much a round does: see `overhead_lint.analysis.loops.rounds.Shown`."""
    QUEUE = 3
    """A loop that takes from a queue."""
    MODULE = 4
    """A method that calling a module runs."""
    AUTOGRAD = 5
    """A method that using an autograd function runs, forward and back."""
    OPTIMIZER = 6
    """The step of an optimizer or a scheduler."""
    HOOK = 7
    """A hook that something registers."""
    DATA = 8
    """A method of a data set, or what puts batches together, where no model is asked on the way."""
    SETTINGS = 9
    """The settings say so."""
    MEASURED = 10
    """A run showed it."""
    REQUEST = 11
    """A function that answers requests."""

    @property
    def label(self) -> str:
        """The kind as reports name it."""
        return self.name.lower().replace("_", " ")

    @property
    def is_loop(self) -> bool:
        """Whether the chain begins with a loop that was seen."""
        return self in (ReasonKind.LOOP, ReasonKind.ROUND, ReasonKind.QUEUE)


class Reason(NamedTuple):
    """Why something runs in every step.

    Attributes:
        text: for readers.
        kind: what it is.
        by_word: whether nothing but a word in a name says so, which no library calls anything by.
    """

    text: str
    kind: ReasonKind = ReasonKind.OTHER
    by_word: bool = False
