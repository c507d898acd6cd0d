"""What a tensor, or a view of it, is written to by."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.signatures import Type, signatures
from overhead_lint.analysis.effects.writes import mutated_by_call

from ._calls import call_of
from ._views import ALIASES

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["AROUND", "computes_from", "is_written_in_place"]

AROUND: Final = (
    *(ast.keyword, ast.Starred, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.IfExp, ast.NamedExpr),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
"""What stands between an expression and what it is given to."""

# Of other modules it is known what they write to, where they do, and not that they do not.
_COMPUTING: Final = frozenset(
    {"torch", "torch.Tensor", "torch.fft", "torch.linalg", "torch.nn.functional", "torch.special"}
)


def is_written_in_place(node: ast.expr, ctx: Context) -> bool:
    """Whether an expression, or a view of it, is known to be written to where it stands.

    ``t += 1``, ``t[0] = 1``, ``t.view(-1).add_(1)``, ``dist.all_reduce(t)``, ``torch.add(x, y, out=t)``.
    """
    holder = ctx.parent(node)
    match holder:
        case ast.Subscript(value=value, ctx=how) if value is node:
            return not isinstance(how, ast.Load) or is_written_in_place(holder, ctx)
        case ast.AugAssign(target=target):
            return target is node
        case ast.Attribute(attr=name, ctx=how):
            call = call_of(holder, ctx)
            if call is not None and _is_among(node, mutated_by_call(call, ctx.qualified_name(holder)), ctx):
                return True
            if name == "data" and not isinstance(how, ast.Load):
                return True
            return name in ALIASES and is_written_in_place(call or holder, ctx)
    call = _given_to(node, ctx)
    if call is None:
        return False
    if _is_among(node, mutated_by_call(call, ctx.qualified_name(call.func)), ctx):
        return True
    return _last(call, ctx) in ALIASES and is_written_in_place(call, ctx)


def computes_from(node: ast.expr, call: ast.Call, ctx: Context) -> bool:
    """Whether a call surely only reads a tensor: of torch's functions and methods, nothing runs other code.

    What it gives may be the tensor again, or a view of it.

    Args:
        node: an argument of the call, also within a list, or what its method is called on, a tensor.
        call: the call: of a function of torch, or of a method of tensors.
        ctx: the file.
    """
    qualified = ctx.qualified_name(call.func)
    api = qualified
    if qualified is None:
        if not isinstance(call.func, ast.Attribute):
            return False
        api = f"torch.Tensor.{call.func.attr}"
    assert api is not None
    written = mutated_by_call(call, qualified)
    if written is None or _is_among(node, written, ctx):
        return False
    if api.rpartition(".")[0] not in _COMPUTING:
        return bool(written)
    return not any(one.type is Type.FUNCTION for way in signatures(api) for one in way.parameters)


def _is_among(node: ast.AST, written: tuple[ast.expr, ...] | None, ctx: Context) -> bool:
    """Whether an expression is one of several, or stands in a list or choice that is one."""
    place: ast.AST | None = node
    while written and isinstance(place, (ast.expr, *AROUND)):
        if any(place is one for one in written):
            return True
        holder = ctx.parent(place)
        place = holder if isinstance(holder, AROUND) else None
    return False


def _given_to(node: ast.expr, ctx: Context) -> ast.Call | None:
    """The call that an expression is an argument of, also in a list; None for what else becomes of it."""
    place: ast.AST = node
    while isinstance(holder := ctx.parent(place), AROUND):
        place = holder
    return holder if isinstance(holder, ast.Call) and holder.func is not place else None


def _last(call: ast.Call, ctx: Context) -> str:
    return (ctx.qualified_name(call.func) or "").rpartition(".")[2]
