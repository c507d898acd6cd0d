"""Rounds of generators: what they do for each of their items runs where items are taken.

The rounds of a loop that gives items are a function of their own to the project's graph: its name is that of
the generator with `ITEMS` behind it. A call of the generator runs them again and again, and so does each
place that takes an item: ``for batch in batches():``, ``next(stream)``.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from overhead_lint.analysis.graph.frequency import REPEATED, SAME, Frequency
from overhead_lint.analysis.graph.function_names import ITEMS
from overhead_lint.project.loop_shapes import repeats
from overhead_lint.project.scan import LOOPS

if TYPE_CHECKING:
    from overhead_lint.analysis.placement.items import ItemLoops
    from overhead_lint.project.file_loops import FileLoops

__all__ = ["ItemRounds"]


class ItemRounds:
    """The loops of a file's generators that give items.

    Args:
        facts: the file.
        items: tells which loops give items.
    """

    def __init__(self, facts: FileLoops, items: ItemLoops) -> None:
        self._facts = facts
        self._items = items

    @cached_property
    def loops(self) -> dict[ast.AST, ast.AST]:
        """The loops that give an item in each round and are not hot themselves, with their functions."""
        facts = self._facts
        return {
            loop: function
            for loop, function in facts.generators.giving.items()
            if loop.__class__ is ast.YieldFrom or self._items.gives(*facts.flow.number_of(loop))
        }

    def frequency(self, generator: ast.AST) -> Frequency:
        """How often a generator gives items, compared with its own heat: that of ``__iter__`` is theirs."""
        return SAME if getattr(generator, "name", "") == "__iter__" else REPEATED

    def name(self, node: ast.AST) -> str:
        """The name in paths of what runs a node: its function, or the rounds of a generator's loop."""
        function = self._facts.function_node(node)
        if function is None:
            return ""
        name = self._facts.definitions.identity(function)
        return (
            name + ITEMS
            if function in self._facts.generators.functions and self._is_in_round(node, function)
            else name
        )

    def _is_in_round(self, node: ast.AST, function: ast.AST) -> bool:
        parents, loops = self._facts.scan.parents, self.loops
        if node in loops and node.__class__ is ast.YieldFrom:
            return True
        child, parent = node, parents.get(node)
        while parent is not None and child is not function:
            if isinstance(parent, LOOPS) and parent in loops and repeats(parent, child):
                return True
            child, parent = parent, parents.get(parent)
        return False
