"""Why functions are as hot as they are: the calls that heat came by, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from overhead_lint.analysis.graph.frequency import STEP
from overhead_lint.analysis.graph.function_names import ITEMS, label
from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.graph.offer import OfferKind
from overhead_lint.api.heat_reasons import NOT_SHOWN, ReasonKind
from overhead_lint.api.reason_texts import function_text, offer_text, options_text
from overhead_lint.project.graph.heat_flow import (
    AS_HOT,
    AS_OFFERED,
    AS_PRESUMED,
    AS_STEPPING,
    AS_UNNAMED,
    BY_EDGE,
    by_edge,
)
from overhead_lint.project.graph.numbered_graph import FOR_ITEMS, FREQUENCY, HEAT, HEAT_BITS, OPTIONAL, TARGET
from overhead_lint.project.graph.staying_waits import NO_WAIT
from overhead_lint.rule import Heat, Place, Warmth
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from overhead_lint.analysis.graph.option import Option
    from overhead_lint.project.graph.numbered_graph import NumberedGraph
    from overhead_lint.project.graph.stored_graph import Flowed
    from overhead_lint.project.graph.traits import Site, Traits

__all__ = ["Chains", "Link", "Words", "cold"]

_KINDS: Final = tuple(ReasonKind)
_HEATS: Final = tuple(Heat)
_MODULE: Final = frozenset({"__call__", "forward"})


class Link(NamedTuple):
    """A link of the chain that heat came by.

    Attributes:
        text: a hot loop, why a function is hot for what it is, or a called function.
        function: the function that it is, or that the loop is in, by its number.
        kind: what a loop or function is hot for; of no meaning for what others call.
        options: those that are off by default and let heat come by here.
        line: of a loop; 0 for a function.
    """

    text: str
    function: int
    kind: ReasonKind = ReasonKind.OTHER
    options: tuple[Option, ...] = ()
    line: int = 0

    @property
    def shown(self) -> str:
        """The link with its options, for readers."""
        return f"{self.text}{options_text(self.options)}"


class Words(Protocol):
    """What is said of functions, by their numbers."""

    def name(self, function: int) -> str:
        """The name in paths."""

    def path(self, function: int) -> str:
        """The file as reasons name it."""

    def traits(self, function: int) -> Traits:
        """What it is."""

    def places(self, function: int) -> Sequence[Site]:
        """The place where each of its edges begins."""

    def off(self, function: int) -> Mapping[int, Option]:
        """The options of its file that are off by default, by their numbers there."""


class Chains:
    """Tells by which calls heat came.

    Args:
        graph: the project.
        flowed: what came of it.
        words: what is said of functions.
    """

    def __init__(self, graph: NumberedGraph, flowed: Flowed, words: Words) -> None:
        self._graph = graph
        self._flowed = flowed
        self._reached = flowed.reached
        self._words = words

    def warmth(self, function: int, heat: int) -> Warmth:
        """Return the heat of a function, with all that is known of how it runs."""
        words, flowed = self._words, self._flowed
        is_left = function in flowed.by_options and bool(words.traits(function).hot_loop)
        if heat > (Heat.PRESUMED if is_left else Heat.COLD):  # its loop is none of steps by default
            found = self.told(function << HEAT_BITS | heat)
        else:
            found = cold(words.name(function), words.traits(function), words.path(function))
            if function in flowed.by_options:
                options = self._letting_run(function)
                found = found._replace(options=options, gate=None if options else Gate(GateKind.NEVER))
        found = found._replace(
            has_requests=function in flowed.requests,
            has_evaluations=function in flowed.evaluations,
            evaluates=function in flowed.evaluating,
        )
        in_pass, in_round = flowed.staying.get(function, (NO_WAIT, NO_WAIT))
        stays, in_rounds = (
            Place(words.path(wait), words.name(wait)) if wait != NO_WAIT else None
            for wait in (in_pass, in_round)
        )
        return found._replace(stays=stays, stays_in_rounds=in_rounds) if stays or in_rounds else found

    def of(self, code: int) -> tuple[Link, ...]:
        """The chain to what heat reached, from its beginning; options that are off by default come last."""
        passed: list[Link] = []
        before = self._reached[code]
        hangs_on: tuple[Option, ...] = ()
        while before >= 0:
            function, caller = code >> HEAT_BITS, before >> HEAT_BITS
            if not (self._graph.flags[function] & FOR_ITEMS and self._gives(caller, function)):
                passed.append(self._link(function))
            if code & HEAT == Heat.PRESUMED < before & HEAT:
                hangs_on = self._options(self._between(caller, function))
            code, before = before, self._reached[before]
        if before <= BY_EDGE:
            edge = by_edge(before)
            hangs_on = hangs_on or self._options([edge]) or self._letting_run(self._graph.source(edge))
        links = (*self.start(code >> HEAT_BITS, before), *reversed(passed))
        return (*links[:-1], links[-1]._replace(options=(*links[-1].options, *hangs_on)))

    def told(self, code: int) -> Warmth:
        """Return the heat that reached something, with the chain as findings tell it."""
        links = self.of(code)
        options = tuple(dict.fromkeys(option for link in links for option in link.options))
        kind = self._kind(links[0].kind, [link.function for link in links[1:]])
        words = self._words
        places = tuple([Place(words.path(one.function), words.name(one.function), one.line) for one in links])
        return Warmth(_HEATS[code & HEAT], links[0].text, kind, options=options, places=places)

    def _kind(self, begins: ReasonKind, called: Sequence[int]) -> ReasonKind:
        """What a chain is that begins so, by the functions that are called in it."""
        if begins is ReasonKind.ROUND and any(
            not _MODULE.isdisjoint(_above(self._words.name(function))) for function in called
        ):
            return ReasonKind.LOOP  # a call of a module within the round is a step of its own
        if begins is ReasonKind.DATA and any(self._words.traits(function).asks for function in called):
            return ReasonKind.OTHER  # the model that is asked is on a device
        return begins

    def _options(self, edges: Iterable[int]) -> tuple[Option, ...]:
        """Return the options that the first of some edges with any hangs on."""
        for edge in edges:
            if self._graph.edges[edge] & OPTIONAL:
                source = self._graph.source(edge)
                site = self._words.places(source)[edge - self._graph.first[source]]
                off = self._words.off(source)
                return tuple([off[number] for number in site.options if number in off])
        return ()

    def _letting_run(self, function: int) -> tuple[Option, ...]:
        """Return the options without which a function does not run; nothing where it may all the same."""
        by_options, passed = self._flowed.by_options, set[int]()
        while function in by_options and function not in passed:
            passed.add(function)
            target, function = function, by_options[function]
            found = self._options(self._between(function, target))
            if found:
                return found
        return ()

    def _between(self, caller: int, function: int) -> Iterator[int]:
        """Yield the edges that lead from a function to another."""
        graph = self._graph
        for at in range(graph.first[caller], graph.first[caller + 1]):
            if graph.edges[at] >> TARGET == function:
                yield at

    def _gives(self, function: int, other: int) -> bool:
        """Whether a function is a generator, and the other what it does for each item."""
        return self._words.name(other) == self._words.name(function) + ITEMS

    def start(self, function: int, how: int) -> tuple[Link, ...]:
        """The first links of a chain that begins at a function."""
        words, shown = self._words, label(self._words.name(function))
        if how == AS_HOT:
            its = words.traits(function)
            return (Link(function_text(its.hot, shown), function, _KINDS[its.kind]),)
        if how == AS_OFFERED:
            its = words.traits(function)
            return (Link(_offer_text(shown, its), function, _kind_of_offer(its)),)
        if how == AS_PRESUMED:
            return (Link(f"{shown} works with tensors and no caller of it is known", function),)
        if how == AS_UNNAMED:
            its = words.traits(function)
            why = function_text(its.hot, shown) or _offer_text(shown, its)
            kind = _KINDS[its.kind] if its.hot else _kind_of_offer(its)
            return (Link(why, function, kind, (words.off(function)[its.naming],)),)
        if how == AS_STEPPING:
            return (Link(f"{shown} {offer_text(OfferKind.OPTIMIZER_STEP, shown)}", function),)
        edge = by_edge(how)
        source = self._graph.source(edge)
        site = words.places(source)[edge - self._graph.first[source]]
        if self._graph.edges[edge] & FREQUENCY < STEP << 3:
            return (Link(function_text(site.why, shown), function, _KINDS[site.kind]),)
        loop = Link(f"{words.path(source)}{site.why}", source, _KINDS[site.kind], line=site.line)
        return loop, self._link(function)

    def _link(self, function: int) -> Link:
        return Link(label(self._words.name(function)), function)


def _above(name: str) -> list[str]:
    """The parts of a function's name that stand behind a point where it is shown."""
    return label(name).split(".")[1:]


def _offer_text(shown: str, its: Traits) -> str:
    return f"{shown} {offer_text(its.offer, shown, its.package)}"


def _kind_of_offer(its: Traits) -> ReasonKind:
    """What it is that users of a library call a function for."""
    return ReasonKind.DATA if its.collates else ReasonKind.OTHER


def cold(name: str, traits: Traits, path: str) -> Warmth:
    """Return the heat of a function that none reaches, with why it is cold."""
    if traits.cold:
        kind = _KINDS[traits.kind] if not traits.hot else ReasonKind.OTHER
        return Warmth(Heat.COLD, function_text(traits.cold, label(name)), kind)
    if traits.hot_loop:
        return Warmth(Heat.COLD, f"outside of the hot loop: {path}{traits.hot_loop}")
    return Warmth(Heat.COLD, NOT_SHOWN if name else "runs at import")
