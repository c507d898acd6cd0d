"""What calls are given, and what is called."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["argument_values", "call_of", "has_unpacked"]


def argument_values(call: ast.Call) -> list[ast.expr]:
    """The values of all arguments, those without a name first; ``*values`` as what is starred."""
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def has_unpacked(call: ast.Call) -> bool:
    """Whether arguments without a name are unpacked from something: ``f(*values)``."""
    return any(isinstance(argument, ast.Starred) for argument in call.args)


def call_of(called: ast.expr, ctx: Context) -> ast.Call | None:
    """The call of an expression: ``f(x)`` for the ``f`` in it; None where it is not called."""
    holder = ctx.parent(called)
    return holder if isinstance(holder, ast.Call) and holder.func is called else None
