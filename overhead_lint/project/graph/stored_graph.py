"""A graph of a project as a run leaves it for the next ones: as plain data."""

from __future__ import annotations

import marshal
from array import array
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.project.graph.compiled_reach import compiled_elsewhere, eager_too, traced_by_users
from overhead_lint.project.graph.evaluations import evaluations
from overhead_lint.project.graph.heat_flow import HeatFlow
from overhead_lint.project.graph.numbered_graph import EDGES, NumberedGraph
from overhead_lint.project.graph.staying_waits import staying_waits
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Flowed", "ModuleTable", "StoredGraph", "flowed", "restored"]

Plain = tuple[Any, ...]

_MODULES: Final = 256  # so many have the names of their functions in one part


class Flowed(NamedTuple):
    """What heat and the compiler reach in a graph, by the numbers of functions.

    Attributes:
        reached: what heat reached, and what from, as `HeatFlow` gives it.
        compiled: functions that are compiled by way of other modules, and whether steps run them outside of
            compiled code too.
        traced: functions that users compile.
        requests: functions whose hot loops go round once a request.
        evaluating: functions that evaluations alone run, in a project that trains.
        evaluations: functions whose hot loops may be evaluations and then are, in such a project.
        staying: for functions others that wait with them, whatever is mended, as `staying_waits` has it.
        by_options: functions that only options let run which are off by default, each with one that runs it.
    """

    reached: dict[int, int]
    compiled: dict[int, bool]
    traced: set[int]
    requests: set[int]
    evaluating: set[int]
    evaluations: set[int]
    staying: dict[int, tuple[int, int]]
    by_options: dict[int, int]


def flowed(graph: NumberedGraph) -> Flowed:
    """Let heat flow in a graph."""
    flow = HeatFlow(graph)
    reached = flow.all()
    compiled, elsewhere = compiled_elsewhere(graph)
    eager = eager_too(graph, compiled, reached)
    by_others = {one: one in eager for one in elsewhere}
    traced, requests = traced_by_users(graph), set(flow.requests)
    phase, staying = evaluations(graph, flow, reached), staying_waits(graph, reached)
    return Flowed(
        reached, by_others, traced, requests, phase.functions, phase.holders, staying, flow.by_options
    )


class ModuleTable(NamedTuple):
    """The modules of a graph, in its order.

    Attributes:
        files: their keys.
        names: their dotted names.
        folders: the dotted names of where they lie.
        support: what shows that they are written to be compiled; "" if nothing does.
        functions: the functions of each, by name in paths, a line each.
    """

    files: list[str]
    names: list[str]
    folders: list[str]
    support: list[str]
    functions: list[str]


class StoredGraph(NamedTuple):
    """A graph, and what came of it."""

    module_table: ModuleTable
    graph: NumberedGraph
    flowed: Flowed

    def parts(self) -> tuple[Plain, Iterator[bytes | array[int]]]:
        """It as plain data, and parts that take some megabytes, made as they are asked for."""
        *module_table, _ = self.module_table
        _, compiled, *sets, staying, by_options = self.flowed
        tables = [sorted(table.items()) for table in (compiled, staying, by_options)]
        return (tuple(module_table), list(map(sorted, sets)), tables), self._parts()

    def _parts(self) -> Iterator[bytes | array[int]]:
        graph, reached, functions = self.graph, self.flowed.reached, self.module_table.functions
        yield from (graph.starts, graph.flags, graph.first, graph.edges)
        yield array("i", reached)
        yield array("i", reached.values())
        for start in range(0, len(functions), _MODULES):
            yield marshal.dumps(functions[start : start + _MODULES])


def restored(held: Plain, parts: Sequence[bytes | memoryview | array[int]]) -> StoredGraph:
    """A graph from what `parts` gave."""
    module_table, sets, tables = held
    compiled, staying, by_options = map(dict, tables)
    traced, requests, evaluating, holders = map(set, sets)
    arrays = []
    for kind, data in zip(f"iIi{EDGES}ii", parts, strict=False):
        arrays.append(array(kind))
        arrays[-1].frombytes(bytes(data))
    functions: list[str] = []
    for names in parts[len(arrays) :]:
        functions += marshal.loads(names)
    *graph, keys, values = arrays
    return StoredGraph(
        ModuleTable._make((*module_table, functions)),
        NumberedGraph(*graph),
        Flowed(
            dict(zip(keys, values, strict=True)),
            compiled,
            traced,
            requests,
            evaluating,
            holders,
            staying,
            by_options,
        ),
    )
