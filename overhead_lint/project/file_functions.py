"""The functions of one file, and which of them are compiled, traced, hot or cold for what they are."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from overhead_lint.project.compiled import compiled_entries, compiled_nodes
from overhead_lint.project.file_calls import FileCalls
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.project.tracing import tracing
from overhead_lint.rule import FunctionFacts

if TYPE_CHECKING:
    import ast

    from overhead_lint.api.heat_reasons import Reason


__all__ = ["FileFunctions"]


class FileFunctions(FileCalls):
    """The functions of one file."""

    @cached_property
    def functions(self) -> dict[ast.AST, FunctionFacts]:
        """Functions, methods and lambdas of the file, in source order."""
        compiled = compiled_nodes(self.compiled_entries, self)
        elsewhere = dict(self.told.compiled)
        found: dict[ast.AST, FunctionFacts] = {}
        for node in self.scan.scopes:
            if isinstance(node, FUNCTIONS):
                is_eager = elsewhere.get(self.definitions.identity(node)) if elsewhere else None
                found[node] = FunctionFacts(
                    node,
                    self.names.qualname(node),
                    self.class_holding(node),
                    compiled=node in compiled or is_eager is not None,
                    eager=bool(is_eager) and node not in compiled,
                )
        return found

    def function_of(self, node: ast.AST) -> FunctionFacts | None:
        """The innermost function whose body holds `node`."""
        found = self.function_node(node)
        return self.functions[found] if found is not None else None

    @cached_property
    def compiled_entries(self) -> frozenset[ast.AST]:
        """The functions that are compiled themselves, not through a caller."""
        return compiled_entries(self)

    @cached_property
    def tracing(self) -> dict[ast.AST, str]:
        """Functions that trace, export or capture something on each call, with what they do it by."""
        return tracing(self)

    @cached_property
    def hot_reasons(self) -> dict[ast.AST, Reason | None]:
        """What `overhead_lint.project.seeds` found out of functions that are hot."""
        return {}

    @cached_property
    def cold_reasons(self) -> dict[ast.AST, str]:
        """What `overhead_lint.project.seeds` found out of functions that are cold."""
        return {}
