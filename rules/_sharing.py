"""Whether a tensor that is made in each call may be one for all of them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.rule import Kind

from ._calls import call_of
from ._names import own_name

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["may_be_shared"]

_AROUND = (
    *(ast.keyword, ast.Starred, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.IfExp, ast.NamedExpr),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
# What gives the same memory again, or may.
_VIEWS = frozenset(
    """contiguous cpu cuda data detach double expand expand_as flatten float half int long permute reshape
    squeeze T t to transpose type type_as unsqueeze view view_as""".split()  # noqa: SIM905
)
_READING = frozenset({"bool", "float", "int", "isinstance", "len", "print"})
# What of torch keeps what it is given, or makes it a leaf of autograd.
_KEEPING = frozenset({"Buffer", "Parameter", "register_buffer", "save_for_backward"})
_DEPTH = 8


def may_be_shared(node: ast.expr, ctx: Context, depth: int = _DEPTH) -> bool:
    """Whether all that becomes of a tensor is seen, and nothing writes to it, keeps it or hands it out.

    Other functions than those of torch might: two numbers that are equal would then be one tensor, which
    is added to twice.
    """
    holder: ast.AST | None = node
    place: ast.AST = node
    while isinstance(holder := ctx.parent(place), _AROUND):
        if isinstance(holder, ast.NamedExpr) and not _is_shared_by_name(holder.target, ctx, depth):
            return False
        place = holder
    match holder:
        case ast.Assign(targets=[ast.Name() as target]) | ast.AnnAssign(target=ast.Name() as target):
            return place is node and _is_shared_by_name(target, ctx, depth)
        case ast.Attribute(attr=attr):
            if attr.endswith("_") and not attr.endswith("__"):
                return False
            made = call_of(holder, ctx) or holder
            return attr not in _VIEWS or (depth > 0 and may_be_shared(made, ctx, depth - 1))
        case ast.Subscript() if holder.value is place:
            read = isinstance(holder.ctx, ast.Load)
            return read and depth > 0 and may_be_shared(holder, ctx, depth - 1)
        case ast.Call():
            return _only_reads(holder, ctx)
        case ast.Assign() | ast.AnnAssign() | ast.Return() | ast.Yield() | ast.Lambda():
            return False
    return True


def _is_shared_by_name(target: ast.Name, ctx: Context, depth: int) -> bool:
    """The same of each use of a name."""
    function = ctx.function(target)
    if function is None or depth == 0:
        return False
    for use in ctx.within(function.node, ast.Name):
        if use.id != target.id or use is target:
            continue
        if isinstance(use.ctx, ast.Load):
            if ctx.function(use) is not function or not may_be_shared(use, ctx, depth - 1):
                return False
        elif isinstance(ctx.parent(use), ast.AugAssign):
            return False
    return True


def _only_reads(call: ast.Call, ctx: Context) -> bool:
    """Whether what is called computes something new of its arguments: a function or method of torch."""
    if own_name(call.func) in _KEEPING:
        return False
    name = ctx.qualified_name(call.func) or ""
    if name.startswith("torch."):
        return not name.endswith("_")
    if isinstance(call.func, ast.Name):
        return call.func.id in _READING and not ctx.is_bound(call.func.id, call)
    return isinstance(call.func, ast.Attribute) and ctx.kind(call.func.value) is Kind.TENSOR
