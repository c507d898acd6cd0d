"""OVH106: gradient modes as decorators of hot functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace, replace_callee, runtime_import
from overhead_lint.rule import Applicability, Clause, Fix, Heat, Rule

from .._blocks import does_nothing
from .._calls import argument_values
from .._devices import is_to_host
from ._stock import GRAD_MODES, SCRIPTED

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH106",
    name="no-grad-decorator",
    summary="stock gradient mode decorates a hot function",
    triggers=(b"no_grad", b"enable_grad", b"inference_mode"),
    heat=Heat.LOOP,
    stable_since="0.2.0",
)


_READS = frozenset({"item", "numpy", "tolist"})


@RULE.on(ast.FunctionDef)
def check(node: ast.FunctionDef, ctx: Context) -> Iterator[Finding]:
    """``@torch.no_grad()`` on a plain function, outside compiled and scripted code."""
    if not any(_mode(decorator, ctx) for decorator in node.decorator_list):
        return
    inner = ctx.function(node.body[0])
    if inner is None or inner.compiled or _is_generator(node, ctx) or _waits_for_device(node, ctx):
        return
    if does_nothing(node.body):
        return
    if any(ctx.qualified_name(item) in SCRIPTED for item in node.decorator_list):
        return
    for decorator in node.decorator_list:
        mode = _mode(decorator, ctx)
        if not mode:
            continue
        yield ctx.finding(
            RULE,
            decorator,
            (f"@torch.{mode} builds, enters and leaves a context ", Clause.FREQUENCY),
            help=f"use runtime.{mode}, which sets the mode and nothing else",
            fix=_fix(decorator, mode, ctx),
            runs=node.body[0],  # the decorator itself runs once
        )


def _mode(decorator: ast.expr, ctx: Context) -> str:
    """The plain name of the gradient mode that a decorator is; "" for any other."""
    name = ctx.qualified_name(decorator.func if isinstance(decorator, ast.Call) else decorator)
    return name.rpartition(".")[2] if name in GRAD_MODES else ""


def _waits_for_device(node: ast.FunctionDef, ctx: Context) -> bool:
    """Whether the function brings tensors to the host: beside that wait the context does not show."""
    for call in ctx.within(node, ast.Call):
        reads = isinstance(call.func, ast.Attribute) and call.func.attr in _READS and not call.args
        if reads or is_to_host(call):
            return True
    return False


def _is_generator(node: ast.FunctionDef, ctx: Context) -> bool:
    return any(
        (inner := ctx.function(item)) is not None and inner.node is node
        for item in ctx.within(node, ast.Yield, ast.YieldFrom)
    )


def _fix(decorator: ast.expr, mode: str, ctx: Context) -> Fix:
    safe = True
    edit = replace(decorator, f"{{runtime}}.{mode}")
    if isinstance(decorator, ast.Call) and (decorator.args or decorator.keywords):
        values = argument_values(decorator)
        safe = all(isinstance(value, ast.Constant) and isinstance(value.value, bool) for value in values)
        edit = replace_callee(decorator, f"{{runtime}}.{mode}")
    return Fix(
        Applicability.SAFE if safe else Applicability.UNSAFE,
        f"use runtime.{mode}",
        edits=(edit,),
        imports=(runtime_import(ctx.runtime_module),),
    )
