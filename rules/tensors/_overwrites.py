"""How a tensor is written whole, so that nothing is left of what it was filled with."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from overhead_lint.analysis.effects.writes import mutated_by_call
from overhead_lint.syntax.grammar import TRIES

from .._calls import call_of
from .._names import names_in
from ._kernels import stored_by

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["FILLERS", "overwritten_by"]

FILLERS = frozenset(
    """bernoulli_ cauchy_ copy_ exponential_ fill_ geometric_ log_normal_ normal_ random_ uniform_
    zero_""".split()  # noqa: SIM905
)
"""Methods of tensors that write every element and read none."""

# Functions of torch.distributed that write all of what they write to.
_RECEIVERS = frozenset(
    """_all_gather_base _reduce_scatter_base all_gather all_gather_into_tensor all_to_all all_to_all_single
    gather irecv recv reduce_scatter reduce_scatter_tensor""".split()  # noqa: SIM905
)
_METADATA = frozenset({"device", "dim", "dtype", "element_size", "ndim", "numel", "shape", "size", "stride"})


def overwritten_by(
    name: str, rest: Sequence[ast.stmt], size: ast.expr | None, ctx: Context
) -> ast.AST | None:
    """What writes all of a tensor before anybody reads it.

    Args:
        name: the local name that the tensor, or a list of such tensors, is bound to.
        rest: the statements after that, in the same block.
        size: the first size of the tensor, where it is written out.
        ctx: the file.

    Returns:
        The statement or call; None where part of the tensor may be left, or is read before.
    """
    first = next((stmt for stmt in rest if _uses(stmt, name, ctx)), None)
    if first is None:
        return None
    uses = _uses(first, name, ctx)
    if isinstance(first, ast.For):
        return first if size is not None and _fills_row_by_row(first, name, uses, size, ctx) else None
    if len(uses) != 1:
        return None
    (use,) = uses
    holder = ctx.parent(use)
    if isinstance(first, ast.Assign) and first.targets == [holder] and isinstance(holder, ast.Subscript):
        return first if holder.value is use and _is_whole(holder.slice) else None
    if isinstance(first, (ast.Expr, ast.Assign, ast.Return)):
        call = _first_call(use, ctx)
        if call is not None and not ctx.loops(call)[len(ctx.loops(first)) :]:
            return call
    return None


def _names(node: ast.AST, name: str) -> list[ast.Name]:
    return [part for part in names_in(node) if part.id == name]


def _uses(node: ast.AST, name: str, ctx: Context) -> list[ast.Name]:
    """Where a name is used for more than its shape, strides, dtype or device."""
    found = []
    for use in _names(node, name):
        holder = ctx.parent(use)
        if not (isinstance(holder, ast.Attribute) and holder.attr in _METADATA):
            found.append(use)
    return found


def _is_whole(index: ast.expr) -> bool:
    """Whether an index takes everything: ``:``, ``...``, ``:, :``."""
    if isinstance(index, ast.Tuple):
        return bool(index.elts) and all(map(_is_whole, index.elts))
    if isinstance(index, ast.Slice):
        return index.lower is None and index.upper is None and index.step is None
    return isinstance(index, ast.Constant) and index.value is Ellipsis


def _first_call(use: ast.Name, ctx: Context) -> ast.Call | None:
    """The call that a use is written by: ``t.copy_(x)``, ``f(x, out=t)``, ``dist.recv(t)``."""
    holder = ctx.parent(use)
    if isinstance(holder, ast.Attribute) and holder.attr in FILLERS:
        return call_of(holder, ctx)
    named = holder.arg if isinstance(holder, ast.keyword) else None
    call = ctx.parent(holder) if isinstance(holder, ast.keyword) else holder
    if not isinstance(call, ast.Call) or call.func is use:
        return None
    name = ctx.qualified_name(call.func) or ""
    if named == "out" and name.startswith("torch."):
        return call
    return call if stored_by(call, use, ctx) or _receives(call, name, use) else None


def _receives(call: ast.Call, name: str, use: ast.Name) -> bool:
    """Whether a function of torch.distributed writes all of what it is given for a use."""
    module, _, last = name.rpartition(".")
    if not module.startswith("torch.distributed") or last not in _RECEIVERS:
        return False
    return any(written is use for written in mutated_by_call(call, name) or ())


def _fills_row_by_row(
    loop: ast.For, name: str, uses: Sequence[ast.Name], size: ast.expr, ctx: Context
) -> bool:
    """Whether a loop writes ``t[i] = ...`` on each of its rounds, which are as many as rows."""
    index = _counter(loop, size)
    if index is None or loop.orelse or any(_leaves(stmt) for stmt in ast.walk(loop)):
        return False
    writes = [
        stmt
        for stmt in loop.body
        if isinstance(stmt, ast.Assign)
        and len(stmt.targets) == 1
        and isinstance(target := stmt.targets[0], ast.Subscript)
        and isinstance(target.value, ast.Name)
        and target.value.id == name
        and isinstance(target.slice, ast.Name)
        and target.slice.id == index
    ]
    changed = [part for stmt in loop.body for part in _names(stmt, index) if isinstance(part.ctx, ast.Store)]
    return len(uses) == 1 and len(writes) == 1 and not changed


def _leaves(node: ast.AST) -> bool:
    return isinstance(node, (ast.Break, ast.Continue, ast.Return, ast.Raise, *TRIES))


def _counter(loop: ast.For, size: ast.expr) -> str | None:
    """The name that counts the rounds of ``for i in range(n)`` or ``for i, x in enumerate(xs)``."""
    call = loop.iter
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.keywords:
        return None
    if len(call.args) != 1:
        return None
    (over,) = call.args
    if call.func.id == "range" and isinstance(loop.target, ast.Name):
        return loop.target.id if ast.dump(over) == ast.dump(size) else None
    if call.func.id == "enumerate" and isinstance(loop.target, ast.Tuple) and _is_length(size, over):
        first = loop.target.elts[0]
        return first.id if isinstance(first, ast.Name) else None
    return None


def _is_length(size: ast.expr, of: ast.expr) -> bool:
    return (
        isinstance(size, ast.Call)
        and isinstance(size.func, ast.Name)
        and size.func.id == "len"
        and [ast.dump(argument) for argument in size.args] == [ast.dump(of)]
    )
