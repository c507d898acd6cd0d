"""Which functions evaluations and predictions alone run, in a project that trains as well."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.frequency import SAME
from overhead_lint.analysis.graph.requests import with_callers
from overhead_lint.project.graph.heat_flow import AS_HOT, BY_EDGE
from overhead_lint.project.graph.numbered_graph import (
    COLD,
    EVALUATES,
    FREQUENCY,
    HEAT_BITS,
    HOT,
    HOT_LOOP,
    LOOPS_WITHOUT_GRADIENTS,
    MAY_EVALUATE,
    MODULE_CALL,
    SHUT,
    TARGET,
    TRAINS,
    VIA,
    WITHOUT_GRADIENTS,
)
from overhead_lint.project.via import SURE_WAYS
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from overhead_lint.project.graph.numbered_graph import NumberedGraph

__all__ = ["Evaluations", "evaluations"]


class Evaluations(NamedTuple):
    """What of a project is evaluation or prediction, by the numbers of functions.

    Attributes:
        functions: functions that nothing else runs.
        holders: functions whose hot loops are evaluations where their rounds do not hang on each other.
    """

    functions: set[int]
    holders: set[int]


_PREDICTOR: Final = MODULE_CALL | WITHOUT_GRADIENTS
"""A module without gradients may be part of a training, as matchers are, unless it drives a loop of steps."""


def evaluations(graph: NumberedGraph, reached: Mapping[int, int], driving: bytearray) -> Evaluations:
    """Return what of a project is evaluation or prediction; nothing of one that does not train.

    Args:
        graph: the project.
        reached: what heat reached, and what from, as `HeatFlow` gives it.
        driving: the functions that hold, or lead to, a hot loop.
    """
    flags = graph.flags
    if not any(has & TRAINS for has in flags):
        return Evaluations(set(), set())
    without = _without_gradients(graph)
    holders = {one for one, has in enumerate(flags) if has & LOOPS_WITHOUT_GRADIENTS or one in without}
    # Loops come before what is hot for what it is: heat does not begin there, and it counts all the same.
    hot = [one for one, has in enumerate(flags) if has & HOT and not has & (COLD | EVALUATES)]
    others = {one for one in hot if not (flags[one] & _PREDICTOR == _PREDICTOR and driving[one])}
    others |= {
        code >> HEAT_BITS for code, before in reached.items() if BY_EDGE < before < 0 and before != AS_HOT
    }
    for at in graph.marked.hot:
        edge = graph.edges[at]
        source = graph.source(at)
        if not (edge & SHUT or flags[source] & COLD or (edge & MAY_EVALUATE and source in holders)):
            others.add(edge >> TARGET)
    waiting = list(others)
    for function in waiting:  # it grows
        for edge in graph.of(function):
            target = edge >> TARGET
            is_run = not edge & SHUT and edge & FREQUENCY >= SAME << 3
            if is_run and target not in others and not flags[target] & (COLD | HOT_LOOP):
                others.add(target)
                waiting.append(target)
    return Evaluations({code >> HEAT_BITS for code in reached} - others, holders)


def _training(graph: NumberedGraph) -> set[int]:
    """Return the functions that train, and those that are known to call them, by more than a name."""
    callers = defaultdict[int, list[int]](list)
    for function in range(len(graph)):
        for edge in graph.of(function):
            if edge & VIA in SURE_WAYS:
                callers[edge >> TARGET].append(function)
    return with_callers((one for one, has in enumerate(graph.flags) if has & TRAINS), callers)


def _without_gradients(graph: NumberedGraph) -> set[int]:
    """Return the functions that turn gradients off, but for those that train, and what only they run."""
    flags = graph.flags
    callers: dict[int, set[int]] = {}
    for function in range(len(graph)):
        for edge in graph.of(function):
            callers.setdefault(edge >> TARGET, set()).add(function)
    found = {one for one, has in enumerate(flags) if has & WITHOUT_GRADIENTS} - _training(graph)
    waiting = list(found)
    for function in waiting:  # it grows
        for edge in graph.of(function):
            target = edge >> TARGET
            if target not in found and callers[target] <= found:
                found.add(target)
                waiting.append(target)
    return found
