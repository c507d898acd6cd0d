"""Whether a tensor that is made in each call may be one for all of them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.rule import Kind

from ._calls import call_of
from ._names import own_name
from ._views import ALIASES
from ._writes import AROUND, computes_from

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["may_be_shared"]

_READING: Final = frozenset({"bool", "float", "int", "isinstance", "len", "print", "repr", "str"})
_TRAITS: Final = frozenset(
    """device dtype element_size is_cpu is_cuda is_floating_point itemsize layout nbytes ndim numel
    requires_grad shape""".split()  # noqa: SIM905
)
# What of torch keeps what it is given, or makes it a leaf of autograd.
_KEEPING: Final = frozenset(
    """Buffer Parameter backward register_buffer register_hook register_post_accumulate_grad_hook
    requires_grad_ retain_grad save_for_backward""".split()  # noqa: SIM905
)
_OPERATORS: Final = (ast.BinOp, ast.Compare, ast.FormattedValue, ast.UnaryOp)
_TESTED: Final = (ast.Assert, ast.If, ast.While)
_TENSORS: Final = (Kind.TENSOR, Kind.HOST_TENSOR)
_DEPTH = 8


def may_be_shared(node: ast.expr, ctx: Context, depth: int = _DEPTH) -> bool:
    """Whether all that becomes of a tensor is seen, and only reads it: nothing keeps it or hands it out.

    Calls of what is not known to only read might: two numbers that are equal would then be one tensor, which
    is added to twice, and a collective leaves no trace of its writing.
    """
    if depth == 0:
        return False
    holder: ast.AST | None = ctx.parent(node)
    if isinstance(holder, ast.NamedExpr) and not _is_shared_by_name(holder.target, ctx, depth):
        return False
    if isinstance(holder, (ast.BoolOp, ast.IfExp, ast.NamedExpr)):
        return may_be_shared(holder, ctx, depth - 1)
    place: ast.AST = node
    while isinstance(holder := ctx.parent(place), AROUND):
        place = holder
    match holder:
        case ast.Call() if holder.func is not place:
            return _is_read_by(node, holder, ctx, depth)
        case _ if place is not node:
            return False  # in a list, which may be kept
        case ast.Assign(targets=[ast.Name() as target]) | ast.AnnAssign(target=ast.Name() as target):
            return _is_shared_by_name(target, ctx, depth)
        case ast.Attribute():
            return _is_attribute_read(holder, ctx, depth)
        case ast.Subscript(value=value, ctx=how):
            reads = isinstance(how, ast.Load)
            return reads and (value is not node or may_be_shared(holder, ctx, depth - 1))
        case ast.For(iter=over, target=ast.Name() as target) if over is node:
            return _is_shared_by_name(target, ctx, depth)  # each a view of a row
        case ast.AugAssign(value=value):
            return value is node
    return isinstance(holder, (*_OPERATORS, *_TESTED, ast.Expr))


def _is_shared_by_name(target: ast.Name, ctx: Context, depth: int) -> bool:
    """The same of each use of a name."""
    function = ctx.function(target)
    if function is None:
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


def _is_attribute_read(holder: ast.Attribute, ctx: Context, depth: int) -> bool:
    """Whether an attribute or method of a tensor is one that only reads it."""
    if not isinstance(holder.ctx, ast.Load) or holder.attr in _KEEPING:
        return False
    call = call_of(holder, ctx)
    if call is not None and not computes_from(holder.value, call, ctx):
        return False
    if holder.attr in ALIASES:
        return may_be_shared(call or holder, ctx, depth - 1)
    return call is not None or holder.attr in _TRAITS


def _is_read_by(node: ast.expr, call: ast.Call, ctx: Context, depth: int) -> bool:
    """Whether what is called only reads its arguments: a function of torch or Python, a method of tensors."""
    if own_name(call.func) in _KEEPING:
        return False
    if isinstance(call.func, ast.Name) and ctx.qualified_name(call.func) is None:
        return call.func.id in _READING and not ctx.is_bound(call.func.id, call)
    if ctx.qualified_name(call.func) is None and not (
        isinstance(call.func, ast.Attribute) and ctx.kind(call.func.value) in _TENSORS
    ):
        return False
    if not computes_from(node, call, ctx):
        return False
    return own_name(call.func) not in ALIASES or may_be_shared(call, ctx, depth - 1)
