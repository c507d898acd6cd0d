"""Why functions are as hot as they are: the calls that heat came by, in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Protocol

from overhead_lint.api.heat_reasons import NOT_SHOWN, ReasonKind
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
from overhead_lint.project.vocabulary import ASKING_MODELS
from overhead_lint.project.words import words
from overhead_lint.rule import Heat
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from overhead_lint.project.graph.numbered_graph import NumberedGraph

__all__ = ["Chains", "Link", "Words", "cold", "label"]

_LINK: Final = " -> "
_LONGEST_CHAIN: Final = 6
_KINDS: Final = tuple(ReasonKind)
_MODULE: Final = frozenset({"__call__", "forward"})
_NUMBER: Final = re.compile(r" \d+>")


class Link(NamedTuple):
    """A link of the chain that heat came by.

    Attributes:
        text: a hot loop, why a function is hot for what it is, or a called function.
        function: the function that it is, or that the loop is in, by its number.
        kind: what a loop or function is hot for; of no meaning for what others call.
    """

    text: str
    function: int
    kind: ReasonKind = ReasonKind.OTHER


class Words(Protocol):
    """What is said of functions, by their numbers."""

    def name(self, function: int) -> str:
        """The name in paths."""

    def path(self, function: int) -> str:
        """The file as reasons name it."""

    def traits(self, function: int) -> Traits:
        """What it is."""

    def reasons(self, function: int) -> Sequence[tuple[str, int]]:
        """For each of its edges the reason of the place where that begins, and its kind."""

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

    def told(self, code: int) -> tuple[str, ReasonKind, int]:
        """The chain to what heat reached as findings tell it, what it begins with, and its length.

        What stands in the middle of a long chain is not told.
        """
        links = list(self.of(code))
        texts = [link.text for link in links]
        if len(links) > _LONGEST_CHAIN:
            left_out = slice(2, len(links) - (_LONGEST_CHAIN - 3))
            texts[left_out] = ["..."]
            del links[left_out]
        kind = self._kind(links[0].kind, [self._words.name(link.function) for link in links[1:]])
        return _LINK.join(texts), kind, len(texts)

    @staticmethod
    def _kind(begins: ReasonKind, called: Sequence[str]) -> ReasonKind:
        """What a chain is that begins so, by the names in paths of the functions that are called in it."""
        if begins is ReasonKind.ROUND and any(not _MODULE.isdisjoint(_above(name)) for name in called):
            return ReasonKind.LOOP  # a call of a module within the round is a step of its own
        if begins is ReasonKind.DATA and not all(
            ASKING_MODELS.isdisjoint(words(label(name))) for name in called
        ):
            return ReasonKind.OTHER  # the model that is asked is on a device
        return begins

    def _options(self, edges: Iterable[int]) -> str:
        """The options that the first of some edges with any hangs on, in words."""
        for edge in edges:
            if self._graph.edges[edge] & OPTIONAL:
                source = self._graph.source(edge)
                why, _ = self._words.reasons(source)[edge - self._graph.first[source]]
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
            its = words.traits(function)
            return (Link(named(its.hot, shown), function, _KINDS[its.kind]),)
        if how == AS_OFFERED:
            its = words.traits(function)
            return (Link(f"{shown} {its.offered.removeprefix(PRIVATE)}", function, _kind_of_offer(its)),)
        if how == AS_PRESUMED:
            return (Link(f"{shown} works with tensors and no caller of it is known", function),)
        if how == AS_UNNAMED:
            its = words.traits(function)
            why = named(its.hot, shown) or f"{shown} {its.offered.removeprefix(PRIVATE)}"
            kind = _KINDS[its.kind] if its.hot else _kind_of_offer(its)
            return (Link(why + but_unnamed(words.off(function)[its.unnamed]), function, kind),)
        if how == AS_STEPPING:
            return (Link(f"{shown} {STEP}", function),)
        edge = by_edge(how)
        source = self._graph.source(edge)
        reason, number = words.reasons(source)[edge - self._graph.first[source]]
        why = without_options(reason)
        if self._graph.edges[edge] & PLACE < Place.HOT << 3:
            return (Link(why.format(shown), function, _KINDS[number]),)
        return Link(f"{words.path(source)}{why}", source, _KINDS[number]), self._link(function)

    def _link(self, function: int) -> Link:
        return Link(label(self._words.name(function)), function)


def _above(name: str) -> list[str]:
    """The parts of a function's name that stand behind a point where it is shown."""
    return label(name).split(".")[1:]


def _kind_of_offer(its: Traits) -> ReasonKind:
    """What it is that users of a library call a function for."""
    return ReasonKind.DATA if its.collates else ReasonKind.OTHER


def label(name: str) -> str:
    """A function's name as it is shown: ``Model.forward`` for ``.Model.forward``."""
    shown = name[1:-1] if name.endswith(ITEMS) else name[1:]
    return _NUMBER.sub(">", shown) if ">" in shown else shown


def cold(name: str, traits: Traits, path: str) -> tuple[str, ReasonKind]:
    """Why a function that no heat reaches is cold."""
    if traits.cold:
        kind = _KINDS[traits.kind] if not traits.hot else ReasonKind.OTHER
        return named(traits.cold, label(name)), kind
    if traits.hot_loop:
        return f"outside of the hot loop: {path}{traits.hot_loop}", ReasonKind.OTHER
    return NOT_SHOWN if name else "runs at import", ReasonKind.OTHER
