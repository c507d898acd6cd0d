"""Classes as they are written."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.rule import ClassFacts, Context

__all__ = [
    "assigned",
    "bases_here",
    "class_named",
    "decorator_says",
    "in_init",
    "is_buffer",
    "lineage",
    "method",
]


def class_named(name: str | None, ctx: Context) -> ClassFacts | None:
    """The class of this file that a qualified name stands for; None for any other name."""
    return next((cls for cls in ctx.classes() if name == f".{cls.qualname}"), None)


def bases_here(cls: ClassFacts, ctx: Context) -> list[ClassFacts]:
    """The bases of a class that are in its file."""
    found = [class_named(base, ctx) for base in cls.bases]
    return [base for base in found if base is not None and base is not cls]


def lineage(cls: ClassFacts, ctx: Context) -> Iterator[ClassFacts]:
    """A class, its bases in this file, and theirs."""
    yield cls
    for base in bases_here(cls, ctx):
        yield from lineage(base, ctx)


def assigned(cls: ClassFacts) -> dict[str, ast.expr]:
    """The names that the body of a class assigns to, each with the last value."""
    return {
        target.id: item.value
        for item in cls.node.body
        if isinstance(item, ast.Assign)
        for target in item.targets
        if isinstance(target, ast.Name)
    }


def decorator_says(cls: ClassFacts, name: str) -> bool | None:
    """Whether a decorator of a class is given something else than False by a name; None where none is."""
    for decorator in cls.node.decorator_list:
        for item in decorator.keywords if isinstance(decorator, ast.Call) else ():
            if item.arg == name:
                return not (isinstance(item.value, ast.Constant) and item.value.value is False)
    return None


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
