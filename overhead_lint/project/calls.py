"""Which functions of a file expressions stand for, and calls run."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.analysis.values.holders import Partial
from overhead_lint.analysis.values.symbols import Bound, FunctionSymbol

if TYPE_CHECKING:
    from overhead_lint.project.file_paths import FilePaths

__all__ = ["Calls"]


class Calls:
    """Resolves calls within one file.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FilePaths) -> None:
        self._facts = facts

    def functions_named(self, node: ast.expr) -> list[ast.AST]:
        """The functions of this file that an expression stands for."""
        if node.__class__ is ast.Lambda:
            return [node]
        place = self._facts.flow.operation(node)
        if place is None:
            return []
        body, at = self._facts.paths.place(*place)
        found: dict[ast.AST, None] = {}
        for one in body.values[at].references:
            symbol = one.function if isinstance(one, Bound) else one
            if isinstance(symbol, Partial):
                symbol = next(iter(symbol.function.value.references), symbol)
            if isinstance(symbol, FunctionSymbol):
                found[self._facts.flow.definition(symbol.body.place)] = None
        return [*found] or (self._wrapped(node) if node.__class__ is ast.Call else [])

    def run_by(self, call: ast.Call) -> list[ast.AST]:
        """The functions of this file that a call may run; of a ``Sequential`` those of its modules."""
        place = self._facts.flow.operation(call)
        if place is None:
            return []
        callees = self._facts.kinds.values.callees(*self._facts.paths.place(*place))
        return [self._facts.flow.definition(one.body.place) for one in callees.functions]

    def _wrapped(self, call: ast.Call) -> list[ast.AST]:
        """The functions that a call is given by name, or written out, and gives back in some other form."""
        named = [item for item in call.args if isinstance(item, (ast.Attribute, ast.Lambda, ast.Name))]
        return [function for item in named for function in self.functions_named(item)]
