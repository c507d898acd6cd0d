"""Classes as they are written."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overhead_lint.rule import ClassFacts, Context

__all__ = ["class_named", "in_init", "is_buffer", "method"]


def class_named(name: str | None, ctx: Context) -> ClassFacts | None:
    """The class of this file that a qualified name stands for; None for any other name."""
    return next((cls for cls in ctx.classes() if name == f".{cls.qualname}"), None)


def in_init(node: ast.AST, ctx: Context) -> bool:
    """Whether a node stands in ``__init__``."""
    function = ctx.function(node)
    return function is not None and function.qualname.rpartition(".")[2] == "__init__"


def is_buffer(attribute: ast.Attribute, ctx: Context) -> bool:
    """Whether the class that a place is in registers an attribute of this name as a buffer."""
    cls = ctx.cls(attribute)
    return any(
        ctx.cls(call) is cls
        and bool(call.args)
        and isinstance(call.args[0], ast.Constant)
        and call.args[0].value == attribute.attr
        for call in ctx.calls("register_buffer")
    )


def method(cls: ClassFacts, name: str) -> ast.FunctionDef | None:
    """The method that a class itself defines; None if it has none, or inherits it."""
    return next(
        (item for item in cls.node.body if isinstance(item, ast.FunctionDef) and item.name == name), None
    )
