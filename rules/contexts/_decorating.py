"""Context managers of a file that decorate functions, too: each call of such a function enters a new one."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from overhead_lint.analysis.parameters import positional

from .._calls import call_of
from ._moved import CannotMove

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["WRAPS", "decorator", "is_decorating"]

WRAPS = "\1"
"""Stands in a class for the name of ``functools.wraps``."""


def is_decorating(use: ast.expr, ctx: Context) -> bool:
    """Whether what a call of something gives decorates a function: ``@region("step")``."""
    call = call_of(use, ctx)
    holder = ctx.parent(call) if call is not None else None
    return isinstance(holder, (ast.FunctionDef, ast.AsyncFunctionDef)) and call in holder.decorator_list


def decorator(node: ast.FunctionDef, kept: Sequence[str]) -> list[str]:
    """Return the lines of the method by which instances of a generator's class decorate functions.

    Args:
        node: the generator.
        kept: its parameters that instances keep, each in a slot of its name.

    Raises:
        CannotMove: a parameter is not kept, so that another instance cannot be built.
    """
    parameters = node.args
    by_position = [item.arg for item in positional(parameters)]
    by_name = [item.arg for item in parameters.kwonlyargs]
    if {*by_position, *by_name} != {*kept} or "self" in kept:
        raise CannotMove("it does not keep all that it is built with")
    given = ", ".join(
        [*(f"self.{name}" for name in by_position), *(f"{name}=self.{name}" for name in by_name)]
    )
    return [
        "",
        "    def __call__(self, function):",
        f"        @{WRAPS}(function)",
        "        def entered(*args, **kwargs):",
        f"            with {node.name}({given}):",
        "                return function(*args, **kwargs)",
        "",
        "        return entered",
    ]
