"""What parameters and attributes are annotated with."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.analysis.parameters import all_parameters
from overhead_lint.syntax.receivers import is_own_attribute

from ._names import own_name

if TYPE_CHECKING:
    from overhead_lint.rule import ClassFacts, Context

__all__ = ["annotation_of"]


def annotation_of(node: ast.expr, ctx: Context) -> ast.expr | None:
    """Return the annotation of a parameter, or of ``self.attribute`` in the body of its class."""
    if isinstance(node, ast.Name):
        function = ctx.function(node)
        arguments = function.node.args if function is not None else None
        for arg in all_parameters(arguments) if arguments else ():
            if arg.arg == node.id:
                return arg.annotation
    cls = ctx.cls(node)
    return _annotation_in(cls, node.attr, ctx) if cls is not None and is_own_attribute(node) else None


def _annotation_in(cls: ClassFacts, name: str, ctx: Context) -> ast.expr | None:
    """Return the annotation of an attribute in the body of its class, or where a method assigns to it."""
    for statement in ctx.within(cls.node, ast.AnnAssign):
        target = statement.target
        of_class = isinstance(target, ast.Name) and ctx.parent(statement) is cls.node
        if own_name(target) == name and (of_class or is_own_attribute(target)):
            return statement.annotation
    return None
