"""OVH107: profiler ranges that cost as much when nobody looks."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace_callee, runtime_import
from overhead_lint.rule import Applicability, Fix, Heat, Rule

from ._stock import entered_item, is_scripted, only_entered

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH107",
    name="ungated-profiler-range",
    summary="profiler range entered whether a profiler runs or not",
    triggers=(b"record_function", b"nvtx"),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_RECORD = frozenset({"torch.profiler.record_function", "torch.autograd.profiler.record_function"})
_NVTX = "torch.cuda.nvtx.range"
_PUSH = "torch.cuda.nvtx.range_push"


@RULE.on(ast.Call, named=(_PUSH,))
def check_push(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``nvtx.range_push(f"layer {i}")``: the name is made whether anybody looks at it or not."""
    if ctx.qualified_name(node.func) != _PUSH or not node.args or ctx.is_compiled(node):
        return
    if isinstance(node.args[0], (ast.Constant, ast.Name)) or is_scripted(node, ctx):
        return
    yield ctx.finding(
        RULE,
        node,
        "the name of the range is made and handed to the profiler each time, whether one runs or not",
        help="use runtime.nvtx_range, or ask first whether a profiler runs",
    )


@RULE.on(ast.Call, named=(*_RECORD, _NVTX))
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``with record_function(...)`` and ``with nvtx.range(...)``, outside compiled and scripted code."""
    name = ctx.qualified_name(node.func)
    if (name not in _RECORD and name != _NVTX) or entered_item(node, ctx) is None:
        return
    function = ctx.function(node)
    if function is None or function.compiled or is_scripted(node, ctx):
        return
    unnamed = only_entered(node, ctx)
    if name == _NVTX:
        message = "torch.cuda.nvtx.range makes a generator and a context manager around it each time"
        drop_in, fixable, safe = "nvtx_range", True, unnamed and not _is_called(node, ctx)
    else:
        message = "record_function calls into the profiler twice each time, whether one runs or not"
        drop_in, fixable, safe = "record", unnamed, False  # torch's has methods that ours lacks
    yield ctx.finding(
        RULE,
        node,
        message,
        help=f"use runtime.{drop_in}",
        fix=Fix(
            Applicability.SAFE if safe else Applicability.UNSAFE,
            f"use runtime.{drop_in}",
            edits=(replace_callee(node, f"{{runtime}}.{drop_in}"),),
            imports=(runtime_import(ctx.runtime_module),),
        )
        if fixable
        else None,
    )


def _is_called(node: ast.Call, ctx: Context) -> bool:
    """Whether the message may be what ours calls and torch cannot format: a function, an own object."""
    given = [*node.args[:1], *(item.value for item in node.keywords if item.arg == "msg")]
    made = [item.func if isinstance(item, ast.Call) else item for item in given]
    classes = {f".{cls.qualname}" for cls in ctx.classes()}
    functions = {f".{function.qualname}" for function in ctx.functions()}
    return any(
        isinstance(item, ast.Lambda)
        or ctx.qualified_name(called) in classes
        or (called is item and ctx.qualified_name(called) in functions)
        for item, called in zip(given, made, strict=True)
    )
