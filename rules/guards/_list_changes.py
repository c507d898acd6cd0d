"""Whether a file may change a module list while a loop runs over it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from overhead_lint.rule import Kind
from overhead_lint.syntax.receivers import is_self

from .._classes import in_init
from .._families import family
from .._names import own_name
from ._modules import LISTS

if TYPE_CHECKING:
    from overhead_lint.rule import Context

MUTATORS = frozenset(
    """__delattr__ __delitem__ __dict__ __iadd__ __init__ __setattr__ __setitem__ add_module append clear
    extend insert pop popitem register_module remove set_submodule setdefault update""".split()  # noqa: SIM905
)
# What reads a list that it is given, and keeps no hold of it.
_READERS: Final = frozenset(
    """all any bool dict enumerate id isinstance iter len list print reversed set sorted str sum tuple type
    zip""".split()  # noqa: SIM905
)
# What a class does itself each time that one of its attributes is read.
_READING: Final = frozenset({"__getattr__", "__getattribute__"})
# What gives the modules below a module, the list too, whatever they are called; tables that hold them.
_WALKS: Final = frozenset({"apply", "children", "modules", "named_children", "named_modules"})
_TABLES: Final = frozenset({"_modules", "__dict__"})
# Where a list is looked at, or a new one made of it.
_LOOKS: Final = (
    *(ast.Assert, ast.AugAssign, ast.BinOp, ast.Compare, ast.Expr, ast.FormattedValue, ast.If),
    *(ast.Starred, ast.UnaryOp, ast.While),
)
_LOOPS: Final = (ast.For, ast.AsyncFor, ast.comprehension)


def is_changed_outside(lists: Sequence[ast.expr], ctx: Context) -> bool:
    """Whether the file does more with what is called as one of the lists than make it and look at it.

    A loop over indices runs as often as the list was long at first, one over the list sees what is added.
    What is handed on, or kept by another name, may be changed there.
    """
    names = {own_name(item) for item in lists}
    keys = {(item.__class__, own_name(item)) for item in lists}
    uses = [one for one in ctx.nodes(ast.Attribute) if not _is_of_others(one, lists, ctx)]
    named: list[ast.Name | ast.Attribute] = [*uses, *ctx.nodes(ast.Name)]
    return (
        _is_found_by_text(names, ctx)
        or any(_READING.intersection(cls.methods) or _binds(cls.node, names) for cls in ctx.classes())
        or any((one.__class__, own_name(one)) in keys and not _is_look(one, ctx) for one in named)
        or (any(map(ctx.calls, _WALKS)) and any(_may_change_any(one, ctx) for one in uses))
    )


def _is_of_others(node: ast.expr, lists: Sequence[ast.expr], ctx: Context) -> bool:
    """Whether it is an attribute of ``self`` in a class that has nothing to do with those of the lists."""
    if not (is_self(_root(node)) and all(is_self(_root(one)) for one in lists)):
        return False
    classes = [ctx.cls(one) for one in lists]
    return not any(cls is not None and ctx.cls(node) in family(cls, ctx) for cls in classes)


def _is_found_by_text(names: set[str], ctx: Context) -> bool:
    """Whether an attribute may be taken by the text of its name, or with all that an object holds."""
    return (
        any(text.value in names for text in ctx.nodes(ast.Constant))
        or any(not names.isdisjoint(pattern.kwd_attrs) for pattern in ctx.nodes(ast.MatchClass))
        or any(item.attr in _TABLES for item in ctx.nodes(ast.Attribute))
        or bool(ctx.calls("vars"))
    )


def _binds(cls: ast.ClassDef, names: set[str]) -> bool:
    """Whether the body of a class binds a name: a property instead of what the constructor made."""
    return any(
        (isinstance(one, ast.FunctionDef) and one.name in names)
        or (isinstance(one, ast.Assign) and any(own_name(target) in names for target in one.targets))
        for one in cls.body
    )


def _is_look(item: ast.Name | ast.Attribute, ctx: Context) -> bool:
    """Whether a use of a list changes nothing, or is the constructor's own."""
    holder = ctx.parent(item)
    if not isinstance(item.ctx, ast.Load):
        return _is_made(item, ctx) and _is_bound_to_list(holder, ctx)
    match holder:
        case ast.Attribute(attr=name):
            return name not in MUTATORS or _is_made(item, ctx)
        case ast.Subscript(ctx=how):
            return holder.value is not item or isinstance(how, ast.Load) or _is_made(item, ctx)
        case ast.Call(func=called) if called is not item:
            is_reader = isinstance(called, ast.Name) and called.id in _READERS
            return is_reader and not ctx.is_bound(own_name(called), called)
    if isinstance(holder, _LOOPS):
        return holder.iter is item
    return isinstance(holder, (*_LOOKS, ast.Call))


def _may_change_any(item: ast.Attribute, ctx: Context) -> bool:
    """Whether it is a method that changes a list, of what may be a module: one that somebody walks to."""
    if item.attr not in MUTATORS or _is_made(item, ctx):
        return False
    return ctx.kind(item.value) in (Kind.MODULE, Kind.UNKNOWN)


def _is_made(node: ast.expr, ctx: Context) -> bool:
    """Whether a constructor does it to its own object: loops run when that is done."""
    owner = _root(node)
    is_super = isinstance(owner, ast.Call) and own_name(owner.func) == "super"
    return in_init(node, ctx) and (is_super or is_self(owner))


def _root(node: ast.expr) -> ast.expr:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node


def _is_bound_to_list(statement: ast.AST | None, ctx: Context) -> bool:
    if isinstance(statement, ast.AugAssign):
        return True  # what is there is extended
    if isinstance(statement, ast.Assign) and len(statement.targets) > 1:
        return False  # it has another name from the first
    bound = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
    return isinstance(bound, ast.Call) and ctx.qualified_name(bound.func) in LISTS
