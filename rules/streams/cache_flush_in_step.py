"""OVH406: memory caches emptied, or garbage collected, in every step."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Kind, Rule, Tier

from .._blocks import holders
from .._names import nodes_in
from .._vocabulary import PIPELINES, one_of
from ._streams import is_accelerator
from ._waits import is_for_measuring, is_wrapper

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH406",
    name="cache-flush-in-step",
    summary="allocator cache emptied, or garbage collected, on every step",
    triggers=(b"empty_cache", b"collect"),
    heat=Heat.STEP,
    tier=Tier.STALL,
    stable_since="0.2.0",
)

_EMPTY = frozenset(
    {
        "torch.accelerator.empty_cache",
        "torch.accelerator.memory.empty_cache",
        "torch.cuda.empty_cache",
        "torch.cuda.memory.empty_cache",
        "torch.mps.empty_cache",
        "torch.npu.empty_cache",
        "torch.xpu.empty_cache",
        "torch.xpu.memory.empty_cache",
    }
)

_SIZES = frozenset({"nelement", "numel", "shape", "size"})
_LARGE = 256
"""Sizes above this are no batches or counts of parts, but ask whether an input is a large one."""
_MODEL = re.compile(rf"(?i)(^|_){one_of(PIPELINES)}$")


@RULE.on(ast.Call, named=("empty_cache", "gc.collect"))
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch.cuda.empty_cache()`` and ``gc.collect()``."""
    name = ctx.qualified_name(node.func)
    function = node.func
    of_module = isinstance(function, ast.Attribute) and is_accelerator(function.value)
    if name in _EMPTY or (of_module and ctx.text(function).endswith(".empty_cache")):
        message = (
            f"{name or 'empty_cache'} waits for the device and gives its cached memory back to the driver, "
            "from which the next operators must get it again"
        )
        help = (
            "leave the cache alone; drop references early, and set PYTORCH_CUDA_ALLOC_CONF against fragments"
        )
    elif name == "gc.collect":
        message = f"{name} walks all objects of the process, also those that live for the whole run"
        help = (
            "break the reference cycles, or collect every N steps with the automatic collection switched off"
        )
    else:
        return
    is_meant = is_wrapper(node, ctx) or is_for_measuring(node, ctx) or _is_for_large_inputs(node, ctx)
    if not is_meant and not _follows_a_model(node, ctx):
        # The collector waits for nothing: it walks.
        yield ctx.finding(RULE, node, message, help=help, tier=Tier.HOST if name == "gc.collect" else None)


def _is_for_large_inputs(node: ast.Call, ctx: Context) -> bool:
    """Whether memory is freed only where there is much to hold: ``if x.shape[-2] > 2000:``."""
    return any(
        isinstance(holder, ast.If) and part in holder.body and _asks_for_size(holder.test)
        for holder, part in holders(node, ctx)
    )


def _asks_for_size(test: ast.expr) -> bool:
    """Whether what is tested is, or includes, that a size is above a large number that is written out."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return any(map(_asks_for_size, test.values))
    match test:
        case ast.Compare(left, [ast.Gt() | ast.GtE()], [ast.Constant(int(number))]):
            return number >= _LARGE and any(
                isinstance(part, ast.Attribute) and part.attr in _SIZES for part in nodes_in(left)
            )
    return False


def _follows_a_model(node: ast.Call, ctx: Context) -> bool:
    """Whether a whole model was let go right before: a loop over models, not over steps."""
    statement = ctx.statement(node)
    block = getattr(ctx.parent(statement), "body", [])
    before = block[: block.index(statement)] if isinstance(block, list) and statement in block else []
    return any(
        isinstance(target, ast.Name) and (_MODEL.search(target.id) or ctx.kind(target) is Kind.MODULE)
        for other in before
        if isinstance(other, ast.Delete)
        for target in other.targets
    )
