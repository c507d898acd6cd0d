"""OVH503: float32 precision set in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Rule

from ._names import CUDNN, MATMUL, SETTER

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH503",
    name="precision-per-step",
    summary="float32 precision set on every step",
    triggers=(b"allow_tf32", b"fp32_precision", b"set_float32_matmul_precision"),
    heat=Heat.STEP,
)

_HELP = (
    "set it once at the start; runtime.fp32_precision(...) around one part of a step restores what was there"
)


@RULE.on(ast.Attribute)
def check_flag(node: ast.Attribute, ctx: Context) -> Iterator[Finding]:
    """``torch.backends...allow_tf32 = flag`` and ``torch.backends...fp32_precision = value``."""
    if node.attr not in ("allow_tf32", "fp32_precision") or not isinstance(node.ctx, ast.Store):
        return
    name = ctx.qualified_name(node)
    if name in (MATMUL, CUDNN) or (name or "").startswith("torch.backends."):
        yield _finding(node, name or "", ctx)


@RULE.on(ast.Call, named=(SETTER,))
def check_call(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch.set_float32_matmul_precision(value)``."""
    if ctx.qualified_name(node.func) == SETTER:
        yield _finding(node, SETTER, ctx)


def _finding(node: ast.expr, name: str, ctx: Context) -> Finding:
    matmul = "conv" not in name and "rnn" not in name and "cudnn" not in name
    guarded = ", and compiled code guards it" if matmul else ""
    return ctx.finding(
        RULE,
        node,
        f"{name.removeprefix('torch.')} is set on each call, for the whole process{guarded}",
        help=_HELP,
    )
