"""Loops that compute element by element what one operator on the whole tensor does."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Kind

from .._literals import has_few_rounds
from .._names import mentions, nodes_in

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = [
    "TENSORS",
    "bound_names",
    "has_moving_end",
    "is_elementwise",
    "is_short",
    "reads_element",
]

TENSORS = (Kind.TENSOR, Kind.HOST_TENSOR)

_BUILTINS = frozenset(
    {"abs", "enumerate", "float", "int", "isinstance", "len", "max", "min", "range", "round", "sum", "zip"}
)
# Methods that work on rows as they do on matrices.
_METHODS = frozenset(
    """abs add addcmul all amax amin any argmax argmin bool bmm clamp clip clone conj contiguous
    cos cumsum detach diag dim div dot double eq exp expand flatten flip float floor fmod ge gt
    half int le log log2 logical_and logical_not logical_or long lt masked_fill matmul max mean
    min mm mul mv ne neg nonzero norm numel permute pow prod reciprocal relu repeat reshape
    round rsqrt sigmoid sign sin size softmax sqrt square squeeze std sub sum t tanh to
    transpose tril triu type unsqueeze var view where""".split()  # noqa: SIM905
)
_MODULES = ("torch.nn.functional.", "torch.linalg.", "torch.special.", "torch.fft.")
_NOT_ELEMENTWISE = (
    "rand",
    "empty",
    "load",
    "save",
    "compile",
    "manual",
    "get_",
    "set_",
    "is_",
    "cat",
    "stack",
)
_FEW = 3
_DEEPEST = 2
"""How far functions of the file are looked into, from one to the next."""


def is_short(items: ast.expr) -> bool:
    """Whether a loop goes over a few things, or over some that are written out."""
    return has_few_rounds(items, _FEW, written=math.inf)


def is_elementwise(nodes: list[ast.AST], ctx: Context, depth: int = _DEEPEST) -> bool:
    """Whether all calls in some code are of functions that take whole tensors as well as rows.

    Functions of this file are looked into.
    """
    for node in nodes:
        for call in (node, *ctx.within(node, ast.Call)):
            if isinstance(call, ast.Call) and not (_is_known(call, ctx) or _is_own(call, ctx, depth)):
                return False
        if any(True for _ in ctx.within(node, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda)):
            return False
    return True


def _is_own(call: ast.Call, ctx: Context, depth: int) -> bool:
    """Whether a call is of a plain function of this file that works on tensors row by row as well."""
    if not depth or not isinstance(call.func, ast.Name):
        return False
    name = ctx.qualified_name(call.func) or ""
    for function in ctx.functions() if name.startswith(".") else ():
        if function.qualname == name[1:] and isinstance(function.node, ast.FunctionDef):
            if any(True for _ in ctx.within(function.node, ast.For, ast.While, ast.With)):
                return False
            return is_elementwise(list(function.node.body), ctx, depth - 1)
    return False


def _is_known(call: ast.Call, ctx: Context) -> bool:
    func = call.func
    builtin = func.id if isinstance(func, ast.Name) and not ctx.is_bound(func.id, func) else ""
    if builtin in _BUILTINS or builtin.endswith("Error"):
        return True
    name = ctx.qualified_name(func)
    if name is not None:
        last = name.rpartition(".")[2]
        if name.startswith("math."):
            return True
        known = name.startswith(_MODULES) or name == f"torch.{last}"
        return known and last.islower() and not last.startswith(_NOT_ELEMENTWISE)
    return isinstance(func, ast.Attribute) and func.attr in _METHODS


def bound_names(node: ast.AST, ctx: Context) -> frozenset[str]:
    """Names that some code binds."""
    names = [node] if isinstance(node, ast.Name) else []
    names += ctx.within(node, ast.Name)
    return frozenset(name.id for name in names if isinstance(name.ctx, ast.Store))


def reads_element(node: ast.expr, names: frozenset[str], ctx: Context) -> bool:
    """Whether an expression takes an element or row of a tensor by a variable: ``x[i]``, ``x[:, i]``.

    A slice that ends where a variable says has another length each time: those do not count.
    """
    found = False
    for part in _subscripts(node):
        if not mentions(part.slice, names):
            continue
        if has_moving_end(part.slice, names):
            return False
        found = found or ctx.kind(part.value) in TENSORS
    return found


def _subscripts(node: ast.expr) -> Iterator[ast.Subscript]:
    for part in nodes_in(node):
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load):
            yield part


def has_moving_end(index: ast.expr, names: frozenset[str]) -> bool:
    """Whether it holds a slice whose ends a variable tells: pieces of various lengths, but ``i:i + 1``."""
    return any(
        isinstance(part, ast.Slice) and mentions(part, names) and not _is_of_one(part)
        for part in nodes_in(index)
    )


def _is_of_one(part: ast.Slice) -> bool:
    """Whether a slice holds one element: ``i:i + 1``."""
    upper = part.upper
    if part.lower is None or part.step is not None or not isinstance(upper, ast.BinOp):
        return False
    one = isinstance(upper.right, ast.Constant) and upper.right.value == 1
    return one and isinstance(upper.op, ast.Add) and ast.dump(upper.left) == ast.dump(part.lower)
