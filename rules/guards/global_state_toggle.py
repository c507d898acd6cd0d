"""OVH310: process-wide state that compiled code guards, changed in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Rule

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH310",
    name="global-state-toggle",
    summary="process-wide state changed on every step",
    triggers=(b"set_num_threads", b"set_default_dtype", b"deterministic", b"reduced_precision_reduction"),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

# Each is part of the global state that Dynamo guards: with the other value, compiled code is compiled again.
_SETTERS = frozenset(
    {
        "torch.set_num_threads",
        "torch.set_default_dtype",
        "torch.use_deterministic_algorithms",
        "torch.set_deterministic_debug_mode",
    }
)
_FLAGS = frozenset(
    {
        "torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction",
        "torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction",
    }
)


@RULE.on(ast.Call, named=_SETTERS)
def check_call(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch.set_num_threads(n)`` and kin."""
    name = ctx.qualified_name(node.func)
    if name in _SETTERS and isinstance(ctx.parent(node), ast.Expr):
        yield _finding(node, name, ctx)


@RULE.on(ast.Attribute)
def check_flag(node: ast.Attribute, ctx: Context) -> Iterator[Finding]:
    """``torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = flag``."""
    if isinstance(node.ctx, ast.Store) and (name := ctx.qualified_name(node)) in _FLAGS:
        assert name is not None
        yield _finding(node, name, ctx)


def _finding(node: ast.expr, name: str, ctx: Context) -> Finding:
    return ctx.finding(
        RULE,
        node,
        f"{name.removeprefix('torch.')} is set on each call: all compiled code guards it, and with another "
        "value is compiled a second time",
        help="set it once at the start, or give the values to the operators that need them",
    )
