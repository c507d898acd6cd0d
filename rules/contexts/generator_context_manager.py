"""OVH104: context managers written as generators and entered in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Clause, Heat, HeatFilter, ReasonKind, Rule

from .._walks import WALKS
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
    stable_since="0.2.0",
)


_MANAGER = "contextlib.contextmanager"
_ASYNC_MANAGER = "contextlib.asynccontextmanager"
_FOLLOWED = 3
"""Through so many names that a module gives a function it is followed."""
_UNLESS_QUEUE = HeatFilter((ReasonKind.QUEUE,))
"""What a generator costs is less than what taking from a queue does, which waits for a lock."""
_UNLESS_LITTLE = HeatFilter((*_UNLESS_QUEUE.unless, ReasonKind.DATA))
"""A sample of a data set takes a thousand times as long to load, and in another process."""
_OVER_ALL = WALKS | {"eval"}
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
        (item for item in node.decorator_list if _is_named(item, _MANAGER, ctx)),
        None,
    )
    inside = node.body[0]
    if decorator is None or ctx.is_compiled(inside) or is_scripted(inside, ctx):
        return
    if _profiles(node, ctx) or _walks_a_model(node, ctx):
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
        only=_UNLESS_LITTLE,
    )


def _is_named(node: ast.expr, name: str, ctx: Context) -> bool:
    """Whether an expression is a function of the name, also under one that the module gives it."""
    return _name(node, ctx) == name


def _name(node: ast.expr, ctx: Context, steps: int = _FOLLOWED) -> str:
    """Return what an expression is called where it comes from: ``region`` of ``step = region``."""
    behind = ctx.value(node) if isinstance(node, ast.Name) and steps else None
    if isinstance(behind, (ast.Attribute, ast.Name)):
        return _name(behind, ctx, steps - 1)
    return ctx.qualified_name(node) or ""


@RULE.on(ast.AsyncFunctionDef)
def check_async(node: ast.AsyncFunctionDef, ctx: Context) -> Iterator[Finding]:
    """A function under `contextlib.asynccontextmanager`."""
    decorator = next((item for item in node.decorator_list if _is_named(item, _ASYNC_MANAGER, ctx)), None)
    inside = node.body[0]
    if decorator is not None:
        yield ctx.finding(
            RULE,
            decorator,
            (
                f"{node.name} is an asynchronous generator: entering it ",
                Clause.FREQUENCY,
                " makes a generator, two coroutines and an object around them",
            ),
            help="write it as a class with __slots__, __aenter__ and __aexit__",
            runs=inside,
            only=_UNLESS_QUEUE,
        )


def _profiles(node: ast.FunctionDef, ctx: Context) -> bool:
    """Whether a context is there to profile: it starts and stops what records all that happens in between."""
    return any(
        (ctx.qualified_name(call.func) or "").startswith(_PROFILING) for call in ctx.within(node, ast.Call)
    )


def _walks_a_model(node: ast.FunctionDef, ctx: Context) -> bool:
    """Whether a context goes over all parts of a model, as one does that swaps its weights or its mode.

    With hundreds of parts that takes many times as long as the generator.
    """
    return any(
        isinstance(call.func, ast.Attribute) and call.func.attr in _OVER_ALL and not call.args
        for call in ctx.within(node, ast.Call)
    )
