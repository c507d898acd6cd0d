"""Which nodes of a file heat can reach: not what runs at import, on error paths, or is always cold."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.project.class_seeds import may_be_hot_by_class
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.project.seeds import cold_for_items

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhead_lint.project.file_placements import FilePlacements

__all__ = ["Warmable"]

# Classes of nodes that hold places of another heat than their own.
_HOLDERS: Final = frozenset({ast.AsyncFunctionDef, ast.ClassDef, ast.FunctionDef, ast.Lambda, ast.Module})


class Warmable:
    """Tells nodes that may turn out hot from those that are cold whatever the project says.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FilePlacements) -> None:
        self._facts = facts
        self._order = facts.scan.order
        self._flags = self._flagged()
        self._of_class: dict[type[ast.AST], list[ast.AST]] = {}

    def of_class(self, node_class: type[ast.AST]) -> list[ast.AST]:
        """The nodes of a class that may be hot, or hold what may, in source order."""
        known = self._of_class.get(node_class)
        if known is None:
            nodes = self._facts.scan.of_class(node_class)
            if node_class in _HOLDERS:
                known = [node for node in nodes if node_class is ast.Module or self._holds_any(node)]
            else:
                known = self.among(nodes)
            self._of_class[node_class] = known
        return known

    def _holds_any(self, node: ast.AST) -> bool:
        """Whether a node that may be hot is one, or below one."""
        held = self._facts.scan.range_of(node)
        return self._flags.find(1, held.start, held.stop) >= 0

    def among(self, nodes: Iterable[ast.AST]) -> list[ast.AST]:
        """Those of some nodes that may be hot."""
        flags, order = self._flags, self._order
        return [node for node in nodes if flags[order[node]]]

    def _flagged(self) -> bytearray:
        """For each node, by its place among all, whether it may be hot."""
        scan = self._facts.scan
        flags = bytearray(len(self._order))
        if self._runs_steps_at_top():
            flags[:] = b"\1" * len(flags)
        cold, errors = self._cold(), self._error_paths()
        for node in scan.scopes:  # those around others come first
            if isinstance(node, FUNCTIONS):
                body = scan.range_of_body(node)
                flags[body.start : body.stop] = (b"\0" if node in cold else b"\1") * len(body)
            for path in errors.get(node, ()):
                flags[path.start : path.stop] = b"\0" * len(path)
        facts = self._facts
        for loop, generator in facts.item_rounds.loops.items():
            if generator in cold and not cold_for_items(facts.functions[generator], facts):
                held = scan.range_of(loop)
                flags[held.start : held.stop] = b"\1" * len(held)
        for runs in facts.definitions.partials:  # wherever they are made
            flags[self._order[scan.parents[runs]]] = flags[self._order[runs]] = 1
        return flags

    def _error_paths(self) -> dict[ast.AST, list[range]]:
        """By functions, or the module, the places of the nodes in their error paths, but for hot loops."""
        facts, scan = self._facts, self._facts.scan
        loops = [self._order[loop] for loop in facts.loops.hot()]
        found: dict[ast.AST, list[range]] = {}
        for node_class in (ast.Raise, ast.ExceptHandler):
            for node in scan.of_class(node_class):
                held = scan.range_of(node)[1:]
                if not any(loop in held for loop in loops):
                    found.setdefault(facts.function_node(node) or scan.tree, []).append(held)
        return found

    def _runs_steps_at_top(self) -> bool:
        facts = self._facts
        return any(facts.function_node(loop) is None for loop in facts.loops.hot())

    def _cold(self) -> set[ast.AST]:
        """Functions that are cold whoever calls them.

        Of functions with one name the graph knows the last: they are cold if all are.
        """
        facts = self._facts
        cold: set[ast.AST] = set()
        warm: set[str] = set()
        for node, function in facts.functions.items():
            if facts.cold_reason(function) and not may_be_hot_by_class(function):
                cold.add(node)
            else:
                warm.add(facts.definitions.identity(node))
        return {node for node in cold if facts.definitions.identity(node) not in warm}
