"""Walks over the parameters of a module that a loop makes on each round, made once above it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.edits import insert_before, replace
from overhead_lint.rule import Applicability, Fix
from overhead_lint.syntax.dotted_names import is_dotted

from .._hoists import fresh_local, loop_to_leave
from .._names import own_name

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Edit

__all__ = ["listed_above"]

_TAKING = ("torch.nn.utils.", "torch._foreach_")
_BUILTINS = frozenset({"all", "any", "enumerate", "len", "list", "max", "min", "sum", "tuple", "zip"})
# What gives a module other parameters.
_CHANGING = frozenset(
    """add_module apply cuda double float freeze half register_module register_parameter set_submodule to
    unfreeze""".split()  # noqa: SIM905
)


def listed_above(node: ast.Call, ctx: Context) -> Fix | None:
    """Return the unsafe fix that lists ``model.parameters()`` above the loops that walk it on each round.

    Returns:
        None where what takes them may want an iterator, or a loop is seen to give the module other ones.
    """
    loop = _loop(node, ctx)
    if loop is None:
        return None
    text = ctx.text(node)
    same = [
        call for call in ctx.within(loop, ast.Call) if ctx.text(call) == text and _loop(call, ctx) is loop
    ]
    if same[0] is not node:
        return None  # the first one's fix is for all
    assert isinstance(node.func, ast.Attribute)
    name = fresh_local(f"{own_name(node.func.value).strip('_')}_parameters", ctx)
    edits: list[Edit] = [insert_before(loop, f"{name} = list({{walk}})", walk=node)]
    edits += [replace(call, name) for call in same]
    return Fix(Applicability.UNSAFE, "list them above the loop", edits=tuple(edits))


def _loop(node: ast.Call, ctx: Context) -> ast.stmt | None:
    """The loop above which a walk can be made once."""
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    loop = loop_to_leave(node, ctx)
    if owner is None or loop is None or node.args or node.keywords or not is_dotted(owner):
        return None
    return loop if _is_taken_as_list(node, ctx) and not _is_changed(owner, loop, ctx) else None


def _is_taken_as_list(node: ast.Call, ctx: Context) -> bool:
    """Whether a list does as well as the iterator: for what goes over it, and for functions of torch."""
    holder = ctx.parent(node)
    if isinstance(holder, (ast.For, ast.comprehension)):
        return holder.iter is node
    if isinstance(holder, ast.keyword):
        holder = ctx.parent(holder)
    if not isinstance(holder, ast.Call):
        return False
    if isinstance(holder.func, ast.Name) and holder.func.id in _BUILTINS:
        return not ctx.is_bound(holder.func.id, holder)
    return (ctx.qualified_name(holder.func) or "").startswith(_TAKING)


def _is_changed(owner: ast.expr, loop: ast.stmt, ctx: Context) -> bool:
    """Whether a loop assigns to a module, what it is part of or holds, or has it changed by a method."""
    text = ctx.text(owner)
    for part in ctx.within(loop, ast.Attribute):
        written = ctx.text(part)
        if not isinstance(part.ctx, ast.Load) and (_is_within(written, text) or _is_within(text, written)):
            return True
        if part.attr in _CHANGING and _is_within(ctx.text(part.value), text):
            return True
    return False


def _is_within(path: str, outer: str) -> bool:
    return path == outer or path.startswith((f"{outer}.", f"{outer}["))
