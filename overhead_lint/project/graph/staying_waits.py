"""Which functions the host waits beside in each pass, whatever is mended: of all files, along calls."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.frequency import REPEATED, SAME, STEP
from overhead_lint.project.graph.heat_flow import BY_EDGE, by_edge
from overhead_lint.project.graph.numbered_graph import (
    FREQUENCY,
    HEAT,
    HEAT_BITS,
    OPTIONAL,
    SHUT,
    TARGET,
    VIA,
    WAITS,
    WAITS_IN_ROUNDS,
)
from overhead_lint.project.via import Via

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from overhead_lint.project.graph.numbered_graph import NumberedGraph

__all__ = ["staying_waits"]

_MOST: Final = 2
"""So many functions that wait are told apart: the one that stands there itself is another matter."""
_OF_CALL: Final = (SAME << 3, REPEATED << 3)
_RUNNING: Final = (int(Via.CALL), int(Via.READ))

Waiting = tuple[int, ...]
"""Functions with waits that stay, by their numbers: at most `_MOST`."""


def staying_waits(graph: NumberedGraph, reached: Mapping[int, int]) -> dict[int, int]:
    """Return for functions another one that waits in each pass with them, by their numbers.

    It is called by the function, or by one that leads to it without a loop in between.

    Args:
        graph: the project.
        reached: what heat reached, and what from, as `HeatFlow` gives it; callers stand first.
    """
    if not any(flags & (WAITS | WAITS_IN_ROUNDS) for flags in graph.flags):
        return {}
    waiting = _waiting(graph)
    passes: dict[int, Waiting] = {}
    for code, before in reached.items():
        function = code >> HEAT_BITS
        around: Waiting = ()
        if before >= 0 and before & HEAT == code & HEAT and _calls_once(graph, before >> HEAT_BITS, function):
            around = passes.get(before, ())
        elif before <= BY_EDGE:
            around = _of_round(graph, by_edge(before), waiting)
        passes[code] = _joined((waiting.get(function, ()), around))
    found = {}
    for code, ones in passes.items():  # the hottest last
        function = code >> HEAT_BITS
        other = next((one for one in ones if one != function), None)
        if other is not None:
            found[function] = other
        else:
            found.pop(function, None)
    return found


def _waiting(graph: NumberedGraph) -> dict[int, Waiting]:
    """Return the functions that wait whenever they are called, each with those that do so themselves."""
    own = [function for function, flags in enumerate(graph.flags) if flags & WAITS]
    callers = defaultdict[int, list[int]](list)
    for function in range(len(graph)):
        for edge in graph.of(function):
            if _is_run(edge) and edge & FREQUENCY in _OF_CALL:
                callers[edge >> TARGET].append(function)
    found: dict[int, Waiting] = {function: (function,) for function in own}
    queue = [(function, function) for function in own]
    for function, wait in queue:  # it grows
        for caller in callers.get(function, ()):
            known = found.get(caller, ())
            if wait not in known and len(known) < _MOST:
                found[caller] = (*known, wait)
                queue.append((caller, wait))
    return found


def _is_run(edge: int) -> bool:
    """Whether what an edge leads to runs where it begins, by default, and is known by more than its name."""
    return not edge & (SHUT | OPTIONAL) and edge & VIA in _RUNNING


def _calls_once(graph: NumberedGraph, caller: int, function: int) -> bool:
    """Whether a function calls another outside of its loops."""
    return any(
        edge >> TARGET == function and edge & FREQUENCY == SAME << 3 and _is_run(edge)
        for edge in graph.of(caller)
    )


def _of_round(graph: NumberedGraph, at: int, waiting: Mapping[int, Waiting]) -> Waiting:
    """Return what waits in each round of the hot loop that an edge begins in, and once a round at most.

    A function is taken to have one such loop.
    """
    if graph.edges[at] & FREQUENCY != STEP << 3:
        return ()
    source = graph.source(at)
    called = [
        waiting.get(edge >> TARGET, ())
        for edge in graph.of(source)
        if _is_run(edge) and edge & FREQUENCY >= STEP << 3
    ]
    return _joined([(source,) if graph.flags[source] & WAITS_IN_ROUNDS else (), *called])


def _joined(some: Iterable[Waiting]) -> Waiting:
    return tuple(dict.fromkeys(one for ones in some for one in ones))[:_MOST]
