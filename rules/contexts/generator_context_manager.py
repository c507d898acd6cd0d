"""OVH104: context managers written as generators and entered in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Clause, Heat, ReasonKind, Rule

from ._generators import rewritten
from ._stock import is_scripted

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH104",
    name="generator-context-manager",
    summary="generator-based context manager entered on every step",
    triggers=(b"contextmanager",),
    heat=Heat.STEP,
    brief=True,
)


_PROFILING = (
    "torch.autograd.profiler.profile",
    "torch.cuda.cudart",
    "torch.cuda.profiler.",
    "torch.profiler.profile",
)


@RULE.on(ast.FunctionDef)
def check(node: ast.FunctionDef, ctx: Context) -> Iterator[Finding]:
    """A function under `contextlib.contextmanager`, outside compiled and scripted code."""
    decorator = next(
        (item for item in node.decorator_list if ctx.qualified_name(item) == "contextlib.contextmanager"),
        None,
    )
    inside = node.body[0]
    if decorator is None or ctx.is_compiled(inside) or is_scripted(inside, ctx):
        return
    # What a generator costs is less than what taking from a queue does, which waits for a lock.
    if _profiles(node, ctx) or ctx.warmth(inside).kind is ReasonKind.QUEUE:
        return
    yield ctx.finding(
        RULE,
        decorator,
        (
            f"{node.name} is a generator: entering it ",
            Clause.FREQUENCY,
            " makes a generator and an object around it, and runs both through Python twice",
        ),
        help="write it as a class with __slots__, or return the context that it enters",
        fix=rewritten(node, decorator, ctx),
        runs=inside,  # the decorator itself runs once
    )


def _profiles(node: ast.FunctionDef, ctx: Context) -> bool:
    """Whether a context is there to profile: it starts and stops what records all that happens in between."""
    return any(
        (ctx.qualified_name(call.func) or "").startswith(_PROFILING) for call in ctx.within(node, ast.Call)
    )
