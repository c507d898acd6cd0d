"""Which functions the host waits beside in each pass, whatever is mended: of all files, along calls."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.frequency import REPEATED, SAME, STEP
from overhead_lint.project.graph.heat_flow import AS_HOT, BY_EDGE, by_edge
from overhead_lint.project.graph.numbered_graph import (
    COLD,
    FREQUENCY,
    HEAT,
    HEAT_BITS,
    HOT_LOOP,
    MAY_EVALUATE,
    MODULE_CALL,
    OPTIONAL,
    SHUT,
    TARGET,
    TRAINS,
    VIA,
    WAITS,
    WAITS_IN_ROUNDS,
)
from overhead_lint.project.via import SURE_WAYS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from overhead_lint.project.graph.numbered_graph import NumberedGraph

__all__ = ["NO_WAIT", "staying_waits"]

NO_WAIT: Final = -2
"""Stands for no function; one that an edit took away is another matter."""

_MOST: Final = 2
"""So many functions that wait are told apart: the one that stands there itself is another matter."""
_OF_CALL: Final = (SAME << 3, REPEATED << 3)

Waiting = tuple[int, ...]
"""Functions with waits that stay, by their numbers: at most `_MOST`."""


def staying_waits(graph: NumberedGraph, reached: Mapping[int, int]) -> dict[int, tuple[int, int]]:
    """Return for functions others that wait in each pass with them, and in each round of their hot loops.

    They are numbers, `NO_WAIT` where nobody knows any. What waits in each pass is called by the function, or
    by one that leads to it without a loop in between. Who runs a module that nobody is known to call is taken
    to be one of the trainings of the project.

    Args:
        graph: the project.
        reached: what heat reached, and what from, as `HeatFlow` gives it; callers stand first.
    """
    if not any(flags & (WAITS | WAITS_IN_ROUNDS) for flags in graph.flags):
        return {}
    passes = _Passes(graph)
    around: dict[int, Waiting] = {}
    for code, before in reached.items():
        function = code >> HEAT_BITS
        if before == AS_HOT:
            around[code] = passes.around(function)
        elif (
            before >= 0 and before & HEAT == code & HEAT and passes.calls_once(before >> HEAT_BITS, function)
        ):
            around[code] = _joined((passes.waiting.get(before >> HEAT_BITS, ()), around.get(before, ())))
        elif before <= BY_EDGE and graph.edges[by_edge(before)] & FREQUENCY == STEP << 3:
            around[code] = passes.of_round(graph.source(by_edge(before)))
    found = {
        code >> HEAT_BITS: (*passes.waiting.get(code >> HEAT_BITS, ()), *around.get(code, ()))
        for code in reached  # the hottest last
    }
    in_rounds = {one: passes.of_round(one) for one, flags in enumerate(graph.flags) if flags & HOT_LOOP}
    others = {
        one: (_other(one, found.get(one, ())), _other(one, in_rounds.get(one, ())))
        for one in {**found, **in_rounds}
    }
    return {one: waits for one, waits in others.items() if waits != (NO_WAIT, NO_WAIT)}


class _Passes:
    """What functions wait for each time that they run, or that their hot loops go round.

    Args:
        graph: the project.

    Attributes:
        waiting: the functions that wait whenever they are called, each with those that do so themselves.
    """

    def __init__(self, graph: NumberedGraph) -> None:
        self._graph = graph
        self._callers = defaultdict[int, list[tuple[int, int]]](list)
        for function in range(len(graph)):
            for edge in graph.of(function):
                if _is_run(edge):
                    self._callers[edge >> TARGET].append((function, edge & FREQUENCY))
        self.waiting = self._waiting()
        self._around: dict[int, Waiting] = {}

    def _waiting(self) -> dict[int, Waiting]:
        own = [function for function, flags in enumerate(self._graph.flags) if flags & WAITS]
        found: dict[int, Waiting] = {function: (function,) for function in own}
        queue = [(function, function) for function in own]
        for function, wait in queue:  # it grows
            for caller, frequency in self._callers.get(function, ()):
                known = found.get(caller, ())
                if frequency in _OF_CALL and wait not in known and len(known) < _MOST:
                    found[caller] = (*known, wait)
                    queue.append((caller, wait))
        return found

    def calls_once(self, caller: int, function: int) -> bool:
        """Whether a function calls another outside of its loops."""
        return (caller, SAME << 3) in self._callers.get(function, ())

    def around(self, function: int) -> Waiting:
        """Return what waits in each pass with what is hot for what it is, whoever runs it."""
        known = self._around.get(function)
        if known is None:
            self._around[function] = ()  # for what calls itself
            callers = self._callers.get(function, ())
            ways = [self._beside_call(caller, frequency) for caller, frequency in callers]
            if not ways and self._graph.flags[function] & MODULE_CALL:
                ways = self._trainings
            known = self._around[function] = _joined(ways) if all(ways) else ()
        return known

    def _beside_call(self, caller: int, frequency: int) -> Waiting:
        """Return what waits in each pass in which a call runs once."""
        if frequency == SAME << 3:
            return _joined((self.waiting.get(caller, ()), self.around(caller)))
        return self.of_round(caller) if frequency == STEP << 3 else ()

    @cached_property
    def _trainings(self) -> list[Waiting]:
        """What waits in each round of loops that train, for each function with such a loop."""
        training = TRAINS | HOT_LOOP
        return [
            self.of_round(function)
            for function, flags in enumerate(self._graph.flags)
            if flags & (training | COLD) == training
        ]

    def of_round(self, source: int) -> Waiting:
        """Return what waits in each round of the hot loop of a function.

        A function is taken to have one such loop, besides those whose rounds may be evaluations.
        """
        graph = self._graph
        called = [
            self.waiting.get(edge >> TARGET, ())
            for edge in graph.of(source)
            if _is_run(edge) and edge & FREQUENCY >= STEP << 3 and not edge & MAY_EVALUATE
        ]
        return _joined([(source,) if graph.flags[source] & WAITS_IN_ROUNDS else (), *called])


def _is_run(edge: int) -> bool:
    """Whether what an edge leads to runs where it begins, by default, and is known by more than its name."""
    return not edge & (SHUT | OPTIONAL) and edge & VIA in SURE_WAYS


def _other(function: int, some: Waiting) -> int:
    return next((one for one in some if one != function), NO_WAIT)


def _joined(some: Iterable[Waiting]) -> Waiting:
    return tuple(dict.fromkeys(one for ones in some for one in ones))[:_MOST]
