"""Graphs of more functions than four bytes have room for beside what an edge says of a call."""

from __future__ import annotations

from array import array
from typing import Final

from overhead_lint.analysis.graph.frequency import SAME
from overhead_lint.project.graph.numbered_graph import EDGES, FREQUENCY, TARGET, VIA, NumberedGraph, flattened
from overhead_lint.project.graph.spliced_graph import Part, Splice
from overhead_lint.project.graph.stored_graph import ModuleTable, StoredGraph, flowed, restored
from overhead_lint.project.graph.traits import Site, Traits
from overhead_lint.project.via import Via

MANY: Final = 600_000
"""Functions of one module: in four bytes less a sign 13 bits leave room for 262,144."""
CALLS: Final = SAME << 3 | Via.CALL
TRAITS: Final = Traits("", 0, False, "", False, 0, 0, "", False, "", "", False, 0)


def test_a_call_tells_its_target_among_very_many() -> None:
    numbers = {"a::f": 0, "z::last": MANY}
    site = Site(("z::last",), Via.CALL, SAME, "")
    modules = [("a", ["a::f"]), ("z", ["z::last"])]
    graph = flattened(modules, numbers, [TRAITS] * 2, {"a": {"a::f": [site]}, "z": {}}.__getitem__, {}, ())
    assert list(graph.edges) == [MANY << TARGET | CALLS]
    assert graph.edges[0] & (FREQUENCY | VIA) == CALLS


def large(last: str = "last") -> StoredGraph:
    """A module of very many functions, the first of which calls that of another module."""
    first = array("i", [0]) + array("i", [1]) * (MANY + 1)
    edges = array(EDGES, [MANY << TARGET | CALLS])
    graph = NumberedGraph(array("i", [0, MANY, MANY + 1]), array("I", bytes(4 * (MANY + 1))), first, edges)
    names = ["many", last]
    table = ModuleTable(["many.py", "other.py"], names, ["", ""], ["", ""], ["\n".join(names), last])
    return StoredGraph(table, graph, flowed(graph))


def test_what_a_run_leaves_is_read_back() -> None:
    stored = large()
    held, parts = stored.parts()
    again = restored(held, [bytes(memoryview(part).cast("B")) for part in parts])
    assert again.graph.edges == stored.graph.edges
    assert again.flowed == stored.flowed


def test_an_edit_moves_targets() -> None:
    splice = Splice(large().graph, {1: (["last"], ["new", "last"])})
    now = splice.spliced({1: Part([0, 0], [[], [0 << TARGET | CALLS]])})
    assert now is not None
    assert list(now.edges) == [MANY + 1 << TARGET | CALLS, CALLS]
