"""What a module's forward reads of ``self``, and what that costs in guards."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.rule import Kind
from overhead_lint.syntax.receivers import is_own_attribute

from .._calls import call_of
from ._attributes import initial

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.rule import ClassFacts, Context, FunctionFacts


def chains(function: FunctionFacts, ctx: Context) -> Iterator[tuple[ast.Attribute, str]]:
    """The reads of ``self.config.name`` in a function, each with the name of the attribute that holds it.

    The attribute holds what the constructor was given, and is neither a tensor nor a module.
    """
    for node in ctx.within(function.node, ast.Attribute):
        owner = node.value
        if not (isinstance(node.ctx, ast.Load) and is_own_attribute(owner)):
            continue
        if call_of(node, ctx) is not None:
            continue
        if _is_given(owner, ctx) and ctx.kind(owner) not in (Kind.TENSOR, Kind.HOST_TENSOR, Kind.MODULE):
            yield node, owner.attr


def _is_given(owner: ast.Attribute, ctx: Context) -> bool:
    """Whether ``__init__`` sets the attribute to one of its parameters, and no method calls it."""
    value, cls = initial(owner, ctx), ctx.cls(owner)
    if not isinstance(value, ast.Name) or cls is None:
        return False
    return not any(is_own_attribute(call.func) for call in ctx.calls(owner.attr) if ctx.cls(call) is cls)


def methods_compiled(cls: ClassFacts, ctx: Context) -> Iterator[FunctionFacts]:
    """The methods of a module class that run compiled."""
    for function in ctx.functions():
        if function.cls is cls and function.compiled:
            yield function
