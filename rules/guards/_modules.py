"""Module lists, and what they hold, as far as one file shows them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from overhead_lint.tuples import NamedTuple

from .._assignments import value_behind
from .._classes import class_named
from .._instances import annotation_of
from .._names import own_name

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


class Elements(NamedTuple):
    """What a module list holds: modules of one class of this file.

    Attributes:
        cls: their class.
        calls: the calls that build them.
    """

    cls: ClassFacts
    calls: Sequence[ast.Call]


def elements(node: ast.expr, ctx: Context) -> Elements | None:
    """Return what a module list is built from; None where its class does not show all of it."""
    value = ctx.value(node)
    if not isinstance(value, ast.Call) or value.keywords:
        return None
    if own_name(value.func) == "Sequential" or len(value.args) != 1:
        parts = [built for part in value.args for built in _unpacked(part, ctx)]
    else:
        parts = _contents(value.args[0], ctx)
    calls = [value_behind(part, ctx) if part is not None else None for part in (*parts, *_added(node, ctx))]
    built = [call for call in calls if isinstance(call, ast.Call)]
    classes = [class_named(ctx.qualified_name(call.func), ctx) for call in built]
    if len(built) < len(calls) or not classes or classes[0] is None:
        return None
    return Elements(classes[0], built) if all(cls is classes[0] for cls in classes) else None


def _unpacked(part: ast.expr, ctx: Context) -> list[ast.expr | None]:
    """Return an argument, or the items of a starred one; None for those that are not known."""
    return _contents(part.value, ctx) if isinstance(part, ast.Starred) else [part]


def _contents(items: ast.expr, ctx: Context) -> list[ast.expr | None]:
    """Return what stands for the items of a list; None for those that are not known."""
    match items:
        case ast.ListComp(elt=elt) | ast.GeneratorExp(elt=elt):
            return [elt]
        case ast.List(elts=elts) | ast.Tuple(elts=elts):
            return [item for part in elts for item in _unpacked(part, ctx)]
        case ast.Name():
            value = ctx.value(items)
            return [*_contents(value, ctx), *_added(items, ctx)] if isinstance(value, ast.List) else [None]
    return [None]


def _added(items: ast.expr, ctx: Context) -> list[ast.expr | None]:
    """Return what the class or function around a list adds to it; None for what is not known."""
    function, cls, text = ctx.function(items), ctx.cls(items), ctx.text(items)
    found: list[ast.expr | None] = []
    for name in ("append", "extend", "insert"):
        for call in ctx.calls(name):
            if not isinstance(call.func, ast.Attribute) or ctx.text(call.func.value) != text:
                continue
            if ctx.cls(call) is cls and (isinstance(items, ast.Attribute) or ctx.function(call) is function):
                last = call.args[-1] if call.args else None
                found += [last] if last is None or name != "extend" else _contents(last, ctx)
    return found
