"""Findings that one change mends, told as one: those of a function and a step, and copies of the function."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from overhead_lint.report.chain_places import ITEMS
from overhead_lint.report.expected_cost import LARGE
from overhead_lint.report.place import is_notebook
from overhead_lint.rule import Heat
from overhead_lint.syntax.function_heads import code_at, function_heads
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
    from pathlib import Path

    from overhead_lint.report.expected_cost import Cost
    from overhead_lint.rule import Finding, Place
    from overhead_lint.syntax.source import Source

__all__ = ["Block", "blocks", "told_by"]

_NUMBER: Final = re.compile(r"\d+")


class Block(NamedTuple):
    """What one change mends.

    Attributes:
        first: the finding that costs the most, which tells the others.
        others: of the same function, in the order of their places.
        copies: blocks of the same function, written once more elsewhere.
    """

    first: Finding
    others: tuple[Finding, ...] = ()
    copies: tuple[Block, ...] = ()

    @property
    def told(self) -> list[Finding]:
        """The findings that the first one tells."""
        return [*self.others, *(one for copy in self.copies for one in (copy.first, *copy.told))]


class _Step(NamedTuple):
    """What findings of one block share.

    Attributes:
        path: of their file.
        function: its name in paths; "" for the top level.
        root: what runs it: several loops of one function are several steps.
    """

    path: Path
    function: str
    root: tuple[Place, ...]


def blocks(
    findings: Iterable[Finding], cost: Callable[[Finding], Cost], sources: Mapping[Path, Source]
) -> list[Block]:
    """Return findings as blocks, in the order in which the first finding of each came.

    What stalls a step or takes host time stands in a block with all such of its function that runs in the
    same step, and so do blocks of functions that are written the same. What nothing is known to run, what is
    small, and what is in a notebook stands for itself.

    Args:
        findings: in any order.
        cost: prices a finding.
        sources: the files of the findings.
    """
    together: dict[Hashable, list[Finding]] = {}
    prices = {}
    for number, finding in enumerate(findings):
        prices[id(finding)] = price = cost(finding)
        step = _step(finding) if price.tier in LARGE else None
        together.setdefault(step or number, []).append(finding)

    def expense(finding: Finding) -> tuple[int, float, float, float]:
        price = prices[id(finding)]
        likely = min(finding.worth, finding.confidence)
        return LARGE.index(price.tier), -(price.seconds or 0.0), -price.executions, -likely

    found = []
    by_name: dict[tuple[str, str, str], list[tuple[_Step, Block]]] = {}
    for key, several in together.items():
        first = min(several, key=expense) if len(several) > 1 else several[0]
        block = Block(first, tuple(one for one in several if one is not first))
        found.append(block)
        if isinstance(key, _Step):
            name = key.function.rpartition(".")[2]
            by_name.setdefault((name, first.code, first.message), []).append((key, block))
    maybe = [one for several in by_name.values() if len(several) > 1 for one in several]
    copies = {}
    for same in _written_alike(maybe, sources):
        original, *others = _by_age(same)
        copies[id(original)] = tuple(others)
    told = {id(block) for others in copies.values() for block in others}
    return [block._replace(copies=copies.get(id(block), ())) for block in found if id(block) not in told]


def told_by(found: Iterable[Block]) -> dict[int, Finding]:
    """Return which finding tells another, by the other's identity."""
    return {id(one): block.first for block in found for one in block.told}


def _step(finding: Finding) -> _Step | None:
    """What a finding shares with others of its block; None where it stands for itself."""
    standing, warmth = finding.standing, finding.warmth
    if standing is None or warmth.heat is Heat.COLD or is_notebook(finding.path):
        return None
    return _Step(finding.path, standing.function.removesuffix(ITEMS), warmth.places[:1])


def _written_alike(
    maybe: Iterable[tuple[_Step, Block]], sources: Mapping[Path, Source]
) -> Iterator[list[Block]]:
    """Yield blocks of functions that are written the same, but for comments and for the name of a class."""
    by_file: dict[Path, list[tuple[_Step, Block]]] = {}
    for step, block in maybe:
        by_file.setdefault(step.path, []).append((step, block))
    same: dict[Hashable, list[Block]] = {}
    for path, written in by_file.items():
        text = sources[path].text
        heads = function_heads(text)
        numbers: Counter[str] = Counter()  # of the steps of a function
        for (_, name, _), block in written:
            code = code_at(text, heads[name]) if name in heads else ()
            numbers[name] += 1
            key = code, numbers[name], block.first.code
            same.setdefault(key if code else id(block), []).append(block)
    yield from (several for several in same.values() if len(several) > 1)


def _by_age(same: list[Block]) -> list[Block]:
    """Copies in an order in which the one that is likely to be the original, or to live, is the first.

    It is one that a loop is seen to reach, then one in the fewest folders, and of paths that differ in
    numbers only the one with the highest.
    """
    places: dict[str, int] = {}

    def age(block: Block) -> tuple[bool, int, int, tuple[int, ...]]:
        path = block.first.path.as_posix()
        place = places.setdefault(_NUMBER.sub("0", path), len(places))
        numbers = tuple(-int(number) for number in _NUMBER.findall(path))
        return not block.first.warmth.kind.is_loop, path.count("/"), place, numbers

    return sorted(same, key=age)
