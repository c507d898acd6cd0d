"""Which class of the file an expression is an instance of."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from overhead_lint.api.torch_calls import FLUENT
from overhead_lint.syntax.receivers import is_own_attribute, is_self

from ._assignments import attribute_values
from ._calls import argument_for, compiled_argument
from ._classes import class_named
from ._names import is_named, own_name

if TYPE_CHECKING:
    from overhead_lint.rule import ClassFacts, Context

__all__ = ["annotation_of", "class_of"]


def class_of(node: ast.expr, ctx: Context) -> ClassFacts | None:
    """Return the class of this file that an expression is an instance of, by construction or annotation.

    Where several values may reach the place, all but None are of that class.
    """
    found = list(_classes(node, ctx, set()))
    return found[0] if found and all(cls is found[0] for cls in found) else None


def _classes(node: ast.expr, ctx: Context, seen: set[ast.expr]) -> Iterator[ClassFacts | None]:
    """Yield the class of each value that an expression may have; None for one that is not known.

    Nothing for what was asked before: ``model = torch.compile(model)`` says nothing new of the model.
    """
    if node in seen:
        return
    seen.add(node)
    match node:
        case ast.Constant(value=None):
            return
        case ast.Name() if is_self(node):
            yield ctx.cls(node)
        case ast.Call():
            cls = class_named(ctx.qualified_name(node.func), ctx)
            if cls is not None:
                yield cls
            else:
                yield from _passed_on(node, ctx, seen)
        case ast.BoolOp(op=ast.Or(), values=values):
            # What `given or Plan()` builds is what the given one is expected to be.
            found = [cls for value in values for cls in _classes(value, ctx, seen)]
            yield from [cls for cls in found if cls is not None] or found
        case ast.IfExp(body=body, orelse=orelse):
            yield from _classes(body, ctx, seen)
            yield from _classes(orelse, ctx, seen)
        case ast.Name() | ast.Attribute():
            yield from _bound(node, ctx, seen)
        case _:
            yield None


def _bound(node: ast.Name | ast.Attribute, ctx: Context, seen: set[ast.expr]) -> Iterator[ClassFacts | None]:
    """Yield the classes of what a name or ``self.attribute`` is bound to, or else that of its annotation."""
    found: list[ClassFacts | None] = []
    for value in _values(node, ctx):
        found.extend(_classes(value, ctx, seen) if value is not None else (None,))
    if not found or None in found:
        annotation = annotation_of(node, ctx)
        if annotation is None and isinstance(node, ast.Attribute) and not is_self(node.value):
            owners = set(_classes(node.value, ctx, seen))
            owner = owners.pop() if len(owners) == 1 else None
            annotation = _annotation_in(owner, node.attr, ctx) if owner is not None else None
        if annotation is not None:
            found = [class_named(_annotated_name(annotation, ctx), ctx)]
        elif isinstance(node, ast.Name):
            found = _given(node, ctx, seen) or found
    yield from found


def _given(parameter: ast.Name, ctx: Context, seen: set[ast.expr]) -> list[ClassFacts | None]:
    """Return the classes of what the calls of this file give for a parameter of the function around."""
    function = ctx.function(parameter)
    if function is None or isinstance(function.node, ast.Lambda) or ctx.values(parameter):
        return []
    names = [item.arg for item in ast.walk(function.node.args) if isinstance(item, ast.arg)]
    if parameter.id not in names:
        return []
    static = any(is_named(item, "staticmethod") for item in function.node.decorator_list)
    name = function.node.name
    if name == "__init__" and function.cls is not None:
        name = function.cls.node.name
    found: list[ClassFacts | None] = []
    for call in ctx.calls(name):
        bound = function.cls is not None and not static
        value = argument_for(parameter.id, call, function.node, bound=bound)
        found.extend(_classes(value, ctx, seen) if value is not None else (None,))
    return found


def _values(node: ast.Name | ast.Attribute, ctx: Context) -> Sequence[ast.expr | None]:
    """Return what may be bound there; None stands for what is not known."""
    if is_own_attribute(node):
        return attribute_values(node, ctx) or [None]
    return ctx.values(node) or [ctx.value(node)]


def _passed_on(call: ast.Call, ctx: Context, seen: set[ast.expr]) -> Iterator[ClassFacts | None]:
    """Yield the classes of the module that a call gives back: ``net.eval()``, ``torch.compile(net)``."""
    given = compiled_argument(call, ctx)
    if given is None and isinstance(call.func, ast.Attribute) and call.func.attr in FLUENT:
        given = call.func.value
    if given is None:
        yield None
        return
    for cls in _classes(given, ctx, seen):
        yield cls if cls is not None and cls.is_module else None


def annotation_of(node: ast.expr, ctx: Context) -> ast.expr | None:
    """Return the annotation of a parameter, or of ``self.attribute`` in the body of its class."""
    if isinstance(node, ast.Name):
        function = ctx.function(node)
        arguments = function.node.args if function is not None else None
        for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs) if arguments else ():
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


def _annotated_name(annotation: ast.expr, ctx: Context) -> str | None:
    """Return the qualified name that an annotation stands for, ``X | None`` and ``"X"`` included."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.right, ast.Constant):
        annotation = annotation.left
    if isinstance(annotation, ast.Subscript) and ctx.qualified_name(annotation.value) == "typing.Optional":
        annotation = annotation.slice
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return f".{annotation.value}"
    return ctx.qualified_name(annotation)
