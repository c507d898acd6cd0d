"""OVH101: autocast contexts that are built in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace_callee, runtime_import
from overhead_lint.rule import Applicability, Clause, Fix, Heat, Rule

from .._wording import short
from ._hoisted import built_once
from ._stock import AUTOCAST, is_scripted, only_entered

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH101",
    name="autocast-per-step",
    summary="autocast context built on every step",
    triggers=(b"autocast",),
    heat=Heat.STEP,
)

_TRANSFORMER_ENGINE = frozenset(
    {
        "transformer_engine.pytorch.autocast",
        "transformer_engine.pytorch.fp8_autocast",
        "transformer_engine.pytorch.fp8.fp8_autocast",
        "transformer_engine.pytorch.quantization.autocast",
    }
)


@RULE.on(ast.Call, named=AUTOCAST | _TRANSFORMER_ENGINE)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """A call of an autocast class outside compiled and scripted code, where it costs nothing."""
    name = ctx.qualified_name(node.func)
    if name in AUTOCAST:
        if ctx.is_compiled(node) or is_scripted(node, ctx):
            return
        yield ctx.finding(
            RULE,
            node,
            (
                "torch.autocast is built ",
                Clause.FREQUENCY,
                ": microseconds of Python to construct, enter and leave it each time",
            ),
            help="use runtime.autocast, which takes the same arguments and reuses its contexts",
            fix=_fix(node, ctx),
        )
    elif name in _TRANSFORMER_ENGINE and ctx.warmth(node).heat is Heat.LOOP:
        yield ctx.finding(
            RULE,
            node,
            (
                f"{short(node.func, ctx)} is built and entered ",
                Clause.FREQUENCY,
                ", with its recipe checks each time",
            ),
            help="enter it once around the loop",
        )


def _fix(node: ast.Call, ctx: Context) -> Fix:
    safe = only_entered(node, ctx)
    return Fix(
        Applicability.SAFE if safe else Applicability.UNSAFE,
        "use runtime.autocast",
        edits=(replace_callee(node, "{runtime}.autocast"),),
        imports=(runtime_import(ctx.runtime_module),),
        without_runtime=built_once(node, ctx),
    )
