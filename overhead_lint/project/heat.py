"""How hot a place of a file is, and why."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.project.graph import Graph, Member
from overhead_lint.project.placement import Place
from overhead_lint.project.seeds import cold_reason
from overhead_lint.project.summary import summarize
from overhead_lint.rule import Heat, Warmth

if TYPE_CHECKING:
    from collections.abc import Mapping

    from overhead_lint.project.facts import FileFacts

__all__ = ["FileHeat"]

# A function that came into the file after the graph was made.
_UNKNOWN: Final = Warmth(Heat.COLD, "nothing shows that it runs in a step")


class FileHeat:
    """Heat of the places of one file.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts

    @cached_property
    def _functions(self) -> Mapping[str, Warmth]:
        """Heat of the functions at their top level."""
        facts = self._facts
        if facts.warmths is not None:
            return facts.warmths
        return Graph({"": Member(facts.path, facts.module, "", summarize(facts))}).warmths("")

    def warmth(self, node: ast.AST) -> Warmth:
        """Heat of the place where `node` stands, loops and gates around it counted."""
        facts = self._facts
        if facts.cold:
            return Warmth(Heat.COLD, facts.cold)
        function = facts.function_node(node)
        name = facts.calls.identity(function) if function is not None else ""
        around = self._functions.get(name, _UNKNOWN)
        placement = facts.placements.of(node)
        if placement.place is Place.GATED:
            return Warmth(Heat.COLD, placement.why)
        if placement.place in (Place.HOT, Place.HOT_REPEATED) and not self._is_cold(function):
            if placement.place is Place.HOT_REPEATED or around.heat >= Heat.STEP:
                return Warmth(Heat.LOOP, f"{facts.path}{placement.why}, in a loop of its own")
            return Warmth(Heat.STEP, f"{facts.path}{placement.why}")
        if placement.place is Place.REPEATED and around.heat is Heat.STEP:
            return Warmth(Heat.LOOP, f"{around.why}, in a loop")
        return around

    def _is_cold(self, function: ast.AST | None) -> bool:
        """Whether a function is cold whatever it holds: a hot loop in it counts for nothing."""
        facts = self._facts.functions.get(function) if function is not None else None
        return facts is not None and bool(cold_reason(facts, self._facts))
