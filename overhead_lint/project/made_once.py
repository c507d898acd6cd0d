"""Functions that work out what is kept: what calls them does so until it is there, and no more."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from overhead_lint.analysis.graph.frequency import ONCE
from overhead_lint.project.scan import NAMED_FUNCTIONS

if TYPE_CHECKING:
    from overhead_lint.analysis.graph.gate import Gate
    from overhead_lint.project.file_loops import FileLoops

__all__ = ["MadeOnce"]


class MadeOnce:
    """Tells loops that work out what is kept, as the first centres of a codebook are.

    Args:
        facts: the file.
        gate_at: gives the gate of what stands somewhere; None if it has none.
    """

    def __init__(self, facts: FileLoops, gate_at: Callable[[ast.expr], Gate | None]) -> None:
        self._facts = facts
        self._gate_at = gate_at
        self._known: dict[ast.AST, bool] = {}

    def is_in(self, loop: ast.AST) -> bool:
        """Whether the file calls the function around a loop in branches alone that run once.

        A loop that trains, or takes batches, has the steps that it has all the same.
        """
        function = self._facts.function_node(loop)
        if not isinstance(function, NAMED_FUNCTIONS) or not self._facts.loops.is_unsure(loop):
            return False
        known = self._known.get(function)
        if known is None:
            self._known[function] = False  # for what calls itself
            calls = self._facts.call_index.by_name.get(function.name, ())
            gates = [self._gate_at(call) for call in calls]
            known = bool(calls) and all(gate is not None and gate.frequency is ONCE for gate in gates)
            self._known[function] = known
        return known
