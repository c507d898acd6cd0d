"""OVH409: operators in hot code whose result has a size that depends on values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.api.torch_calls import JOINS
from overhead_lint.rule import Heat, Kind, Rule, Tier

from .._conditions import branches
from .._literals import elements_of
from .._names import own_name
from .._vocabulary import MASKS, one_of
from .._wording import short
from ..guards._compiled import breaks_too
from ._dense import assigned_densely, repeated_with_size, summed_densely
from ._likely import is_own_mask, may_be_on_device, on_device
from ._waits import is_no_wait

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH409",
    name="data-dependent-shape",
    summary="host waits on every step for the size of a result",
    triggers=(b"torch",),
    heat=Heat.STEP,
    tier=Tier.STALL,
    stable_since="0.2.0",
)

_MASKED = "work on all elements with torch.where or masked_fill, or index with positions that the host has"
_HELP = {
    "argwhere": _MASKED,
    "coalesce": "work on dense tensors, or on indices that are sorted where the data are prepared",
    "combinations": "index with torch.triu_indices, which needs sizes only",
    "bincount": "count with scatter_add_ into a tensor of known size, or torch.histc with min and max",
    "histc": "give it min and max",
    "index_put": _MASKED,
    "index_put_": _MASKED,
    "masked_select": _MASKED,
    "nonzero": "use torch.where with three arguments, or torch.nonzero_static with a size",
    "one_hot": "give it num_classes",
    "repeat_interleave": "give it output_size",
    "sparse_coo_tensor": "give it the size",
    "to_sparse": "make it from indices that are known, or stay dense",
    "unique": "keep the duplicates, or find them once where the data are prepared",
    "unique_consecutive": "keep the duplicates, or find them once where the data are prepared",
    "where": "use torch.where with three arguments, or torch.nonzero_static with a size",
}
_MASK_NAME = re.compile(rf"(^|_){one_of(MASKS)}$")


@RULE.on(ast.Call, named=_HELP)
def check_call(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch.nonzero(x)``, ``x.unique()``, ``x.repeat_interleave(counts)``."""
    name = _operator(node, ctx)
    if name and not is_no_wait(node, ctx):
        yield ctx.finding(
            RULE,
            node,
            (
                f"the size of what {name} gives depends on values, "
                "and the CPU waits until the GPU has computed them",
                *breaks_too(node, ctx),
            ),
            help=_HELP[name],
            fix=repeated_with_size(node, ctx) if name == "repeat_interleave" else None,
        )


@RULE.on(ast.Subscript)
def check_index(node: ast.Subscript, ctx: Context) -> Iterator[Finding]:
    """``x[mask]``, and ``x[mask] = y``; a plain number is filled in without a wait."""
    index = _mask(node, ctx)
    if index is None or not _is_selected_from(node.value, index, ctx) or is_no_wait(node, ctx):
        return
    statement = ctx.statement(node)
    fix = None
    if isinstance(node.ctx, ast.Load):
        if _is_read_for_assignment(node, index, statement, ctx):
            return
        what = f"indexing with the mask {short(index, ctx)} gives as many elements as it has true ones"
        fix = summed_densely(node, index, ctx)
    elif isinstance(statement, ast.AugAssign):
        what = f"assigning behind the mask {short(index, ctx)} needs the positions of its true elements"
    elif isinstance(statement, ast.Assign) and ctx.kind(statement.value) is Kind.TENSOR:
        what = f"assigning behind the mask {short(index, ctx)} needs the positions of its true elements"
        fix = assigned_densely(node, index, statement, ctx) if on_device(node.value, ctx) else None
    else:
        return
    yield ctx.finding(
        RULE,
        node,
        (f"{what}, and the CPU waits until the GPU has computed them", *breaks_too(node, ctx)),
        help=_MASKED,
        fix=fix,
    )


# What needs no values if it is told more than so many arguments, or one of these.
_TOLD = {
    "histc": (2, frozenset({"min", "max"})),
    "one_hot": (1, frozenset({"num_classes"})),
    "sparse_coo_tensor": (2, frozenset({"size"})),
    "where": (1, frozenset({"self", "other"})),
}


def _operator(node: ast.Call, ctx: Context) -> str:
    """The operator whose result has a size that depends on values, "" if it is none."""
    module, _, name = (ctx.qualified_name(node.func) or "").rpartition(".")
    takes = on_device
    if module in ("torch", "torch.nn.functional"):
        arguments, takes = node.args, may_be_on_device
    elif isinstance(node.func, ast.Attribute) and not module and on_device(node.func.value, ctx):
        name, arguments = node.func.attr, [node.func.value, *node.args]
        if name in ("where", "one_hot"):
            return ""
    else:
        return ""
    if name in {"index_put", "index_put_"}:
        places = arguments[1] if len(arguments) > 1 else None
        masked = (
            isinstance(places, (ast.Tuple, ast.List))
            and _mask_among(arguments[0], places.elts, ctx) is not None
        )
        return name if masked and on_device(arguments[0], ctx) else ""
    if name not in _HELP or not arguments or not takes(arguments[0], ctx):
        return ""
    given = {item.arg for item in node.keywords}
    if None in given or any(isinstance(argument, ast.Starred) for argument in arguments):
        return ""
    if name in _TOLD:
        most, keywords = _TOLD[name]
        return name if len(arguments) <= most and given.isdisjoint(keywords) else ""
    if name == "to_sparse":
        return name if not _has_other_layout(arguments[0], ctx) else ""
    if name == "repeat_interleave":
        repeats = arguments[1:2] + [item.value for item in node.keywords if item.arg == "repeats"]
        varying = any(on_device(argument, ctx) for argument in repeats)
        return name if varying and "output_size" not in given else ""
    return name


def _has_other_layout(tensor: ast.expr, ctx: Context) -> bool:
    """Whether a branch shows that a tensor is sparse already, in another layout: nothing is counted then."""
    for test, outcome in branches(tensor, ctx):
        if not (isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Eq, ast.NotEq))):
            continue
        asked = test.left
        if (
            isinstance(asked, ast.Attribute)
            and asked.attr == "layout"
            and ctx.text(asked.value) == ctx.text(tensor)
            and ctx.qualified_name(test.comparators[0]) == "torch.strided"
            and isinstance(test.ops[0], ast.NotEq) is outcome
        ):
            return True
    return False


def _mask(node: ast.Subscript, ctx: Context) -> ast.expr | None:
    """The mask that an index is, or holds, told by what it is or by its name."""
    indices = elements_of(node.slice)
    return _mask_among(node.value, indices, ctx)


def _mask_among(base: ast.expr, indices: list[ast.expr], ctx: Context) -> ast.expr | None:
    for index in indices:
        if ctx.is_mask(index) and on_device(index, ctx):
            return index
        if isinstance(index, ast.Compare) and is_own_mask(base, index, ctx):
            return index
        bare = index.operand if isinstance(index, ast.UnaryOp) else index
        while isinstance(bare, ast.Call) and bare.args and ctx.qualified_name(bare.func) in JOINS:
            bare = bare.args[0]  # a list of masks
        keyed = isinstance(bare, ast.Subscript) and isinstance(bare.slice, ast.Constant)
        name = str(bare.slice.value) if keyed else own_name(bare)  # type: ignore[attr-defined]
        if _MASK_NAME.search(name) and ctx.kind(index) in (Kind.TENSOR, Kind.UNKNOWN):
            return index
    return None


def _is_selected_from(node: ast.expr, mask: ast.expr, ctx: Context) -> bool:
    """Whether what is indexed with a mask is a tensor of the device, or can be nothing else.

    Arrays and lists take no tensors of a device as indices; what holds tensors hands the mask on to them.
    """
    if on_device(node, ctx):
        return True
    if ctx.kind(node) is not Kind.UNKNOWN or not isinstance(node, (ast.Name, ast.Call)):
        return False
    return (ctx.is_mask(mask) and on_device(mask, ctx)) or is_own_mask(node, mask, ctx)


def _is_read_for_assignment(node: ast.Subscript, index: ast.expr, statement: ast.stmt, ctx: Context) -> bool:
    """Whether the statement assigns behind the same mask: one report is enough."""
    if not isinstance(statement, ast.Assign):
        return False
    return any(
        isinstance(target, ast.Subscript)
        and (other := _mask(target, ctx)) is not None
        and ctx.text(other) == ctx.text(index)
        and on_device(target.value, ctx)
        for target in statement.targets
        if target is not node
    )
