"""Module lists and module classes, as far as one file shows them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.receivers import is_own_attribute

from .._classes import class_named

if TYPE_CHECKING:
    from overhead_lint.rule import ClassFacts, Context

LISTS = frozenset(
    {
        "torch.nn.ModuleList",
        "torch.nn.Sequential",
        "torch.nn.modules.container.ModuleList",
        "torch.nn.modules.container.Sequential",
        "torch.nn.modules.ModuleList",
        "torch.nn.modules.Sequential",
    }
)


def is_module_list(node: ast.expr, ctx: Context) -> bool:
    """Whether ``self.attribute`` or a parameter is a ModuleList or Sequential, as its binding tells."""
    value = ctx.value(node)
    if isinstance(value, ast.Call):
        return ctx.qualified_name(value.func) in LISTS
    annotation = annotation_of(node, ctx)
    return annotation is not None and ctx.qualified_name(annotation) in LISTS


def elements(node: ast.expr, ctx: Context) -> ClassFacts | None:
    """The one class of this file that a module list is built from, when its constructor shows it."""
    value = ctx.value(node)
    if not isinstance(value, ast.Call) or len(value.args) != 1:
        return None
    made = value.args[0]
    if isinstance(made, (ast.ListComp, ast.GeneratorExp)):
        return class_built_by(made.elt, ctx)
    if isinstance(made, (ast.List, ast.Tuple)) and made.elts:
        classes = [class_built_by(item, ctx) for item in made.elts]
        return classes[0] if all(cls is classes[0] for cls in classes) else None
    return None


def class_built_by(node: ast.expr, ctx: Context) -> ClassFacts | None:
    """The class of this file whose constructor the expression calls."""
    if not isinstance(node, ast.Call):
        return None
    return class_named(ctx.qualified_name(node.func), ctx)


def annotation_of(node: ast.expr, ctx: Context) -> ast.expr | None:
    """The annotation of a parameter, or of ``self.attribute`` in the body of its class."""
    if isinstance(node, ast.Name):
        function = ctx.function(node)
        arguments = function.node.args if function is not None else None
        for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs) if arguments else ():
            if arg.arg == node.id:
                return arg.annotation
    cls = ctx.cls(node)
    if cls is None or not is_own_attribute(node):
        return None
    for statement in cls.node.body:
        target = statement.target if isinstance(statement, ast.AnnAssign) else None
        if isinstance(statement, ast.AnnAssign) and isinstance(target, ast.Name) and target.id == node.attr:
            return statement.annotation
    return None
