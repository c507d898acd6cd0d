"""The parameters of functions and lambdas."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["all_parameters", "positional", "with_defaults"]


def positional(arguments: ast.arguments) -> list[ast.arg]:
    """Return the parameters that may be given by position, without ``*args``."""
    return [*arguments.posonlyargs, *arguments.args]


def all_parameters(arguments: ast.arguments) -> list[ast.arg]:
    """Return the parameters in their order, without ``*args`` and ``**kwargs``."""
    return [*positional(arguments), *arguments.kwonlyargs]


def with_defaults(arguments: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr]]:
    """Yield each parameter that has a default, and the default."""
    first = positional(arguments)
    yield from zip(first[len(first) - len(arguments.defaults) :], arguments.defaults, strict=True)
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            yield one, default
