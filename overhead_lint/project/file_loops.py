"""Which loops of one file take steps, and which functions run in none."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from overhead_lint.analysis.loops.each_step import run_each_step
from overhead_lint.project.file_functions import FileFunctions
from overhead_lint.project.loops import Loops
from overhead_lint.project.seeds import cold_for_items, cold_reason, hot_reason

if TYPE_CHECKING:
    import ast

    from overhead_lint.rule import FunctionFacts

__all__ = ["FileLoops"]


class FileLoops(FileFunctions):
    """Which loops of one file take steps, and which functions run in none."""

    @cached_property
    def loops(self) -> Loops:
        """Which loops are hot."""
        return Loops(self)

    def cold_reason(self, function: FunctionFacts) -> str:
        """Why a function never runs in a step, whoever calls it; "" if nothing says so.

        Its name says so only where no step of the file runs it each time.
        """
        known = self._cold_unless_run.get(function.node)
        if known is None:
            known = self._cold_unless_run[function.node] = self._cold_reason(function)
        return known

    @cached_property
    def _cold_unless_run(self) -> dict[ast.AST, str]:
        """What `cold_reason` has found out."""
        return {}

    def _cold_reason(self, function: FunctionFacts) -> str:
        said = cold_reason(function, self)
        if not said:
            return ""
        shown = cold_for_items(function, self)
        is_by_name = shown != said
        return shown if is_by_name and self.flow.function(function.node) in self._run_each_step else said

    @cached_property
    def _run_each_step(self) -> frozenset[int]:
        """The places of the functions that steps of the file run each time."""
        steps = [
            place
            for node, function in self.functions.items()
            if hot_reason(function, self) is not None
            for place in (self.flow.function(node),)
            if place is not None
        ]
        return run_each_step(self.module, self.flow.names, self.kinds.values, self.loops.is_hot, steps)
