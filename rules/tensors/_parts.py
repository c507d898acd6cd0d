"""Proof that parts of a tensor may be joined after a loop: none changes between its round and the end."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.rule import Kind
from overhead_lint.syntax.grammar import TRIES
from overhead_lint.syntax.receivers import is_own_attribute

from .._blocks import holders
from .._names import own_name
from .._sharing import may_be_shared
from .._views import ALIASES
from .._writes import computes_from, is_written_in_place
from ._pure import is_computed

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["may_join_later"]

_TENSORS: Final = (Kind.TENSOR, Kind.HOST_TENSOR)
_ASKING: Final = frozenset({"enumerate", "float", "int", "len", "range", "reversed", "zip"})
_MAKING: Final = frozenset(
    """arange empty eye full linspace ones rand randint randn randperm tensor zeros""".split()  # noqa: SIM905
)
_CONTAINERS: Final = frozenset({"torch.nn.ModuleList", "torch.nn.Sequential"})
_DEPTH = 4


def may_join_later(grown: ast.Name, first: ast.expr, part: ast.expr, loop: ast.stmt, ctx: Context) -> bool:
    """Whether joining after a loop what it joins on each round gives the same.

    Args:
        grown: what grows, where the call that joins reads it.
        first: what it is before the loop.
        part: what is joined to it on each round.
        loop: the loop.
        ctx: the file.

    Returns:
        Whether it is certain: nothing else in the loop reads or binds what grows, and nobody writes to the
        parts: all in the loop is known to write to nothing, or each part is made anew and only read.
    """
    if _is_used_otherwise(grown, loop, ctx) or _is_caught(loop, ctx):
        return False
    if _writes_nothing(loop, ctx):
        return True
    return _is_new(first, ctx) and _is_new(part, ctx)


def _is_used_otherwise(grown: ast.Name, loop: ast.stmt, ctx: Context) -> bool:
    """Whether a loop has more of what grows than ``x = torch.cat([x, y])``: a branch that starts anew."""
    uses = [use for use in ctx.within(loop, ast.Name) if use.id == grown.id]
    return len(uses) != 2


def _is_caught(loop: ast.stmt, ctx: Context) -> bool:
    """Whether an exception may leave the loop and not the function: what was joined until then is seen."""
    return any(isinstance(holder, (*TRIES, ast.With, ast.AsyncWith)) for holder, _ in holders(loop, ctx))


def _writes_nothing(loop: ast.stmt, ctx: Context) -> bool:
    """Whether all that a loop runs is known to write to no tensor; what it goes through, too."""
    if isinstance(loop, (ast.For, ast.AsyncFor)) and not _gives_what_is_there(loop.iter, ctx):
        return False
    for item in ctx.within(loop, ast.expr, ast.stmt):
        if isinstance(item, ast.AugAssign) and ctx.kind(item.target) is not Kind.NUMBER:
            return False
        if isinstance(item, (ast.Await, ast.Delete, ast.With, ast.AsyncWith)):
            return False
        if isinstance(item, (ast.Attribute, ast.Subscript)) and not isinstance(item.ctx, ast.Load):
            return False
        if isinstance(item, ast.Call) and not _only_reads(item, ctx):
            return False
    return True


def _gives_what_is_there(over: ast.expr, ctx: Context) -> bool:
    """Whether a loop goes through something that runs no code, which might use memory again: no loader."""
    if isinstance(over, ast.Call):
        name = over.func.id if isinstance(over.func, ast.Name) else ""
        known = name in _ASKING and not ctx.is_bound(name, over)
        return known and all(_gives_what_is_there(one, ctx) for one in over.args)
    if isinstance(over, (ast.Constant, ast.List, ast.ListComp, ast.Tuple)) or _modules(over, ctx):
        return True
    made = ctx.value(over) if isinstance(over, ast.Name) else None
    listed = isinstance(made, (ast.List, ast.ListComp, ast.Tuple))
    return listed or ctx.kind(over) in (*_TENSORS, Kind.NUMBER)


def _only_reads(call: ast.Call, ctx: Context) -> bool:
    if isinstance(call.func, ast.Name) and ctx.qualified_name(call.func) is None:
        is_builtin = call.func.id in _ASKING and not ctx.is_bound(call.func.id, call)
        return is_builtin or _is_known_module(call.func, ctx)
    if is_computed(call, ctx) or _makes(call, ctx):
        return True
    if ctx.qualified_name(call.func) is None:
        func = call.func
        if not isinstance(func, ast.Attribute) or ctx.kind(func.value) not in _TENSORS:
            return False
        return computes_from(func.value, call, ctx) and not is_written_in_place(func.value, ctx)
    return all(computes_from(one, call, ctx) for one in call.args) and not call.keywords


def _makes(call: ast.Call, ctx: Context) -> bool:
    module, _, name = (ctx.qualified_name(call.func) or "").rpartition(".")
    return module == "torch" and name in _MAKING and all(item.arg != "out" for item in call.keywords)


def _is_known_module(called: ast.expr, ctx: Context) -> bool:
    """Whether what is called is a module of torch, out of a list of such that the loop goes through."""
    if not isinstance(called, ast.Name):
        return False
    loops = [loop for loop in ctx.loops(called) if isinstance(loop, ast.For)]
    return any(
        isinstance(loop.target, ast.Name) and loop.target.id == called.id and _modules(loop.iter, ctx)
        for loop in loops[-1:]
    )


def _modules(over: ast.expr, ctx: Context) -> bool:
    """Whether it is ``self.tables``, a list of modules of torch that compute something new each."""
    made = ctx.value(over) if is_own_attribute(over) else None
    if not isinstance(made, ast.Call) or ctx.qualified_name(made.func) not in _CONTAINERS or not made.args:
        return False
    held = made.args[0]
    each = held.elts if isinstance(held, ast.List) else [getattr(held, "elt", None)]
    return all(isinstance(one, ast.Call) and _is_layer(one, ctx) for one in each)


def _is_layer(made: ast.Call, ctx: Context) -> bool:
    module, _, name = (ctx.qualified_name(made.func) or "").rpartition(".")
    return module == "torch.nn" and name in ("Linear", "Conv1d", "Conv2d", "Conv3d", "Embedding", "LayerNorm")


def _is_new(node: ast.expr, ctx: Context, depth: int = _DEPTH) -> bool:
    """Whether an expression gives a tensor that nothing else has, and that is only read after that."""
    match node:
        case ast.BinOp(left=left, right=right):
            return any(ctx.kind(side) in _TENSORS for side in (left, right))
        case ast.Call():
            if own_name(node.func) in ALIASES:
                return False
            return _makes(node, ctx) or is_computed(node, ctx) or _is_known_module(node.func, ctx)
        case ast.Name() if depth:
            values = ctx.values(node)
            return bool(values) and all(
                _is_new(value, ctx, depth - 1) and may_be_shared(value, ctx) for value in values
            )
    return False
