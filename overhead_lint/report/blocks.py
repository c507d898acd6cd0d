"""Findings that one change mends, told as one: all waits of a step, what stands beside them, and copies."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from overhead_lint.report.chain_places import ITEMS
from overhead_lint.report.place import is_notebook
from overhead_lint.rule import Heat, Tier
from overhead_lint.syntax.function_heads import code_at, function_heads
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from pathlib import Path

    from overhead_lint.report.expected_cost import Cost
    from overhead_lint.rule import Finding, Place
    from overhead_lint.syntax.source import Source

__all__ = ["Block", "blocks", "told_by"]

_TOLD: Final = (Tier.STALL, Tier.HOST, Tier.MINOR, Tier.CORRECTNESS)
"""The tiers of what others may tell or be told by, first what tells."""
_NUMBER: Final = re.compile(r"\d+")


class Block(NamedTuple):
    """What one change mends.

    Attributes:
        first: the finding that costs the most, which tells the others.
        others: of the same step, or in the same words, in the order in which they came.
        copies: blocks of the same functions, written once more elsewhere.
    """

    first: Finding
    others: tuple[Finding, ...] = ()
    copies: tuple[Block, ...] = ()

    @property
    def told(self) -> list[Finding]:
        """The findings that the first one tells."""
        return [*self.others, *(one for copy in self.copies for one in (copy.first, *copy.told))]


class _Step(NamedTuple):
    """What findings of one function share.

    Attributes:
        path: of their file.
        function: its name in paths; "" for the top level.
        root: what runs it: several loops of one function are several steps.
    """

    path: Path
    function: str
    root: tuple[Place, ...]


_InStep = tuple[_Step, "Finding"]
"""A finding with the step that it runs in."""


class _Item(NamedTuple):
    """A finding with what it costs, and where it runs; None where it stands for itself."""

    finding: Finding
    cost: Cost
    step: _Step | None

    @property
    def expense(self) -> tuple[int, float, float, float]:
        """What the most expensive one has the least of."""
        finding, cost = self.finding, self.cost
        likely = min(finding.worth, finding.confidence)
        return _TOLD.index(cost.tier), -(cost.seconds or 0.0), -cost.executions, -likely


def blocks(
    findings: Iterable[Finding], cost: Callable[[Finding], Cost], sources: Mapping[Path, Source]
) -> list[Block]:
    """Return findings as blocks, in the order in which the first finding of each came.

    A step is faster when nothing in it waits any more: all its waits stand in one block, whatever functions
    and files they are in, with what takes host time in these functions. Where nothing waits, what takes host
    time stands with what else does so in its function and step. Blocks of functions that are written the same
    are one, and so is what a rule says of correctness in the same words, as of an API that is gone. What else
    nothing is known to run, what takes microseconds, and what is in a notebook stands for itself.

    Args:
        findings: in any order.
        cost: prices a finding.
        sources: the files of the findings.
    """
    items = []
    for finding in findings:
        price = cost(finding)
        is_cost = price.tier in _TOLD and price.tier is not Tier.CORRECTNESS
        items.append(_Item(finding, price, _step(finding) if is_cost else None))
    waiting = {item.step for item in items if item.cost.waits and item.step is not None}
    together: dict[Hashable, list[_Item]] = {}
    for number, item in enumerate(items):
        key: Hashable = item.step or number
        if item.cost.tier is Tier.CORRECTNESS and not is_notebook(item.finding.path):
            key = item.finding.code, item.finding.message
        elif item.step is not None and item.step in waiting:
            key = item.step.root or item.step
        together.setdefault(key, []).append(item)
    found = []
    for several in together.values():
        first = min(several, key=lambda item: item.expense) if len(several) > 1 else several[0]
        block = Block(first.finding, tuple([one.finding for one in several if one is not first]))
        found.append((block, [(one.step, one.finding) for one in several if one.step is not None]))
    copies = _copies(found, sources)
    told = {id(block) for others in copies.values() for block in others}
    return [
        block._replace(copies=tuple(copies.get(id(block), ()))) for block, _ in found if id(block) not in told
    ]


def told_by(found: Iterable[Block]) -> dict[int, Finding]:
    """Return which finding tells another, by the other's identity."""
    return {id(one): block.first for block in found for one in block.told}


def _step(finding: Finding) -> _Step | None:
    """What a finding shares with others of its block; None where it stands for itself."""
    standing, warmth = finding.standing, finding.warmth
    if standing is None or warmth.heat is Heat.COLD or is_notebook(finding.path):
        return None
    return _Step(finding.path, standing.function.removesuffix(ITEMS), warmth.places[:1])


def _copies(
    found: Sequence[tuple[Block, Sequence[_InStep]]], sources: Mapping[Path, Source]
) -> dict[int, list[Block]]:
    """Return blocks all of whose functions are written the same in another one, by the other's identity.

    Comments and the name of a class don't count.

    Args:
        found: blocks, with all in each that runs in steps, and these.
        sources: the files of the findings.
    """
    said = Counter(name for _, standing in found for name in {_name(*one) for one in standing})
    roots: dict[tuple[Path, str], list[tuple[Place, ...]]] = {}  # of the steps of a function
    maybe = []
    for block, standing in found:
        for (path, function, root), _ in standing:
            known = roots.setdefault((path, function), [])
            known += [root] if root not in known else []
        shared = [one for one in standing if said[_name(*one)] > 1]
        if shared:
            maybe.append((block, shared, len(shared) == len(standing)))
    codes = _Codes(sources)
    originals: dict[Hashable, list[tuple[Block, frozenset[Hashable]]]] = {}
    copies: dict[int, list[Block]] = {}
    for block, shared, is_whole in map(maybe.__getitem__, _by_age([block for block, *_ in maybe])):
        written = frozenset(
            [
                (codes.of(step.path, step.function), roots[step[:2]].index(step.root), *_name(step, one))
                for step, one in shared
            ]
        )
        others = originals.get(next(iter(written)), ()) if is_whole else ()
        original = next((other for other, its in others if written <= its), None)
        if original is not None:
            copies.setdefault(id(original), []).append(block)
            continue
        for one in written:
            originals.setdefault(one, []).append((block, written))
    return copies


def _name(step: _Step, finding: Finding) -> tuple[str, str, str]:
    """What a finding has in common with the same one of a copy of its function."""
    return step.function.rpartition(".")[2], finding.code, finding.message


class _Codes:
    """The code of functions.

    Args:
        sources: the files of the findings.
    """

    def __init__(self, sources: Mapping[Path, Source]) -> None:
        self._sources = sources
        self._heads: dict[Path, dict[str, int]] = {}
        self._known: dict[tuple[Path, str], Hashable] = {}

    def of(self, path: Path, function: str) -> Hashable:
        """Return the code of a function, without comments; what no other one has where it is not found."""
        known = self._known.get((path, function))
        if known is None:
            text = self._sources[path].text
            heads = self._heads.get(path)
            if heads is None:
                heads = self._heads[path] = function_heads(text)
            known = code_at(text, heads[function]) if function in heads else (path, function)
            self._known[path, function] = known
        return known


def _by_age(several: Sequence[Block]) -> list[int]:
    """Return the numbers of blocks, those first that are likely to be originals, or to live.

    That is one that a loop is seen to reach, then what tells most, what lies in the fewest folders, and of
    paths that differ in numbers only the one with the highest.
    """
    places: dict[str, int] = {}

    def age(number: int) -> tuple[bool, int, int, int, tuple[int, ...]]:
        block = several[number]
        path = block.first.path.as_posix()
        place = places.setdefault(_NUMBER.sub("0", path), len(places))
        numbers = tuple(-int(number) for number in _NUMBER.findall(path))
        return not block.first.warmth.kind.is_loop, -len(block.others), path.count("/"), place, numbers

    return sorted(range(len(several)), key=age)
