"""Which functions evaluations and predictions alone run, in a project that trains as well."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.frequency import SAME
from overhead_lint.analysis.graph.requests import with_callers
from overhead_lint.project.graph.heat_flow import AS_OFFERED, AS_PRESUMED, AS_STEPPING, AS_UNNAMED
from overhead_lint.project.graph.numbered_graph import (
    COLD,
    EVALUATES,
    FREQUENCY,
    HEAT,
    HEAT_BITS,
    HOT,
    LOOPS_WITHOUT_GRADIENTS,
    MAY_EVALUATE,
    MODULE_CALL,
    OPTIONAL,
    SHUT,
    TARGET,
    TRAINS,
    UNNAMED,
    VIA,
    WITHOUT_GRADIENTS,
)
from overhead_lint.project.via import SURE_WAYS
from overhead_lint.rule import Heat
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from overhead_lint.project.graph.heat_flow import HeatFlow
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


def evaluations(graph: NumberedGraph, flow: HeatFlow, reached: Mapping[int, int]) -> Evaluations:
    """Return what of a project is evaluation or prediction; nothing of one that does not train.

    What trainings are only presumed to run is evaluation all the same where one is known to run it.

    Args:
        graph: the project.
        flow: how heat flows in it.
        reached: what heat reached, and what from.
    """
    flags = graph.flags
    if not any(has & TRAINS for has in flags):
        return Evaluations(set(), set())
    without = _without_gradients(graph)
    holders = {one for one, has in enumerate(flags) if has & LOOPS_WITHOUT_GRADIENTS or one in without}
    surely = _begun(reached, AS_OFFERED, AS_STEPPING)
    presumably = _begun(reached, AS_PRESUMED, AS_UNNAMED)
    for one, has in enumerate(flags):
        # Loops come before what is hot for what it is: heat does not begin there, and it counts all the same.
        is_predictor = has & _PREDICTOR == _PREDICTOR and flow.driving[one]
        if has & HOT and not has & (COLD | EVALUATES) and not is_predictor:
            (presumably if has & UNNAMED else surely).add(one)
    for at in (*graph.marked.hot, *graph.marked.given):
        edge = graph.edges[at]
        source = graph.source(at)
        if edge & SHUT or flags[source] & COLD or not flow.enters(edge):
            continue
        if not (edge & MAY_EVALUATE and source in holders):
            is_presumed = edge & OPTIONAL or source in flow.by_options
            (presumably if is_presumed else surely).add(edge >> TARGET)
    others = _run_by(graph, flow, surely, SHUT | OPTIONAL)
    with_options = _run_by(graph, flow, surely, SHUT)
    all_others = _run_by(graph, flow, surely | presumably, SHUT)
    evaluating = {
        code >> HEAT_BITS
        for code in reached
        if code >> HEAT_BITS not in (all_others if code & HEAT == Heat.PRESUMED else others)
    }
    return Evaluations(evaluating, holders - with_options)


def _begun(reached: Mapping[int, int], *ways: int) -> set[int]:
    """Return the functions where heat began in some ways."""
    return {code >> HEAT_BITS for code, before in reached.items() if before in ways}


def _run_by(graph: NumberedGraph, flow: HeatFlow, begin: Iterable[int], never: int) -> set[int]:
    """Return functions and what they run as often as themselves, but for edges that have one of some bits."""
    found = set(begin)
    waiting = list(found)
    for function in waiting:  # it grows
        for edge in graph.of(function):
            target = edge >> TARGET
            if target in found or edge & never or edge & FREQUENCY < SAME << 3:
                continue
            if not graph.flags[target] & COLD and flow.enters(edge):
                found.add(target)
                waiting.append(target)
    return found


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
