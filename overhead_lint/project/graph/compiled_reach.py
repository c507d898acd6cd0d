"""Which functions of a project `torch.compile` reaches, along the calls between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.graph.frequency import SAME, STEP
from overhead_lint.project.graph.numbered_graph import (
    COMPILED,
    DISABLED,
    ENTRY,
    FREQUENCY,
    HEAT_BITS,
    OPTIONAL,
    SHUT,
    SUPPORTED,
    TARGET,
    VIA,
)
from overhead_lint.project.via import Via
from overhead_lint.rule import Heat

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from overhead_lint.project.graph.numbered_graph import NumberedGraph

__all__ = ["compiled_elsewhere", "eager_too", "traced_by_users"]

_LAST_TRACED: Final = Via.READ
"""Up to here by their numbers: how the compiler gets from one function to the next."""
_HOT: Final = STEP << 3
_NOT_GATED: Final = SAME << 3
_NOT_BY_DEFAULT: Final = OPTIONAL | SHUT


def compiled_elsewhere(graph: NumberedGraph) -> tuple[set[int], set[int]]:
    """What `torch.compile` reaches, and which of that only by ways that leave the module that compiles.

    What only an option hands to it that is off by default runs as it is written.

    Args:
        graph: the project.
    """
    entries = [name for name, its in enumerate(graph.flags) if its & COMPILED]
    handed = list(_handed(graph))
    if not entries and not handed:
        return set(), set()
    found = _reached(graph, entries, handed, within=False)
    return found, found - _reached(graph, entries, handed, within=True)


def _handed(graph: NumberedGraph) -> Iterator[int]:
    """Edges that hand a function to the compiler, whatever options say."""
    for at in graph.marked.given:
        if graph.edges[at] & VIA == Via.COMPILE and not graph.edges[at] & _NOT_BY_DEFAULT:
            yield at


def _reached(
    graph: NumberedGraph, entries: Collection[int], handed: Collection[int], *, within: bool
) -> set[int]:
    """What is compiled, with or without what other modules call.

    Args:
        graph: the project.
        entries: functions that are compiled themselves.
        handed: edges that hand a function to the compiler.
        within: only by ways that do not leave a module.
    """
    stack = list(entries)
    for at in handed:
        source, target = graph.source(at), graph.edges[at] >> TARGET
        if not within or graph.module(source) == graph.module(target):
            stack.append(target)
    found: set[int] = set()
    while stack:
        name = stack.pop()
        if name not in found and not graph.flags[name] & DISABLED:
            found.add(name)
            own = graph.functions(graph.module(name)) if within else ()
            for edge in graph.of(name):
                if edge & VIA <= _LAST_TRACED and (not within or edge >> TARGET in own):
                    stack.append(edge >> TARGET)
    return found


def eager_too(graph: NumberedGraph, compiled: set[int], reached: Mapping[int, int]) -> set[int]:
    """Those of the functions that `torch.compile` reaches that steps run outside of compiled code too.

    What is compiled itself is not among them: those who call it mean the compiled one.

    Args:
        graph: the project.
        compiled: the functions.
        reached: what heat reached, as `overhead_lint.project.graph.heat_flow.HeatFlow` gives it.
    """
    if not compiled:
        return set()
    entries = {name for name in compiled if graph.flags[name] & COMPILED}
    entries.update(graph.edges[at] >> TARGET for at in _handed(graph))
    wanted = compiled - entries
    stack: list[int] = []
    leading = [
        at
        for at, edge in enumerate(graph.edges)
        if edge >> TARGET in wanted and edge & FREQUENCY >= _NOT_GATED and edge & VIA <= _LAST_TRACED
    ]
    for at in leading:
        source, edge = graph.source(at), graph.edges[at]
        hot = source << HEAT_BITS | Heat.STEP in reached or source << HEAT_BITS | Heat.LOOP in reached
        if source not in compiled and (edge & FREQUENCY >= _HOT or hot):
            stack.append(edge >> TARGET)
    found: set[int] = set()
    while stack:
        name = stack.pop()
        if name in wanted and name not in found:
            found.add(name)
            stack += [
                edge >> TARGET
                for edge in graph.of(name)
                if edge & VIA <= _LAST_TRACED and edge & FREQUENCY >= _NOT_GATED
            ]
    return found


def traced_by_users(graph: NumberedGraph) -> set[int]:
    """The functions that users compile.

    Those are ``forward`` of modules and autograd functions, what asks for the compiler, and what they call in
    modules that are written to be compiled.

    Args:
        graph: the project.
    """
    flags, edges, first = graph.flags, graph.edges, graph.first
    allowed = SUPPORTED | DISABLED
    stack = [name for name, its in enumerate(flags) if its & (ENTRY | allowed) == ENTRY | SUPPORTED]
    found = set(stack)
    while stack:
        name = stack.pop()
        for edge in edges[first[name] : first[name + 1]]:
            target = edge >> TARGET
            if edge & VIA <= _LAST_TRACED and target not in found and flags[target] & allowed == SUPPORTED:
                found.add(target)
                stack.append(target)
    return found
