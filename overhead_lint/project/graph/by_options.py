"""Which functions only options let run that are off, or nothing does: their loops run no more than they."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.frequency import NEVER
from overhead_lint.project.graph.numbered_graph import AT_TIMES, FREQUENCY, OPTIONAL, SHUT, TARGET, VIA
from overhead_lint.project.via import Via

if TYPE_CHECKING:
    from overhead_lint.project.graph.numbered_graph import NumberedGraph

__all__ = ["run_by_options"]

_NEVER: Final = NEVER << 3
_ROLE: Final = int(Via.ROLE)


def run_by_options(graph: NumberedGraph) -> dict[int, int]:
    """Return the functions that only options let run which are off, and what only these run.

    Who calls a function where nothing lets it run, or where nobody passes what would, does not run it.

    Args:
        graph: the project.

    Returns:
        For each such function one that calls it.
    """
    others, found = array("I", bytes(4 * len(graph))), dict[int, int]()
    for function in range(len(graph)):
        for edge in graph.of(function):
            target = edge >> TARGET
            if edge & VIA == _ROLE or target == function:
                continue
            if not _is_shut(edge):
                others[target] += 1
            elif target not in found or edge & (OPTIONAL | SHUT) == OPTIONAL:  # which has something to tell
                found[target] = function
    found = {target: function for target, function in found.items() if not others[target]}
    waiting = list(found)
    for function in waiting:  # it grows
        for edge in graph.of(function):
            target = edge >> TARGET
            if edge & VIA == _ROLE or target == function or _is_shut(edge):
                continue
            others[target] -= 1
            if not others[target] and target not in found:
                found[target] = function
                waiting.append(target)
    return found


def _is_shut(edge: int) -> bool:
    """Whether nothing runs an edge as long as options are off: where a function is asked it runs at times."""
    return edge & FREQUENCY == _NEVER or bool(edge & SHUT) or edge & (AT_TIMES | OPTIONAL) == OPTIONAL
