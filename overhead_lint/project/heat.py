"""How hot a place of a file is, and why."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.project.graph import CallSite, ClassSummary, FileSummary, FunctionSummary, heat_of
from overhead_lint.project.placement import Place
from overhead_lint.project.seeds import cold_reason, hooks, hot_reason
from overhead_lint.rule import FunctionFacts, Heat, Warmth

if TYPE_CHECKING:
    from overhead_lint.project.facts import FileFacts

__all__ = ["FileHeat", "summarize"]

_NOTHING: Final = "nothing shows that it runs in a step"


class FileHeat:
    """Heat of the places of one file.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts

    @cached_property
    def _summary(self) -> FileSummary:
        return summarize(self._facts)

    @cached_property
    def _functions(self) -> dict[str, Warmth]:
        """Heat of the functions; the file's own summary is all the graph there is, for now."""
        return heat_of([self._summary])

    @cached_property
    def _by_name(self) -> dict[str, FunctionSummary]:
        return {function.name: function for function in self._summary.functions}

    def warmth(self, node: ast.AST) -> Warmth:
        """Heat of the place where `node` stands, loops and gates around it counted."""
        facts = self._facts
        if facts.cold:
            return Warmth(Heat.COLD, facts.cold)
        function = facts.function_node(node)
        name = facts.calls.identity(function) if function is not None else ""
        around = self._function(name)
        placement = facts.placements.of(node)
        if placement.place is Place.GATED:
            return Warmth(Heat.COLD, placement.why)
        if placement.place in (Place.HOT, Place.HOT_REPEATED) and not self._by_name[name].cold:
            if placement.place is Place.HOT_REPEATED or around.heat >= Heat.STEP:
                return Warmth(Heat.LOOP, f"{placement.why}, in a loop of its own")
            return Warmth(Heat.STEP, placement.why)
        if placement.place is Place.REPEATED and around.heat is Heat.STEP:
            return Warmth(Heat.LOOP, f"{around.why}, in a loop")
        return around

    def _function(self, name: str) -> Warmth:
        """Heat of a function at its top level."""
        found = self._functions.get(name)
        if found is not None:
            return found
        function = self._by_name[name]
        if function.cold:
            return Warmth(Heat.COLD, function.cold)
        if function.hot_loop:
            return Warmth(Heat.COLD, f"outside of the hot loop: {function.hot_loop}")
        return Warmth(Heat.COLD, _NOTHING if name else "runs at import")


def summarize(facts: FileFacts) -> FileSummary:
    """What the graph needs to know about a file; its top level is a function named ""."""
    sites: dict[str, list[CallSite]] = defaultdict(list)
    for edge in facts.calls.edges():
        function = facts.function_node(edge.node)
        name = facts.calls.identity(function) if function is not None else ""
        sites[name].append(CallSite(edge.target, edge.virtual, facts.placements.of(edge.node)))
    hot_loops: dict[str, str] = {}
    for loop in facts.loops.hot():
        function = facts.function_node(loop)
        name = facts.calls.identity(function) if function is not None else ""
        hot_loops.setdefault(name, facts.loops.judge(loop).why)
    hooked = hooks(facts)
    functions = [FunctionSummary("", "", "", "", False, hot_loops.get("", ""), tuple(sites[""]))]
    functions.extend(
        _function(function, facts, sites, hot_loops, hooked) for function in facts.functions.values()
    )
    classes = tuple(
        ClassSummary("." + cls.qualname, cls.bases, cls.methods) for cls in facts.classes.values()
    )
    return FileSummary(tuple(functions), classes)


def _function(
    function: FunctionFacts,
    facts: FileFacts,
    sites: dict[str, list[CallSite]],
    hot_loops: dict[str, str],
    hooked: dict[ast.AST, str],
) -> FunctionSummary:
    name = facts.calls.identity(function.node)
    return FunctionSummary(
        name=name,
        label=function.qualname,
        hot=hot_reason(function, facts) or hooked.get(function.node, ""),
        cold=cold_reason(function, facts),
        tensors=function.node in facts.tensor_functions,
        hot_loop=hot_loops.get(name, ""),
        calls=tuple(sites.get(name, ())),
    )
