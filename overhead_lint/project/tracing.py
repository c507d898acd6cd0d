"""Functions that trace, export or capture something."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.lookup import qualified_where

if TYPE_CHECKING:
    from overhead_lint.project.file_syntax import FileSyntax

__all__ = ["tracing"]

# Functions that take one of these run when something is made of a model, for good.
_TRACERS: Final = qualified_where(lambda told: told.traces)


def tracing(facts: FileSyntax) -> dict[ast.AST, str]:
    """Functions that trace, export or capture something on each call, with what they do it by."""
    found: dict[ast.AST, str] = {}
    for name in _TRACERS:
        for call in facts.call_index.by_name.get(name.rpartition(".")[2], ()):
            function = facts.function_node(call)
            if function is None or facts.names.qualified(call.func) != name:
                continue
            if facts.flow.runs_always(call, function):
                found[function] = name
    return found
