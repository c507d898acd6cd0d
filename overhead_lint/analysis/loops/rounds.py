"""What the rounds of loops are, and what shows it."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final, Protocol

from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["DECISIVE", "PLAIN_ROUNDS", "SURE", "Evidence", "LoopKind", "Roles", "Rounds", "Shown"]


class LoopKind(enum.Enum):
    """What the rounds of a loop are."""

    HOT = "hot"
    """Steps of training or inference."""
    AROUND = "around"
    """Holds a hot loop, or counts epochs: adds no heat of its own."""
    PLAIN = "plain"
    """Anything else: repeats what its place does."""


class Evidence(enum.IntEnum):
    """What shows that rounds are steps, or parts of them, from the strongest."""

    BACKWARD = 0
    """``backward()`` is called."""
    OPTIMIZER = 1
    """An optimizer is stepped."""
    STEP = 2
    """A function is called that is a step by its name."""
    NEXT = 3
    """The next of a stream is taken."""
    MODEL = 4
    """A model is called."""
    ENVIRONMENT = 5
    """An environment is stepped."""
    SCHEDULER = 6
    """A scheduler is stepped."""
    QUEUE = 7
    """What a queue gives is served."""
    CALLEE = 8
    """A function of the file is called that takes a step."""
    TRAINING = 9
    """A whole training is called: rounds are no steps."""
    WORK = 10
    """Tensors are worked with, or a model is handed over: this alone shows nothing."""
    ITEMS = 11
    """Batches are gone over, or numbers of steps."""
    PARTS = 12
    """Rounds hold a loop over the parts of one step."""


DECISIVE: Final = tuple([one for one in Evidence if one < Evidence.TRAINING])
SURE: Final = (Evidence.BACKWARD, Evidence.OPTIMIZER, Evidence.NEXT)
"""What rounds show that are steps, whatever their number is called."""


class Shown(NamedTuple):
    """Evidence in a loop.

    Attributes:
        evidence: what is shown.
        at: the operation that shows it: what is called, stepped, taken from or gone over; -1 for the whole
            data that a function is given.
        text: that as it is written, cut short.
        takes_step: whether that is known by what stands in a function, and not by its name.
        is_unsure: whether a round may as well be a whole of many steps: a generation, a recording or a fold
            of a cross-validation. Loops over loaders, and those that call ``backward()`` or step an
            optimizer, go round once a step. Where a model, a function of the project, an environment or a
            scheduler tells of steps, what waits for the device shows as well, but what takes the host
            microseconds does not. In 114 packages that nobody had looked at before, rules that are
            `Rule.brief` were right in 23 of 106 places under such loops, and in 263 of 353 under others; the
            other rules in 104 of 142 and 1,018 of 1,219 (evaluation/strangers.md).
    """

    evidence: Evidence
    at: int
    text: str
    takes_step: bool = False
    is_unsure: bool = False


class Rounds(NamedTuple):
    """A judged loop.

    Attributes:
        kind: what its rounds are.
        shown: what shows it; None unless it is hot.
        place: where it stands, as a position.
        by_name: whether a name alone tells that its rounds are steps.
    """

    kind: LoopKind
    shown: Shown | None = None
    place: int = 0
    by_name: bool = False


PLAIN_ROUNDS: Final = Rounds(LoopKind.PLAIN)


class Roles(Protocol):
    """What functions are for what they, and their classes, are called and derive from."""

    def is_step(self, body: Body) -> bool:
        """Whether a function runs in every step."""

    def is_cold(self, body: Body) -> bool:
        """Whether a function never runs in a step, whoever calls it."""

    def is_of_module(self, body: Body) -> bool:
        """Whether a function stands in a class of modules."""

    def is_operator(self, body: Body) -> bool:
        """Whether a library offers a function to be called with all that there is in the place of a batch."""
