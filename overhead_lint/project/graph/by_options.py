"""Which functions only options let run that are off by default: their own loops run no more than they do."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

from overhead_lint.project.graph.numbered_graph import AT_TIMES, OPTIONAL, SHUT, TARGET, VIA
from overhead_lint.project.via import Via

if TYPE_CHECKING:
    from overhead_lint.project.graph.numbered_graph import NumberedGraph

__all__ = ["run_by_options"]

_ROLE: Final = int(Via.ROLE)


def run_by_options(graph: NumberedGraph) -> dict[int, int]:
    """Return the functions that only options let run which are off by default, and what only these run.

    Args:
        graph: the project.

    Returns:
        For each such function one that runs it.
    """
    others, found = array("I", bytes(4 * len(graph))), dict[int, int]()
    for function in range(len(graph)):
        for edge in graph.of(function):
            target = edge >> TARGET
            if _is_optional(edge):
                found.setdefault(target, function)
            elif _may_run(edge) and target != function:
                others[target] += 1
    found = {target: function for target, function in found.items() if not others[target]}
    waiting = list(found)
    for function in waiting:  # it grows
        for edge in graph.of(function):
            target = edge >> TARGET
            if _is_optional(edge) or not _may_run(edge) or target == function:
                continue
            others[target] -= 1
            if not others[target] and target not in found:
                found[target] = function
                waiting.append(target)
    return found


def _is_optional(edge: int) -> bool:
    """Whether an option lets an edge run; where a function is asked, it runs now and then."""
    return edge & (OPTIONAL | AT_TIMES | SHUT) == OPTIONAL


def _may_run(edge: int) -> bool:
    return not edge & SHUT and edge & VIA != _ROLE
