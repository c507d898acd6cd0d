"""Attributes of ``self``: where they are set, and to what."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.syntax.receivers import is_own_attribute

from .._classes import in_init

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from overhead_lint.rule import ClassFacts, Context

_REGISTERS = frozenset({"register_buffer", "register_parameter", "register_module", "add_module"})


def uses(cls: ClassFacts, name: str, ctx: Context) -> Sequence[ast.Attribute]:
    """All ``self.name`` of a class, reads and writes, in source order."""
    return [
        item for item in ctx.within(cls.node, ast.Attribute) if item.attr == name and is_own_attribute(item)
    ]


def initial(node: ast.Attribute, ctx: Context) -> ast.expr | None:
    """What ``__init__`` sets ``self.name`` to, or the class body ``name``; None if that is not one value."""
    cls = ctx.cls(node)
    if cls is None or not is_own_attribute(node) or is_registered(cls, node.attr, ctx):
        return None
    found = [value for place, value in _assigned(cls, ctx) if place == node.attr]
    return found[0] if len(found) == 1 else None


def _assigned(cls: ClassFacts, ctx: Context) -> Iterator[tuple[str, ast.expr]]:
    for statement in ctx.within(cls.node, ast.Assign, ast.AnnAssign):
        assert isinstance(statement, (ast.Assign, ast.AnnAssign))
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if statement.value is None:
            continue
        for target in targets:
            if is_own_attribute(target) and in_init(statement, ctx):
                yield target.attr, statement.value
            elif isinstance(target, ast.Name) and ctx.parent(statement) is cls.node:
                yield target.id, statement.value


def is_registered(cls: ClassFacts, name: str, ctx: Context) -> bool:
    """Whether the class registers a buffer, parameter or module of that name."""
    return any(
        isinstance(call.func, ast.Attribute)
        and call.func.attr in _REGISTERS
        and bool(call.args)
        and isinstance(call.args[0], ast.Constant)
        and call.args[0].value == name
        for call in ctx.within(cls.node, ast.Call)
    )
