"""Proof that what an expression gives is only read: nobody writes to it, keeps it, or hands it on."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.rule import Kind

from .._calls import call_of
from .._classes import in_init
from .._views import VIEWS
from .._writes import is_written_in_place

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["is_computed", "is_only_read", "is_quiet", "is_saved", "is_written", "last_use"]

_METADATA: Final = frozenset({"device", "dtype", "ndim", "shape", "is_cuda", "requires_grad"})
_ASKING: Final = frozenset({"dim", "element_size", "is_floating_point", "item", "numel", "size", "tolist"})
# Functions and methods that compute something new from what they are given.
_COMPUTING: Final = frozenset(
    """abs acos add addmm all amax amin any argmax argmin argsort atan2 baddbmm bmm cat ceil clamp clone
    concat cos cosine_similarity cross cross_entropy cumsum div dot einsum eq equal erf exp expm1 floor
    gather ge gt hstack index_select isclose isfinite isinf isnan l1_loss le lerp linear log log1p log2
    log_softmax logical_and logical_not logical_or logsumexp lt masked_fill masked_select matmul max
    maximum mean median min minimum mm mse_loss mul ne neg nonzero norm normalize outer pad pow prod
    reciprocal remainder repeat repeat_interleave roll round rsqrt scatter sigmoid sign sin
    smooth_l1_loss softmax softplus sort sqrt square stack std sub sum take_along_dim tanh topk tril
    triu unique var vstack where zeros_like ones_like full_like empty_like rand_like randn_like
    binary_cross_entropy binary_cross_entropy_with_logits kl_div nll_loss conv1d conv2d interpolate
    grid_sample one_hot
    """.split()  # noqa: SIM905
)
# What of these asks autograd to keep nothing of what it is given but sizes.
_FORGETTING: Final = frozenset(
    """add all any argmax argmin argsort cat ceil clone concat empty_like eq equal floor full_like ge gt
    hstack isclose isfinite isinf isnan le logical_and logical_not logical_or lt mean ne neg nonzero
    ones_like pad rand_like randn_like repeat roll round sign stack sub sum tril triu vstack zeros_like
    """.split()  # noqa: SIM905
)
_ASKED_BY: Final = frozenset({"abs", "bool", "float", "int", "isinstance", "len", "print", "range", "type"})
# Modules that compute something new, and never in place.
_MODULES: Final = frozenset(
    """Conv1d Conv2d Conv3d Embedding GRU LSTM LayerNorm Linear MultiheadAttention RMSNorm Softmax Sigmoid
    Tanh""".split()  # noqa: SIM905
)
_MAKING: Final = frozenset({"arange", "device", "empty", "eye", "full", "ones", "tensor", "zeros"})
_BUILTINS: Final = _ASKED_BY | {"enumerate", "max", "min", "sum", "super", "tuple", "list", "zip"}
_DEEPEST: Final = 6


def is_only_read(node: ast.expr, ctx: Context, *, viewed: bool = True, depth: int = _DEEPEST) -> bool:
    """Whether what an expression gives is surely only read, through names and views of it too.

    Args:
        node: the expression.
        ctx: its file.
        viewed: whether views of it count as reads.
        depth: how far names and views are followed.
    """
    holder = ctx.parent(node)
    if not depth or holder is None:
        return False
    match holder:
        case ast.BinOp() | ast.Compare() | ast.UnaryOp() | ast.FormattedValue() | ast.Expr():
            return True
        case ast.AugAssign(value=value):
            return value is node
        case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test):
            return test is node
        case ast.Subscript(value=value, ctx=ast.Load()):
            return value is not node or (viewed and is_only_read(holder, ctx, depth=depth - 1))
        case ast.Attribute():
            return _is_attribute_read(holder, ctx, viewed, depth)
        case ast.keyword(arg=name):
            call = ctx.parent(holder)
            if name == "out" or not isinstance(call, ast.Call):
                return False
            return _is_given_to_read(call, ctx, viewed, depth)
        case ast.Call():
            return _is_given_to_read(holder, ctx, viewed, depth)
        case ast.List() | ast.Tuple():
            call = ctx.parent(holder)
            return isinstance(call, ast.Call) and holder in call.args and is_computed(call, ctx)
        case ast.Assign(targets=[ast.Name() as target], value=value) if value is node:
            uses = ctx.uses(target)
            return bool(uses) and all(
                isinstance(use.ctx, ast.Load) and is_only_read(use, ctx, viewed=viewed, depth=depth - 1)
                for use in uses
            )
    return False


def _is_attribute_read(holder: ast.Attribute, ctx: Context, viewed: bool, depth: int) -> bool:
    if holder.attr in _METADATA:
        return True
    call = call_of(holder, ctx)
    if call is None:
        return holder.attr in VIEWS and viewed and is_only_read(holder, ctx, depth=depth - 1)
    if holder.attr in _ASKING:
        return True
    if any(item.arg in {None, "out"} for item in call.keywords):
        return False
    if holder.attr in _COMPUTING:
        return True
    return holder.attr in VIEWS and viewed and is_only_read(call, ctx, depth=depth - 1)


def _is_given_to_read(call: ast.Call, ctx: Context, viewed: bool, depth: int) -> bool:
    if isinstance(call.func, ast.Name) and call.func.id in _ASKED_BY and not ctx.is_bound(call.func.id, call):
        return True
    if is_computed(call, ctx):
        return True
    module, _, name = (ctx.qualified_name(call.func) or "").rpartition(".")
    return module == "torch" and name in VIEWS and viewed and is_only_read(call, ctx, depth=depth - 1)


def is_computed(call: ast.Call, ctx: Context) -> bool:
    """Whether a call certainly computes something new and writes to nothing."""
    if any(item.arg in {None, "out", "inplace"} for item in call.keywords):
        return False
    name = ctx.qualified_name(call.func)
    if name is not None:
        module, _, last = name.rpartition(".")
        return module in {"torch", "torch.nn.functional", "torch.linalg"} and last in _COMPUTING
    if isinstance(call.func, ast.Attribute) and call.func.attr in _COMPUTING:
        return ctx.kind(call.func.value) in (Kind.TENSOR, Kind.HOST_TENSOR)  # x.mul(given)
    made = ctx.value(call.func)
    built = ctx.qualified_name(made.func) if isinstance(made, ast.Call) else None
    module, _, last = (built or "").rpartition(".")
    return module.startswith("torch.nn") and last in _MODULES


def is_saved(node: ast.AST, ctx: Context, depth: int = _DEEPEST) -> bool:
    """Whether autograd may keep what an expression gives, which is only read, until the backward pass."""
    holder = ctx.parent(node)
    if not depth:
        return True
    match holder:
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator):
            return not isinstance(operator, (ast.Add, ast.Sub))
        case ast.Subscript(value=value):
            return value is not node or is_saved(holder, ctx, depth - 1)
        case ast.Attribute(attr=name):
            call = call_of(holder, ctx)
            if name in _METADATA | _ASKING:
                return False
            return is_saved(call or holder, ctx, depth - 1) if name in VIEWS else name not in _FORGETTING
        case ast.keyword() | ast.List() | ast.Tuple():
            return is_saved(holder, ctx, depth - 1)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return is_saved(holder, ctx, depth - 1) if name in VIEWS else name not in _FORGETTING
        case ast.Assign(targets=[ast.Name() as target]):
            return any(is_saved(use, ctx, depth - 1) for use in ctx.uses(target))
    return False


def is_written(tensor: ast.expr, ctx: Context) -> bool:
    """Whether a tensor that has a name is written to in place: one of ``self`` by any method of the file.

    What ``__init__`` writes was there before anything was copied.
    """
    function = ctx.function(tensor)
    match tensor:
        case ast.Name(id=name) if function is not None:
            names = ctx.within(function.node, ast.Name)
            return any(is_written_in_place(use, ctx) for use in names if use.id == name)
        case ast.Attribute(attr=name):
            uses = [use for use in ctx.nodes(ast.Attribute) if use.attr == name]
            return any(is_written_in_place(use, ctx) and not in_init(use, ctx) for use in uses)
    return False


def last_use(node: ast.expr, ctx: Context) -> int:
    """The last line at which what an expression gives may be read: through names, views and loops."""
    statement = ctx.statement(node)
    last = max([statement.end_lineno or 0, *(getattr(loop, "end_lineno", 0) for loop in ctx.loops(node))])
    if not (isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)):
        return last
    if not _is_passed_on(node, statement.value, ctx):
        return last
    for use in ctx.uses(statement.targets[0]):
        last = max(last, last_use(use, ctx) if use.lineno > last else use.lineno)
    return last


def _is_passed_on(node: ast.expr, value: ast.expr, ctx: Context) -> bool:
    """Whether a value is an expression in it, or a view of that."""
    whole: ast.AST | None = node
    while whole is not value:
        whole = ctx.parent(whole) if whole is not None else None
        if not isinstance(whole, (ast.Attribute, ast.Call, ast.Subscript)):
            return False
        if isinstance(whole, ast.Call) and getattr(whole.func, "attr", "") not in VIEWS:
            return False  # it computes something new
    return True


def is_quiet(node: ast.expr, until: int, ctx: Context) -> bool:
    """Whether nothing between an expression and a line may write to a tensor: unknown calls may."""
    function = ctx.function(node)
    if function is None or ctx.loops(node):
        return False
    first = ctx.statement(node).lineno
    for item in ctx.within(function.node, ast.expr, ast.stmt):
        if not isinstance(item, (ast.Call, ast.AugAssign, ast.Subscript, ast.Delete)):
            continue
        if not first <= item.lineno <= until:
            continue
        if isinstance(item, ast.Call) and not _is_harmless(item, ctx):
            return False
        if isinstance(item, (ast.AugAssign, ast.Delete)):
            return False
        if isinstance(item, ast.Subscript) and not isinstance(item.ctx, ast.Load):
            return False
    return True


def _is_harmless(call: ast.Call, ctx: Context) -> bool:
    if isinstance(call.func, ast.Name) and call.func.id in _BUILTINS and not ctx.is_bound(call.func.id, call):
        return True
    if isinstance(call.func, ast.Attribute) and call.func.attr in VIEWS | _ASKING:
        return True
    module, _, last = (ctx.qualified_name(call.func) or "").rpartition(".")
    made = module == "torch" and last in _MAKING
    return made or module == "math" or last.endswith("Error") or is_computed(call, ctx)
