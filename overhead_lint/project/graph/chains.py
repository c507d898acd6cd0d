"""Why functions are as hot as they are: the calls that heat came by, in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Protocol

from overhead_lint.api.heat_reasons import LINK, NOT_SHOWN
from overhead_lint.project.graph.heat_flow import (
    AS_HOT,
    AS_OFFERED,
    AS_PRESUMED,
    AS_STEPPING,
    AS_UNNAMED,
    BY_EDGE,
    by_edge,
)
from overhead_lint.project.graph.numbered_graph import FOR_ITEMS, HEAT, HEAT_BITS, OPTIONAL, PLACE, TARGET
from overhead_lint.project.graph.traits import ITEMS, Traits, named
from overhead_lint.project.library_functions import PRIVATE, STEP
from overhead_lint.project.option_texts import (
    OPTION,
    UNNAMED,
    but_unnamed,
    not_by_default,
    options_in,
    without_options,
)
from overhead_lint.project.placement import Place
from overhead_lint.rule import Heat
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from overhead_lint.project.graph.numbered_graph import NumberedGraph

__all__ = ["Chains", "Link", "Words", "cold", "label", "shortened"]

_LONGEST_CHAIN: Final = 6
_NUMBER: Final = re.compile(r" \d+>")


class Link(NamedTuple):
    """A link of the chain that heat came by.

    Attributes:
        text: a hot loop, why a function is hot for what it is, or a called function.
        function: the function that it is, or that the loop is in, by its number.
    """

    text: str
    function: int


class Words(Protocol):
    """What is said of functions, by their numbers."""

    def name(self, function: int) -> str:
        """The name in paths."""

    def path(self, function: int) -> str:
        """The file as reasons name it."""

    def traits(self, function: int) -> Traits:
        """What it is."""

    def reasons(self, function: int) -> Sequence[str]:
        """For each of its edges the reason of the place where that begins."""

    def off(self, function: int) -> Mapping[str, str]:
        """The options of its file that are off by default, by their numbers there."""


class Chains:
    """Tells by which calls heat came.

    Args:
        graph: the project.
        reached: what heat reached, and what from, as `HeatFlow` gives it.
        words: what is said of functions.
    """

    def __init__(self, graph: NumberedGraph, reached: Mapping[int, int], words: Words) -> None:
        self._graph = graph
        self._reached = reached
        self._words = words

    def of(self, code: int) -> tuple[Link, ...]:
        """The chain to what heat reached, from its beginning; options that are off by default come last."""
        passed: list[Link] = []
        before, hangs_on = self._reached[code], ""
        while before >= 0:
            function, caller = code >> HEAT_BITS, before >> HEAT_BITS
            if not (self._graph.flags[function] & FOR_ITEMS and self._gives(caller, function)):
                passed.append(self._link(function))
            if code & HEAT == Heat.PRESUMED < before & HEAT:
                edges = range(self._graph.first[caller], self._graph.first[caller + 1])
                hangs_on = self._options(at for at in edges if self._graph.edges[at] >> TARGET == function)
            code, before = before, self._reached[before]
        if before <= BY_EDGE:
            hangs_on = hangs_on or self._options([by_edge(before)])
        *links, last = (*self.start(code >> HEAT_BITS, before), *reversed(passed))
        return (*links, last._replace(text=last.text + hangs_on))

    def _options(self, edges: Iterable[int]) -> str:
        """The options that the first of some edges with any hangs on, in words."""
        for edge in edges:
            if self._graph.edges[edge] & OPTIONAL:
                source = self._graph.source(edge)
                why = self._words.reasons(source)[edge - self._graph.first[source]]
                off = self._words.off(source)
                named = (one.removeprefix(UNNAMED) for one in options_in(why))
                return not_by_default("".join(OPTION + off[one] for one in named if one in off))
        return ""

    def _gives(self, function: int, other: int) -> bool:
        """Whether a function is a generator, and the other what it does for each item."""
        return self._words.name(other) == self._words.name(function) + ITEMS

    def start(self, function: int, how: int) -> tuple[Link, ...]:
        """The first links of a chain that begins at a function."""
        words, shown = self._words, label(self._words.name(function))
        if how == AS_HOT:
            return (Link(named(words.traits(function).hot, shown), function),)
        if how == AS_OFFERED:
            return (Link(f"{shown} {words.traits(function).offered.removeprefix(PRIVATE)}", function),)
        if how == AS_PRESUMED:
            return (Link(f"{shown} works with tensors and no caller of it is known", function),)
        if how == AS_UNNAMED:
            its = words.traits(function)
            why = named(its.hot, shown) or f"{shown} {its.offered.removeprefix(PRIVATE)}"
            return (Link(why + but_unnamed(words.off(function)[its.unnamed]), function),)
        if how == AS_STEPPING:
            return (Link(f"{shown} {STEP}", function),)
        edge = by_edge(how)
        source = self._graph.source(edge)
        why = without_options(words.reasons(source)[edge - self._graph.first[source]])
        if self._graph.edges[edge] & PLACE < Place.HOT << 3:
            return (Link(why.format(shown), function),)
        return Link(f"{words.path(source)}{why}", source), self._link(function)

    def _link(self, function: int) -> Link:
        return Link(label(self._words.name(function)), function)


def shortened(links: Sequence[Link]) -> str:
    """A chain as findings tell it."""
    texts = [link.text for link in links]
    if len(texts) > _LONGEST_CHAIN:
        texts[2 : len(texts) - (_LONGEST_CHAIN - 3)] = ["..."]
    return LINK.join(texts)


def label(name: str) -> str:
    """A function's name as it is shown: ``Model.forward`` for ``.Model.forward``."""
    shown = name[1:-1] if name.endswith(ITEMS) else name[1:]
    return _NUMBER.sub(">", shown) if ">" in shown else shown


def cold(name: str, traits: Traits, path: str) -> str:
    """Why a function that no heat reaches is cold."""
    if traits.cold:
        return named(traits.cold, label(name))
    if traits.hot_loop:
        return f"outside of the hot loop: {path}{traits.hot_loop}"
    return NOT_SHOWN if name else "runs at import"
