"""What a finding is expected to cost in a step: its tier, and an estimate where the host alone pays.

Executions a step times what an execution costs. The former follow from the heat of the place and from loops
whose rounds are written there; the latter from the table of a reference machine, or from this one's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.measure.rule_costs import RuleCosts, kept_costs
from overhead_lint.report.reference_costs import MACHINE, SECONDS
from overhead_lint.rule import Heat, Tier
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhead_lint.rule import Finding

__all__ = ["CLEARLY_WORTH", "LEAST_WORTH", "ROUNDS", "Cost", "Pricing", "bar", "reference", "tier_of"]

ROUNDS: Final = 10
"""How often what runs many times a step is taken to run, where nothing says."""
_LEAST_OF_HOST: Final = 10e-6
"""Seconds a step from which on a finding is more than micro."""
LEAST_WORTH: Final = 0.15
"""How likely a finding is worth a change at least, for it not to be minor."""
CLEARLY_WORTH: Final = 0.4
"""How likely it is where that is enough whatever else is found."""
_NEARLY: Final = 0.95
"""What is as likely as the likeliest: caches round likelihoods, and names of files tell little."""
_LARGE: Final = (Tier.STALL, Tier.HOST)
"""The tiers of what may be worth a change of its own."""


class Cost(NamedTuple):
    """What a finding costs, or what its fix would save.

    Attributes:
        tier: what kind of cost it is.
        seconds: of the host, a step; None for waits, whose length only the device's queue decides, and where
            no case of the rule was timed.
        executions: how often it runs, a step, with all that it tells; 0.0 where that does not matter.
        each: what an execution costs, in seconds; None as above.
        is_measured: whether a run of the program measured it; otherwise it is an estimate.
        is_assumed: whether nothing says how many times a step it runs, but that it is more than once.
        waits: whether the host waits for the device, whatever the tier is.
    """

    tier: Tier
    seconds: float | None = None
    executions: float = 0.0
    each: float | None = None
    is_measured: bool = False
    is_assumed: bool = False
    waits: bool = False

    @property
    def surely(self) -> Cost:
        """What it costs where what runs more than once, and nobody knows how often, runs once."""
        if not self.is_assumed:
            return self
        seconds = self.seconds / ROUNDS if self.seconds is not None else None
        return self._replace(seconds=seconds, executions=self.executions / ROUNDS)


class Pricing:
    """Prices findings by a table.

    Args:
        table: what executions cost.
        among: what a run found, by which `bar` says what is minor.
    """

    def __init__(self, table: RuleCosts, among: Iterable[Finding] = ()) -> None:
        self.table = table
        judged = [one.worth for one in among if one.worth < 1.0 and self._may_be_large(one)]
        self._bar = bar(judged)

    def cost(self, finding: Finding) -> Cost:
        """What a finding is expected to cost; of one that stands for others, all of them together."""
        cost = self._whatever_it_is_worth(finding)
        is_small = finding.worth < self._bar or _is_beside_the_point(finding)
        return cost._replace(tier=Tier.MINOR) if is_small and cost.tier in _LARGE else cost

    def _may_be_large(self, finding: Finding) -> bool:
        return self._whatever_it_is_worth(finding).tier in _LARGE and not _is_beside_the_point(finding)

    def _whatever_it_is_worth(self, finding: Finding) -> Cost:
        tier = finding.tier
        if tier is Tier.CORRECTNESS:
            return Cost(tier)
        if finding.warmth.heat is Heat.REQUEST:
            return Cost(Tier.MICRO)  # also a wait: beside the steps of its request it is one of many
        executions = _executions(finding) * (1 + len(finding.also))
        is_assumed = finding.warmth.heat is Heat.LOOP and not finding.rounds
        if tier is Tier.STALL:
            return Cost(tier, None, executions, is_assumed=is_assumed, waits=True)
        each = self.table.seconds.get(finding.code)
        if each is None:
            return Cost(tier or Tier.HOST, None, executions, is_assumed=is_assumed)
        seconds = each * executions
        return Cost(tier or tier_of(seconds), seconds, executions, each, is_assumed=is_assumed)


def bar(likelihoods: Iterable[float]) -> float:
    """Return how likely findings are worth a change at least that are not minor, among some.

    That is clearly, or where none of them is, nearly as likely as the likeliest.
    """
    return max(LEAST_WORTH, min(CLEARLY_WORTH, _NEARLY * max(likelihoods, default=0.0)))


def _is_beside_the_point(finding: Finding) -> bool:
    """Whether evaluations alone run it, or the host waits in the same pass anyway."""
    stays = bool(finding.stays_at) or (finding.warmth.stays is not None and not finding.decides)
    is_kept = finding.tier is Tier.STALL and stays and not finding.warmth.is_measured
    return is_kept or finding.warmth.evaluates


def tier_of(seconds: float) -> Tier:
    """The tier of what takes the host so many seconds a step."""
    return Tier.HOST if seconds >= _LEAST_OF_HOST else Tier.MICRO


def _executions(finding: Finding) -> float:
    """How often a place runs in a step; what is cold itself costs where others use it, at least once."""
    heat = finding.warmth.heat
    return float(finding.rounds or ROUNDS) if heat is Heat.LOOP else 1.0


def reference(among: Iterable[Finding] = ()) -> Pricing:
    """Prices by what this machine timed, and by the table that ships where it timed nothing.

    Args:
        among: what a run found, as in `Pricing`.
    """
    own = kept_costs()
    if own is None:
        return Pricing(RuleCosts(MACHINE, SECONDS), among)
    return Pricing(RuleCosts(own.machine, {**SECONDS, **own.seconds}), among)
