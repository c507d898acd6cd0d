"""The order of findings: the tier first, then what causes them, then what they cost."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from overhead_lint.report.blocks import blocks
from overhead_lint.rule import Heat, ReasonKind, Tier
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import TypeVar

    from overhead_lint.report.blocks import Block
    from overhead_lint.report.expected_cost import Cost
    from overhead_lint.rule import Finding
    from overhead_lint.syntax.source import Source

    Item = TypeVar("Item", bound=Hashable)
    Expense = tuple[float, float, int]

__all__ = ["TIERS", "Group", "Ranked", "by_cost", "grouped", "in_groups", "kinds_of", "less_if_alike"]

TIERS: Final = (Tier.STALL, Tier.HOST, Tier.CORRECTNESS, Tier.MINOR, Tier.MICRO)
"""The tiers as reports have them, first what matters most."""
_CAUSES: Final = {
    ReasonKind.MODULE: "modules, whenever they are called",
    ReasonKind.AUTOGRAD: "autograd functions, whenever they are used",
    ReasonKind.OPTIMIZER: "steps of optimizers and schedulers",
    ReasonKind.HOOK: "hooks, whenever they run",
    ReasonKind.DATA: "data sets, for every sample or batch",
    ReasonKind.SETTINGS: "the setting hot",
    ReasonKind.MEASURED: "measured",
    ReasonKind.REQUEST: "functions that answer requests",
}
_ELSEWHERE: Final = "other places"


class Group(NamedTuple):
    """Blocks of findings of one tier that one step causes.

    Attributes:
        tier: see there.
        cause: the loop or whatever else runs them, in words.
        blocks: the most expensive first.
    """

    tier: Tier
    cause: str
    blocks: Sequence[Block]


class Ranked(NamedTuple):
    """What a finding is sorted by.

    Attributes:
        tier: see there.
        cause: the loop or whatever else runs it.
        expense: two costs, below zero, as far as it is likely to be worth a change, and its number.
        kinds: what it is alike by.
    """

    tier: Tier
    cause: str
    expense: Expense
    kinds: tuple[Hashable, ...]


def grouped(
    findings: Iterable[Finding], cost: Callable[[Finding], Cost], sources: Mapping[Path, Source]
) -> list[Group]:
    """Return findings as blocks, in groups: by tier, and in a tier that group first that likely costs most.

    A cost counts as far as the finding is likely to be worth a change, and rounds as far as their number is
    written: what runs in loops of unknown length is worth one no more often than what runs once. In a tier
    what a rule finds in a file once more counts less each time, and so does what it says in the same words of
    another file: who mends the first place sees the others. A block goes by what its first finding is.

    Args:
        findings: by file and place.
        cost: prices a finding.
        sources: the files of the findings.
    """
    sought, found = [], blocks(findings, cost, sources)
    for number, (finding, *_) in enumerate(found):
        price = cost(finding)
        surely, likely = price.surely, min(finding.worth, finding.confidence)
        expense = -(surely.seconds or 0.0) * likely, -surely.executions * likely, number
        kinds = kinds_of(finding.path, finding.code, finding.message)
        sought.append(Ranked(price.tier, _cause(finding), expense, kinds))
    return [Group(*key, [found[number] for number in numbers]) for key, numbers in in_groups(sought)]


def in_groups(items: Sequence[Ranked]) -> list[tuple[tuple[Tier, str], list[int]]]:
    """Return the numbers of findings in groups, by tier and cause, as `grouped` orders them.

    Args:
        items: what is known of each; the last of its expense is its number.
    """
    tiers: dict[Tier, list[int]] = {}
    members: dict[tuple[Tier, str], list[int]] = {}
    for number, item in enumerate(items):
        tiers.setdefault(item.tier, []).append(number)
        members.setdefault((item.tier, item.cause), []).append(number)
    expenses: dict[int, Expense] = {}
    for numbers in tiers.values():
        expenses.update(
            less_if_alike(numbers, lambda number: items[number].expense, lambda number: items[number].kinds)
        )

    def expense_of_all(key: tuple[Tier, str]) -> tuple[int, float, float, int]:
        seconds, executions, _ = map(sum, zip(*map(expenses.__getitem__, members[key]), strict=True))
        return TIERS.index(key[0]), seconds, executions, members[key][0]

    return [
        (key, sorted(members[key], key=expenses.__getitem__)) for key in sorted(members, key=expense_of_all)
    ]


def kinds_of(path: Hashable, code: str, message: str) -> tuple[Hashable, ...]:
    """Return what a finding is alike by: its rule in its file, and its rule in its words anywhere."""
    return (path, code), (code, message)


def less_if_alike(
    items: Iterable[Item],
    expense: Callable[[Item], Expense],
    kinds: Callable[[Item], Iterable[Hashable]],
) -> dict[Item, Expense]:
    """Return what items count for: the second one of a kind for half its cost, the third for a third.

    Args:
        items: them.
        expense: two costs of an item, below zero, and what decides where they are alike.
        kinds: what an item is alike by; the kind with the most items before it counts.
    """
    counts: Counter[Hashable] = Counter()
    found = {}
    for item in sorted(items, key=expense):
        counts.update(kinds(item))
        times = max(counts[kind] for kind in kinds(item))
        first, second, rest = expense(item)
        found[item] = (first / times, second / times, rest)
    return found


def by_cost(
    findings: Iterable[Finding], cost: Callable[[Finding], Cost], sources: Mapping[Path, Source]
) -> list[Finding]:
    """Return findings in the order of `grouped`: of a tier those first that others are told by."""
    tiers: dict[Tier, tuple[list[Finding], list[Finding]]] = {}
    for group in grouped(findings, cost, sources):
        first, told = tiers.setdefault(group.tier, ([], []))
        for block in group.blocks:
            first.append(block.first)
            told += block.told
    return [finding for first, told in tiers.values() for finding in (*first, *told)]


def _cause(finding: Finding) -> str:
    warmth = finding.warmth
    if warmth.heat is Heat.COLD:
        return _ELSEWHERE
    return warmth.begins if warmth.kind.is_loop else _CAUSES.get(warmth.kind, _ELSEWHERE)
