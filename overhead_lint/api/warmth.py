"""How often places run, and why."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.api.reason_texts import LONGEST_CHAIN, reason_text
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.analysis.graph.gate import Gate
    from overhead_lint.analysis.graph.option import Option

__all__ = ["Heat", "Place", "Repeated", "Standing", "Warmth"]


class Heat(enum.IntEnum):
    """How often a place runs, from least to most."""

    COLD = 0
    """Import, construction, set-up, error paths, checkpoints, every-N-steps logging."""
    PRESUMED = 1
    """Tensor work of which no caller is known."""
    REQUEST = 2
    """Once a request: a generation or an evaluation of many steps, or what a server answers."""
    STEP = 3
    """Once or more in each training or inference step."""
    LOOP = 4
    """Many times in a step."""

    @property
    def label(self) -> str:
        """The lower-case word used in reports and settings."""
        return _LABELS[self]


_LABELS: Final = {heat: heat.name.lower() for heat in Heat}


class Place(NamedTuple):
    """A link of a chain of calls: a loop, or a function that is called.

    Attributes:
        path: the file, as reasons name it.
        function: the name in paths of the function, or of the one that the loop is in; "" for the top level.
        line: of the loop; 0 for a function, whose head is looked for where it is shown.
    """

    path: str
    function: str
    line: int = 0


class Repeated(enum.IntEnum):
    """Whether a loop runs a place many times for each time that its function or the last loop does."""

    NO = 0
    LOOP = 1
    """A loop of the function around it."""
    LOOP_OF_ITS_OWN = 2
    """The loop that the chain begins with does, for it runs once or more in each step."""


class Warmth(NamedTuple):
    """Heat of a place, with the reason as a call chain.

    It reads from the outside in: ``train.py:88 loop over loader -> Trainer.step -> Model.forward``.
    """

    heat: Heat
    begins: str
    """The first link of the chain, or what keeps the place cold; "" where a gate does. It is for readers:
    what rules ask of it stands beside it."""
    kind: ReasonKind = ReasonKind.OTHER
    """What the chain begins with, or why the place is cold."""
    gate: Gate | None = None
    """The gate that keeps the place cold; None where none does."""
    options: tuple[Option, ...] = ()
    """The options whose defaults keep the place from running, or may."""
    is_round_unknown: bool = False
    """Whether it is presumed since nobody knows how much a round of its loop does."""
    has_requests: bool = False
    """Of a function: whether the rounds of its hot loops are requests, which take many steps each."""
    places: tuple[Place, ...] = ()
    """Where the links of the chain are, loops and functions, from the outside in; none where it is cold."""
    repeated: Repeated = Repeated.NO
    """Whether a loop runs the place many times for each time that the chain leads to."""
    evaluates: bool = False
    """Whether evaluations and predictions alone run the place, in a project that trains as well."""
    has_evaluations: bool = False
    """Of a function: whether its hot loops that may be evaluations are some, in such a project."""
    stays: Place | None = None
    """A function that makes the host wait in each pass with the place, whatever is mended; None if nobody
    knows."""
    stays_in_rounds: Place | None = None
    """Of a function: one that does in each round of its hot loop, unless the round may be an evaluation."""

    @property
    def links(self) -> int:
        """How many links of the chain are told."""
        return min(len(self.places), LONGEST_CHAIN)

    @property
    def why(self) -> str:
        """All of it in words, for readers."""
        return reason_text(
            self.begins,
            [place.function for place in self.places[1:]],
            self.gate,
            self.options,
            repeated=self.repeated,
            is_round_unknown=self.is_round_unknown,
            is_request=self.heat is Heat.REQUEST and self.kind is not ReasonKind.REQUEST,
        )

    @classmethod
    def measured(cls, heat: Heat, what: str) -> Warmth:
        """Heat that a run showed, and what it counted."""
        return cls(heat, f"measured: {what}", ReasonKind.MEASURED)

    @property
    def is_measured(self) -> bool:
        """Whether a run showed it, so that it is worth telling even where it is cold."""
        return self.kind is ReasonKind.MEASURED


class Standing(NamedTuple):
    """Where something stands in its function: its heat follows as soon as the function's is known."""

    function: str
    """The function's name in the project graph: ``.Model.forward``; "" for the top level of a file."""
    frequency: int
    """How often it runs, compared with the function: `overhead_lint.analysis.graph.frequency.Frequency`."""
    why: str
    """The reason of a hot loop, or why the whole file is cold."""
    kind: ReasonKind = ReasonKind.OTHER
    """What a hot loop is."""
    gate: Gate | None = None
    """The gate that it is behind in its function; None for none."""
    options: tuple[Option, ...] = ()
    """The options whose defaults keep it from running."""
    line: int = 0
    """Of the hot loop; 0 for none."""
    may_evaluate: bool = False
    """Whether the rounds of the hot loop may be those of an evaluation: none hangs on the one before."""
