"""Which attributes of modules are there, and stay what they are, while a method runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from overhead_lint.syntax.receivers import is_own_attribute

from ._classes import method
from ._names import own_name

if TYPE_CHECKING:
    from overhead_lint.rule import ClassFacts, Context

__all__ = ["is_always_there", "may_be_replaced", "registrations"]

_REGISTER: Final = ("register_buffer", "register_parameter", "register_module", "add_module")
_BY_NAME: Final = frozenset({*_REGISTER, "setattr", "delattr", "__setattr__", "__delattr__"})


def registrations(name: str, cls: ClassFacts, ctx: Context) -> Iterator[ast.Call]:
    """The calls by which a class registers something with itself under a name."""
    for call in (call for registering in _REGISTER for call in ctx.calls(registering)):
        holder = ctx.cls(call)
        if holder is None or holder.node is not cls.node or not is_own_attribute(call.func):
            continue
        if _name_given(call) == name:
            yield call


def is_always_there(node: ast.Attribute, cls: ClassFacts, ctx: Context) -> bool:
    """Whether each object that ``__init__`` has made has an attribute: no branch decides about it.

    Args:
        node: the attribute of ``self``.
        cls: the class whose method reads it.
        ctx: the file.
    """
    made = ctx.value(node)
    sites = [*registrations(node.attr, cls, ctx), *([made] if made is not None else [])]
    return any(_is_made_always(site, ctx) for site in sites)


def _is_made_always(site: ast.expr, ctx: Context) -> bool:
    """Whether each run of ``__init__`` comes to a place, there or in a method that it always calls."""
    seen: set[ast.AST] = set()
    waiting: list[ast.expr] = [site]
    while waiting:
        place = waiting.pop()
        function, cls = ctx.function(place), ctx.cls(place)
        if function is None or function.node in seen or function.cls is None or not ctx.runs_always(place):
            continue
        seen.add(function.node)
        name = function.qualname.rpartition(".")[2]
        if name == "__init__":
            return True
        waiting += [
            call
            for call in ctx.calls(name)
            if ctx.cls(call) is cls and is_own_attribute(call.func) and call.func.attr == name
        ]
    return False


def may_be_replaced(name: str, within: ast.stmt, cls: ClassFacts, ctx: Context) -> bool:
    """Whether methods of the class that a statement calls, themselves or through others, write an attribute.

    Args:
        name: of the attribute.
        within: the statement.
        cls: the class of ``self`` there.
        ctx: the file.
    """
    seen: set[str] = set()
    waiting: list[ast.AST] = [within]
    while waiting:
        block = waiting.pop()
        if _writes(name, block, ctx):
            return True
        for item in ctx.within(block, ast.Attribute):
            body = method(cls, item.attr) if is_own_attribute(item) and item.attr not in seen else None
            if body is not None:
                seen.add(item.attr)
                waiting.append(body)
    return False


def _writes(name: str, block: ast.AST, ctx: Context) -> bool:
    """Whether a block itself sets, deletes or registers an attribute, of whatever object."""
    return any(
        item.attr == name and not isinstance(item.ctx, ast.Load) for item in ctx.within(block, ast.Attribute)
    ) or any(
        own_name(call.func) in _BY_NAME and _name_given(call) in (None, name)
        for call in ctx.within(block, ast.Call)
    )


def _name_given(call: ast.Call) -> str | None:
    """Return the name that a call registers, sets or deletes; None if it is not written out."""
    given = [*call.args[:2], *(item.value for item in call.keywords if item.arg == "name")]
    texts = (item.value for item in given if isinstance(item, ast.Constant) and isinstance(item.value, str))
    return next(texts, None)
