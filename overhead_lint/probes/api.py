"""Words that all probes share: metrics, causes, measurements. Imports neither torch nor pytest."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol

from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "Cause",
    "Measurement",
    "Metric",
    "MetricKind",
    "Moment",
    "Probe",
    "ProbeUnavailable",
    "Reading",
    "most_first",
]

_MOST_OPERATORS: Final = 4


class MetricKind(enum.Enum):
    """What a metric's numbers are like, and so what a budget on it can promise."""

    COUNT = "count"
    """Exact, the same in each run; gates CI."""
    TIME = "time"
    """Noisy, in seconds."""
    RATIO = "ratio"
    """Noisy, a time over that of a reference in the same run."""


class Metric(NamedTuple):
    """A named number that a probe yields."""

    name: str
    kind: MetricKind
    summary: str
    recorded: bool = True
    """Whether a budget file gets it unasked. Not where the number is not the test's own (pools that are
    warm or not), or changes with each edit of the code."""
    unit: str = ""
    """Of a count whose numbers are not things: ``bytes``."""
    per_step: bool = False
    """Whether `overhead-lint run` measures it in the steps that it looks at closely."""
    code: str = ""
    """The rule that is about such overhead; it says what to read on, not that the rule finds the line."""
    codes: tuple[tuple[str, str], ...] = ()
    """Of a metric that counts several things the rules by label, in place of `code`."""

    def code_of(self, label: str) -> str:
        """The rule that is about what a cause of this metric is, "" where there is none.

        Args:
            label: what happened at the line.
        """
        return dict(self.codes).get(label, self.code)


class Cause(NamedTuple):
    """A source line and how much of a metric it accounts for."""

    amount: float
    """How much of the metric: a number of events, guards ..., or seconds."""
    path: str
    """Absolute path, or "" where no user line is known (then `label` says what it was)."""
    line: int
    label: str
    """What happened there: ``forward``, ``backward of MmBackward0``, ``engine``, a guard source ..."""
    operators: tuple[tuple[str, int], ...] = ()
    """Operators and how much each accounts for, most first: of ``dispatches`` those dispatched, of other
    things those that Python called (``item``, where the wait is in ``_local_scalar_dense``)."""

    def told(self) -> str:
        """The label with the operators: ``forward (item)``, ``backward of MmBackward0 (2 mm, 1 t)``."""
        if not self.operators:
            return self.label
        if len(self.operators) == 1 and self.operators[0][1] == self.amount:
            return f"{self.label} ({self.operators[0][0]})"
        shown = [f"{amount} {name}" for name, amount in self.operators[:_MOST_OPERATORS]]
        rest = sum(amount for _, amount in self.operators[_MOST_OPERATORS:])
        return f"{self.label} ({', '.join(shown)}{f', {rest} more' if rest else ''})"


def most_first(amounts: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """The operators of a `Cause` from amounts by name, equal ones by name; what has no name is left out."""
    named = ((name, amount) for name, amount in amounts.items() if name)
    return tuple(sorted(named, key=lambda item: (-item[1], item[0])))


class Moment(NamedTuple):
    """One thing that happened, and when."""

    metric: str
    at: float
    """Seconds since the block began."""
    path: str
    """As in `Cause`, as are the line and the label."""
    line: int
    label: str


class Reading(NamedTuple):
    """What one probe measured."""

    values: Mapping[str, float]
    causes: Mapping[str, tuple[Cause, ...]]
    unavailable: Mapping[str, str] = MappingProxyType({})
    """Why a metric has no value, by its name: found out only while the block ran."""
    moments: tuple[Moment, ...] = ()
    """Device events, waits and copies in the order of time: the first of them, where there are many."""


@dataclass(frozen=True, slots=True, eq=False)
class Measurement:
    """What was measured while a block ran; filled when the block has ended.

    Attributes:
        values: number by metric name; counts are ints, times seconds.
        causes: source lines by metric name, most expensive first.
        unavailable: why a metric that was asked for has no value, by its name.
        notes: what has to be said of the causes of a metric, by its name.
        others: how much of a count was not the block's own, by metric and by whose it was: other threads but
            those in which autograd works on a device, and garbage collections.
        garbage: ``collections`` that Python ran meanwhile and the ``seconds`` they took; empty without.
        moments: when device events, waits and copies happened: the first of them, where there are many.
    """

    values: dict[str, float] = field(default_factory=dict)
    causes: dict[str, tuple[Cause, ...]] = field(default_factory=dict)
    unavailable: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    others: dict[str, dict[str, int]] = field(default_factory=dict)
    garbage: dict[str, float] = field(default_factory=dict)
    moments: list[Moment] = field(default_factory=list)


class ProbeUnavailable(RuntimeError):
    """A metric that cannot be measured here. Never to be taken for a zero.

    Args:
        metric: the metric asked for.
        why: what is missing, and what to do about it, in one line.
        also: the metrics of the same probe that lack the same.
    """

    def __init__(self, metric: str, why: str, also: frozenset[str] = frozenset()) -> None:
        super().__init__(f"{metric}: cannot be measured here: {why}")
        self.metric = metric
        self.why = why
        self.also = also


class Probe(Protocol):
    """Measures one kind of overhead while a block runs.

    A probe object serves one block: `start`, the block, `stop`. Constructing it and `start` may
    import torch; importing the module that defines it must not.
    """

    def start(self, metrics: frozenset[str]) -> None:
        """Begin. Raises `ProbeUnavailable` for a metric that cannot be measured here."""
        ...

    def stop(self) -> Reading:
        """End, and give the numbers of the metrics that `start` was given."""
        ...
