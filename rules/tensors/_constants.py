"""Expressions that give the same each time the function runs."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.rule import Kind
from overhead_lint.syntax.receivers import is_self

from .._blocks import scope_of
from .._literals import elements_of

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["is_constant", "is_constant_tensor"]

_PLAIN_CALLS = frozenset({"int", "float", "len", "max", "min", "range", "tuple", "list", "round", "abs"})
_SHAPES = frozenset({"torch.ones", "torch.zeros", "torch.full"})
_RANGES = frozenset(
    """torch.arange torch.linspace torch.logspace torch.eye torch.tril_indices torch.triu_indices
    torch.hann_window torch.hamming_window torch.blackman_window torch.tensor""".split()  # noqa: SIM905
)
# Functions and methods that compute from tensors and numbers alone.
_PURE = frozenset(
    """abs add bool clamp cos cpu cuda cumsum diag div double exp expand exp2 flatten flip float floor ge gt
    half int le log log2 long lt mul neg outer permute pow reciprocal repeat reshape rsqrt sin sqrt squeeze
    sub t to transpose tril triu unsqueeze view where""".split()  # noqa: SIM905
)
_FREE = frozenset({"device", "dtype", "non_blocking", "copy", "layout", "pin_memory"})
_DEPTH = 8


def is_constant(node: ast.expr, ctx: Context, depth: int = _DEPTH) -> bool:
    """Whether a Python value is the same on every call: written out, or set at import or construction."""
    if depth < 0:
        return False
    match node:
        case ast.Constant():
            return True
        case ast.Name():
            return _is_constant_name(node, ctx, depth)
        case ast.Attribute():
            return _is_constant_attribute(node, ctx, depth)
        case ast.Subscript(value=value, slice=index):
            return is_constant(value, ctx, depth - 1) and is_constant(index, ctx, depth - 1)
        case ast.Call(func=func, args=args, keywords=[]) if args:
            name = ctx.qualified_name(func)
            plain = isinstance(func, ast.Name) and func.id in _PLAIN_CALLS and not ctx.is_bound(func.id, func)
            known = plain or (name is not None and name.startswith("math."))
            return known and all(is_constant(argument, ctx, depth - 1) for argument in args)
        case ast.BinOp(left=left, right=right):
            return is_constant(left, ctx, depth - 1) and is_constant(right, ctx, depth - 1)
        case ast.UnaryOp(operand=operand):
            return is_constant(operand, ctx, depth - 1)
        case ast.Tuple(elts=elts) | ast.List(elts=elts):
            return all(is_constant(element, ctx, depth - 1) for element in elts)
    return False


def _is_constant_name(node: ast.Name, ctx: Context, depth: int) -> bool:
    value = ctx.value(node)
    if value is None or not is_constant(value, ctx, depth - 1) or _is_changed_list(node.id, value, ctx):
        return False
    return ctx.function(value) is None or not ctx.loops(value)


def _is_changed_list(name: str, value: ast.expr, ctx: Context) -> bool:
    """Whether what a name holds is a list that a method, an assignment or a function may change."""
    made = value.func if isinstance(value, ast.Call) else None
    if not (isinstance(value, ast.List) or (isinstance(made, ast.Name) and made.id == "list")):
        return False
    for use in ctx.within(scope_of(value, ctx), ast.Name):
        holder = ctx.parent(use) if use.id == name and isinstance(use.ctx, ast.Load) else None
        if isinstance(holder, ast.Attribute):
            return True
        if isinstance(holder, ast.Subscript) and holder.value is use and not isinstance(holder.ctx, ast.Load):
            return True
        if isinstance(holder, ast.Call) and use is not holder.func:
            called = holder.func
            reads = isinstance(called, ast.Name) and called.id in _PLAIN_CALLS
            if not reads and not (ctx.qualified_name(called) or "").startswith("torch."):
                return True
    return False


def _is_constant_attribute(node: ast.Attribute, ctx: Context, depth: int) -> bool:
    """``self.heads`` and ``self.config.heads``, where only ``__init__`` sets what hangs on ``self``."""
    qualified = ctx.qualified_name(node)
    if qualified is not None:
        return qualified.startswith(("math.", "torch.")) or qualified.rpartition(".")[2].isupper()
    if isinstance(node.value, ast.Attribute):
        named = node.value.attr.lower().rpartition("_")[2] in {"config", "cfg", "args", "hparams"}
        return named and _is_constant_attribute(node.value, ctx, depth - 1)
    if not is_self(node.value):
        return False
    value = ctx.value(node)
    if isinstance(value, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)):
        return False  # it may grow
    function = ctx.function(value) if value is not None else None
    return function is not None and function.qualname.endswith("__init__")


def is_constant_tensor(node: ast.expr, ctx: Context, depth: int = _DEPTH) -> bool:
    """Whether an expression computes a tensor from constants alone, device and dtype left aside."""
    if depth < 0:
        return False
    match node:
        case ast.Call(func=func, args=args):
            return _is_constant_call(node, func, args, ctx, depth)
        case ast.BinOp(left=left, right=right):
            return _some_tensor([left, right], ctx, depth)
        case ast.Compare(left=left, comparators=[right], ops=[op]):
            ordered = not isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn))
            return ordered and _some_tensor([left, right], ctx, depth)
        case ast.UnaryOp(operand=operand):
            return is_constant_tensor(operand, ctx, depth - 1)
        case ast.Subscript(value=value, slice=index):
            return is_constant_tensor(value, ctx, depth - 1) and _is_constant_index(index, ctx)
    return False


def _is_constant_call(node: ast.Call, func: ast.expr, args: list[ast.expr], ctx: Context, depth: int) -> bool:
    keywords = [keyword.value for keyword in node.keywords if keyword.arg not in _FREE]
    if any(keyword.arg in (None, "out", "requires_grad", "generator") for keyword in node.keywords):
        return False
    name = ctx.qualified_name(func)
    if name == "torch.as_tensor":
        # What is a tensor already is handed back as it is.
        given = args[0] if len(args) == 1 else None
        return isinstance(given, ast.Attribute) and not _is_tensor(given, ctx) and is_constant(given, ctx)
    if name in _RANGES | _SHAPES:
        return bool(args or keywords) and all(is_constant(value, ctx) for value in (*args, *keywords))
    last = name.removeprefix("torch.") if name is not None and name.startswith("torch.") else ""
    if last in _PURE:
        return _some_tensor([*args, *keywords], ctx, depth)
    if name is None and isinstance(func, ast.Attribute) and func.attr in _PURE:
        if func.attr in {"to", "cuda", "cpu"}:
            return is_constant_tensor(func.value, ctx, depth - 1)
        return is_constant_tensor(func.value, ctx, depth - 1) and all(
            is_constant(value, ctx) or is_constant_tensor(value, ctx, depth - 1)
            for value in (*args, *keywords)
        )
    return False


def _is_tensor(node: ast.expr, ctx: Context) -> bool:
    return ctx.kind(node) in (Kind.TENSOR, Kind.HOST_TENSOR)


def _some_tensor(values: list[ast.expr], ctx: Context, depth: int) -> bool:
    """Whether all of them are constant, and one at least is a tensor."""
    tensors = [is_constant_tensor(value, ctx, depth - 1) for value in values]
    return any(tensors) and all(
        tensor or is_constant(value, ctx) for tensor, value in zip(tensors, values, strict=True)
    )


def _is_constant_index(index: ast.expr, ctx: Context) -> bool:
    for part in elements_of(index):
        ends = [part.lower, part.upper, part.step] if isinstance(part, ast.Slice) else [part]
        if not all(end is None or is_constant(end, ctx) for end in ends):
            return False
    return True
