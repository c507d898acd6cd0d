"""Texts that are made of tensors: ``str.format``, ``%``, ``str()``, what writers and progress bars show."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .._calls import argument_values
from .._literals import elements_of, is_text
from .._texts import made_text
from .._wording import short

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["SHOWING_CALLS", "put_into_text", "shown_by"]

SHOWING_CALLS = frozenset({"add_scalar", "add_scalars", "format", "repr", "set_postfix", "str"})
"""Names of what is called where `shown_by` may find something."""


def shown_by(node: ast.Call, ctx: Context) -> Iterator[tuple[str, ast.expr]]:
    """What a call makes a text of, or hands to a writer that does, with what does so in words."""
    function = node.func
    for value in made_text(node, ctx):
        yield f"{short(function, ctx)}()", value
    if not isinstance(function, ast.Attribute):
        return
    if function.attr == "format" and is_text(function.value):
        for value in argument_values(node):
            yield "str.format", value
    elif function.attr == "add_scalar":
        for value in (*node.args[1:2], *(item.value for item in node.keywords if item.arg == "scalar_value")):
            yield ".add_scalar()", value
    elif function.attr in {"add_scalars", "set_postfix"}:  # of a summary writer, of a progress bar
        by_name = [item.value for item in node.keywords if item.arg != "refresh"]
        for table in (*node.args, *by_name):
            for value in table.values if isinstance(table, ast.Dict) else [table]:
                yield f".{function.attr}()", value


def put_into_text(node: ast.BinOp) -> list[ast.expr]:
    """What ``"..." % values`` makes a text of."""
    if not isinstance(node.op, ast.Mod) or not is_text(node.left):
        return []
    return elements_of(node.right)
