"""The defaults of parameters, as they are written."""

from __future__ import annotations

import ast

__all__ = ["default_of"]


def default_of(arguments: ast.arguments, argument: ast.arg) -> ast.expr | None:
    """The default of a parameter, if it has one."""
    if argument is arguments.vararg or argument is arguments.kwarg:
        return None
    if argument in arguments.kwonlyargs:
        return arguments.kw_defaults[arguments.kwonlyargs.index(argument)]
    positional = [*arguments.posonlyargs, *arguments.args]
    index = positional.index(argument) - (len(positional) - len(arguments.defaults))
    return arguments.defaults[index] if index >= 0 else None
