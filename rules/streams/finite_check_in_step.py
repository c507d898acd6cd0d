"""OVH410: checks for NaN and infinity that make the host wait, in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Rule, Tier

from ..guards._compiled import breaks_too
from ._finite import is_finite_check
from ._reads import READING, READING_CALLS, reads

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH410",
    name="finite-check-in-step",
    summary="host waits on every step to learn whether numbers are finite",
    triggers=(b"isnan", b"isinf", b"isfinite", b"isneginf", b"isposinf"),
    heat=Heat.STEP,
    tier=Tier.STALL,
    stable_since="0.2.0",
)


@RULE.on(*READING, named=READING_CALLS)
def check(node: ast.AST, ctx: Context) -> Iterator[Finding]:
    """``if torch.isnan(x).any():``, ``math.isfinite(loss.item())``, ``assert x.isfinite().all()``."""
    for read in reads(node, ctx):
        if is_finite_check(read, ctx):
            yield ctx.finding(
                RULE,
                read.node,
                (
                    f"{read.how} asks whether numbers are finite, "
                    "so the CPU waits for the GPU to finish all queued work",
                    *breaks_too(read.node, ctx),
                ),
                help="decide on the device (nan_to_num, torch.where, torch._assert_async), "
                "or gather a flag there and read it every N steps",
                drains=True,
            )
