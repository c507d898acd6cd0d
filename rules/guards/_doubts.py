"""Why a loop over a module list may not do what the loop over its indices did."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .._blocks import scope_of
from .._calls import argument_values
from .._names import is_named

if TYPE_CHECKING:
    from overhead_lint.rule import Context

_LATER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.GeneratorExp)
_SEES_LOCALS = frozenset({"dir", "eval", "exec", "locals", "vars"})


def is_read_later(scope: ast.AST, reads: Mapping[str, Sequence[ast.expr]], ctx: Context) -> bool:
    """Whether a function made in the loop reads an element: with the index that the name has by then."""
    makers = [item for item in (scope, *ctx.within(scope, ast.AST)) if isinstance(item, _LATER)]
    inside = {item for maker in makers for item in ctx.within(maker, ast.Subscript)}
    return any(item in inside for items in reads.values() for item in items)


def gives_index_to_method(scope: ast.AST, index: str, ctx: Context) -> bool:
    """Whether the loop gives ``self`` and the index to one call: it may replace the element."""
    for call in ctx.within(scope, ast.Call):
        given = argument_values(call)
        owner = [call.func.value] if isinstance(call.func, ast.Attribute) else []
        if any(is_named(item, "self") for item in (*owner, *given)) and any(
            is_named(item, index) for item in given
        ):
            return True
    return False


def locals_are_seen(scope: ast.AST, ctx: Context) -> bool:
    """Whether the function looks at its local names by name."""
    return any(
        isinstance(call.func, ast.Name) and call.func.id in _SEES_LOCALS
        for call in ctx.within(scope_of(scope, ctx), ast.Call)
    )
