"""Parameters of a function as those of a method, written as formatters leave them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from overhead_lint.analysis.parameters import positional

__all__ = ["initializer"]

_WIDTH = 88
"""Columns up to which formatters keep a header on one line, unless they are told of more."""
_INDENT = 4


def initializer(parameters: ast.arguments) -> list[str]:
    """Return the lines that open ``__init__`` in a class at the margin, with the parameters of a function.

    Args:
        parameters: without ``*args`` and ``**kwargs``.
    """
    written = _written(parameters)
    line = f"{' ' * _INDENT}def __init__({', '.join(written)}):"
    if len(line) <= _WIDTH:
        return [line]
    inside = " " * 2 * _INDENT
    return [f"{' ' * _INDENT}def __init__(", *(f"{inside}{one}," for one in written), f"{' ' * _INDENT}):"]


def _written(parameters: ast.arguments) -> list[str]:
    by_position = positional(parameters)
    without = len(by_position) - len(parameters.defaults)
    defaults: Sequence[ast.expr | None] = [*([None] * without), *parameters.defaults]
    result = [_one(parameter, default) for parameter, default in zip(by_position, defaults, strict=True)]
    if parameters.posonlyargs:
        result.insert(len(parameters.posonlyargs), "/")
    result.insert(0, "self")
    if parameters.kwonlyargs:
        named = zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
        result += ["*", *(_one(parameter, default) for parameter, default in named)]
    return result


def _one(parameter: ast.arg, default: ast.expr | None) -> str:
    """A parameter; around the equals sign stand blanks where it is annotated, as PEP 8 has it."""
    if parameter.annotation is None:
        return parameter.arg if default is None else f"{parameter.arg}={_quoted(default)}"
    text = f"{parameter.arg}: {ast.unparse(parameter.annotation)}"
    return text if default is None else f"{text} = {_quoted(default)}"


def _quoted(value: ast.expr) -> str:
    """An expression; a text in the quotes that formatters choose."""
    if not (isinstance(value, ast.Constant) and isinstance(value.value, str)):
        return ast.unparse(value)
    if value.value.isprintable() and not {'"', "\\"} & {*value.value}:
        return f'"{value.value}"'
    return ast.unparse(value)
