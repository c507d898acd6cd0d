"""Asks the control-flow graph of a file by the nodes of its tree."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.builder import Trace
from overhead_lint.analysis.ir.lowering import lower
from overhead_lint.analysis.ir.queries import Flow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.project.scan import Scan

__all__ = ["FileFlow"]


class FileFlow:
    """Control and data flow of one file.

    Args:
        scan: the file's tree, walked.
    """

    def __init__(self, scan: Scan) -> None:
        self._scan = scan
        self._trace = Trace()
        self._ir = lower(scan.tree, self._trace)
        self._flows: dict[int, Flow] = {}

    def reaching(self, use: ast.AST, bindings: Sequence[ast.AST]) -> list[ast.AST]:
        """Return the bindings that may hold when a use is evaluated, in order.

        Args:
            use: a name, or what reads an attribute or item.
            bindings: what binds a name, all of the scope that `use` stands in, or writes an attribute or
            item; in
                source order.
        """
        if len(bindings) == 1 and bindings[0].__class__ is ast.arg:
            return list(bindings)
        home = self._home(use)
        values = self._trace.values
        flow = self._flow(home)
        at = values.get(use)
        if at is None:  # an annotation, of which nothing is lowered
            return list(bindings)
        if use.__class__ is ast.Name and use.ctx.__class__ is ast.Load:
            found = set(flow.definitions(at))
        else:
            # What other functions bind may have run at any time.
            here = {values[one] for one in bindings if one in values and self._home(one) == home}
            found = set(flow.reaching(at, here)[0])
        return [one for one in bindings if values.get(one) in found or self._home(one) != home]

    def runs_always(self, node: ast.AST, function: ast.AST) -> bool:
        """Whether a node runs in each call of the function around it that no exception ends."""
        place = self._trace.functions.get(function)
        value = self._trace.values.get(node)
        if place is None or value is None:
            return False
        flow = self._flow(place)
        return flow.always_runs(flow.block_of(value))

    def _flow(self, place: int) -> Flow:
        known = self._flows.get(place)
        if known is None:
            known = self._flows[place] = Flow(self._ir.functions[place])
        return known

    def _home(self, node: ast.AST) -> int:
        """Return the place of the function, class or module that a node is evaluated in."""
        if node.__class__ is ast.arg:
            holder = self._scan.parents[self._scan.parents[node]]
            return self._trace.functions[holder]
        return self._trace.functions[self._scan.scope_of(node).function_or_module().node]
