"""The order of findings: the tier first, then what causes them, then what they cost."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from overhead_lint.api.warmth import LINK
from overhead_lint.rule import Heat, ReasonKind, Tier
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence
    from typing import TypeVar

    from overhead_lint.report.expected_cost import Cost
    from overhead_lint.rule import Finding

    Item = TypeVar("Item")

__all__ = ["TIERS", "Group", "by_cost", "grouped", "with_alike_later"]

TIERS: Final = (Tier.STALL, Tier.HOST, Tier.CORRECTNESS, Tier.MINOR, Tier.MICRO)
"""The tiers as reports have them, first what matters most."""
_LOOPS: Final = frozenset({ReasonKind.LOOP, ReasonKind.ROUND, ReasonKind.QUEUE})
_CAUSES: Final = {
    ReasonKind.MODULE: "modules, whenever they are called",
    ReasonKind.AUTOGRAD: "autograd functions, whenever they are used",
    ReasonKind.OPTIMIZER: "steps of optimizers and schedulers",
    ReasonKind.HOOK: "hooks, whenever they run",
    ReasonKind.DATA: "data sets, for every sample or batch",
    ReasonKind.SETTINGS: "the setting hot",
    ReasonKind.MEASURED: "measured",
}
_IN_LOOP: Final = ", in a loop"
"""Begins what is said behind a link that a loop runs many times."""
_ELSEWHERE: Final = "other places"


class Group(NamedTuple):
    """Findings of one tier that one step causes.

    Attributes:
        tier: see there.
        cause: the loop or whatever else runs them, in words.
        findings: the most expensive first.
    """

    tier: Tier
    cause: str
    findings: Sequence[Finding]


def grouped(findings: Sequence[Finding], cost: Callable[[Finding], Cost]) -> list[Group]:
    """Return findings in groups: by tier, and in a tier the group first that is likely to cost the most.

    A cost counts as far as the finding is likely to be worth a change. In a group what a rule finds in a file
    once more counts less each time: who mends the first place sees the others.

    Args:
        findings: by file and place.
        cost: prices a finding.
    """
    prices = [cost(finding) for finding in findings]
    members: dict[tuple[Tier, str], list[int]] = {}
    for number, finding in enumerate(findings):
        members.setdefault((prices[number].tier, _cause(finding)), []).append(number)

    def expense(number: int) -> tuple[float, float, int]:
        price = prices[number]
        likely = min(findings[number].worth, findings[number].confidence)
        return -(price.seconds or 0.0) * likely, -price.executions * likely, number

    def expense_of_all(key: tuple[Tier, str]) -> tuple[int, float, float, int]:
        seconds, executions, _ = map(sum, zip(*map(expense, members[key]), strict=True))
        return TIERS.index(key[0]), seconds, executions, members[key][0]

    def kind(number: int) -> tuple[object, str]:
        return findings[number].path, findings[number].code

    return [
        Group(*key, [findings[number] for number in with_alike_later(members[key], expense, kind)])
        for key in sorted(members, key=expense_of_all)
    ]


def with_alike_later(
    items: Iterable[Item],
    expense: Callable[[Item], tuple[float, float, int]],
    kind: Callable[[Item], Hashable],
) -> list[Item]:
    """Return items by what they cost, of which the second one of a kind counts half, the third a third.

    Args:
        items: them.
        expense: two costs of an item, below zero, and what decides where they are alike.
        kind: what items are alike by.
    """
    counts: Counter[Hashable] = Counter()
    costs = []
    for item in sorted(items, key=expense):
        counts[kind(item)] += 1
        first, second, rest = expense(item)
        costs.append(((first / counts[kind(item)], second / counts[kind(item)], rest), item))
    return [item for _, item in sorted(costs, key=lambda one: one[0])]


def by_cost(findings: Sequence[Finding], cost: Callable[[Finding], Cost]) -> list[Finding]:
    """Return findings in the order of `grouped`."""
    return [finding for group in grouped(findings, cost) for finding in group.findings]


def _cause(finding: Finding) -> str:
    warmth = finding.warmth
    if warmth.heat is Heat.COLD:
        return _ELSEWHERE
    return _first_link(warmth.chain) if warmth.kind in _LOOPS else _CAUSES.get(warmth.kind, _ELSEWHERE)


def _first_link(chain: str) -> str:
    """The loop that a chain begins with, without what is said of how often it runs."""
    return chain.partition(LINK)[0].partition(_IN_LOOP)[0]
