"""What calls are given, and what is called."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.parameters import positional
from overhead_lint.syntax.keywords import keyword_value
from overhead_lint.syntax.receivers import is_self_or_cls

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = [
    "COMPILERS",
    "argument_values",
    "call_of",
    "compiled_argument",
    "has_unpacked",
    "passed_values",
]

COMPILERS: Final = frozenset({"torch.compile", "torch.compiler.compile"})
"""The names of ``torch.compile``."""


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


def compiled_argument(call: ast.Call, ctx: Context) -> ast.expr | None:
    """Return what a call of ``torch.compile`` compiles; None for other calls, and where it is a decorator."""
    if ctx.qualified_name(call.func) not in COMPILERS:
        return None
    if call.args:
        return call.args[0]
    return keyword_value(call, "model")


def passed_values(name: ast.Name, ctx: Context) -> list[ast.expr]:
    """What the calls in the file pass for a parameter of the function around.

    Nothing for other names, where a call does not show it, or may be one of something else: methods are
    called on ``self`` and ``cls`` of their class.
    """
    function, cls = ctx.function(name), ctx.cls(name)
    if function is None or isinstance(function.node, ast.Lambda):
        return []
    bound = ctx.bindings(name)
    names = [item.arg for item in positional(function.node.args)]
    if not all(isinstance(one, ast.arg) for one in bound) or name.id not in names or is_self_or_cls(name):
        return []
    is_method = names[0] in {"self", "cls"}
    place = names.index(name.id) - is_method
    found: list[ast.expr] = []
    for call in ctx.calls(function.node.name):
        if is_method != (isinstance(call.func, ast.Attribute) and is_self_or_cls(call.func.value)):
            return []
        if is_method and ctx.cls(call) is not cls:
            continue
        given = [item.value for item in call.keywords if item.arg == name.id]
        given += [one for one in call.args[place : place + 1] if not isinstance(one, ast.Starred)]
        if len(given) != 1:
            return []
        found += given
    return found
