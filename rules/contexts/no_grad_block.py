"""OVH105: gradient modes entered many times in a step."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace_callee, runtime_import
from overhead_lint.rule import Applicability, Clause, Fix, Heat, Kind, Rule

from .._calls import argument_values
from .._names import own_name
from .._vocabulary import LOADERS, MODELS, one_of
from ._hoisted import built_once
from ._stock import GRAD_MODES, entered_item, is_scripted, only_entered

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

_MODEL = re.compile(rf"(?:.*_)?{one_of(MODELS)}|\w*model")

_LOADER = re.compile(rf"(?:\w*_)?(?:data)?{one_of(LOADERS)}")

RULE = Rule(
    code="OVH105",
    name="no-grad-block",
    summary="gradient mode entered many times in a step",
    triggers=(b"no_grad", b"enable_grad", b"inference_mode"),
    heat=Heat.LOOP,
    brief=True,
    stable_since="0.2.0",
)


@RULE.on(ast.Call, named=GRAD_MODES)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """A ``with torch.no_grad():`` and kin, outside compiled and scripted code."""
    name = ctx.qualified_name(node.func)
    if name not in GRAD_MODES or entered_item(node, ctx) is None:
        return
    function = ctx.function(node)
    if function is None or function.compiled or is_scripted(node, ctx) or _runs_model(node, ctx):
        return
    mode = name.rpartition(".")[2]
    yield ctx.finding(
        RULE,
        node,
        (f"torch.{mode} is built, entered and left ", Clause.FREQUENCY),
        help=f"use runtime.{mode}, or enter it once around the loop",
        fix=_fix(node, mode, ctx),
    )


def _runs_model(node: ast.Call, ctx: Context) -> bool:
    """Whether the block runs a model, what may be one, or a whole loader: entering it does not show then."""
    for loop in ctx.within(ctx.statement(node), ast.For, ast.comprehension):
        if isinstance(loop, (ast.For, ast.comprehension)) and _is_loader(loop.iter):
            return True
    for call in ctx.within(ctx.statement(node), ast.Call):
        called = call.func
        if ctx.kind(called) is Kind.MODULE or (
            isinstance(called, ast.Attribute) and called.attr == "forward"
        ):
            return True
        owner = [called.value] if isinstance(called, ast.Attribute) else []
        if any(map(_is_called_model, (called, *call.args, *owner))):
            return True
        if (
            isinstance(called, ast.Name)
            and ctx.qualified_name(called) is None
            and ctx.is_bound(called.id, called)
        ):
            return True
    return False


def _is_loader(node: ast.expr) -> bool:
    """Whether something is called a loader of batches: ``data_loader``, ``tqdm(self.loader)``."""
    if isinstance(node, ast.Call):
        return any(map(_is_loader, node.args))
    return bool(_LOADER.fullmatch(own_name(node)))


def _is_called_model(node: ast.expr) -> bool:
    """Whether something is called a model: ``model``, ``self.teacher_net``."""
    return bool(_MODEL.fullmatch(own_name(node)))


def _fix(node: ast.Call, mode: str, ctx: Context) -> Fix | None:
    arguments = argument_values(node)
    if arguments and (mode != "inference_mode" or not _is_mode(node)):
        return None  # the stock class does not take them: it raises, or decorates
    plain = not arguments or isinstance(arguments[0], ast.Constant)
    return Fix(
        Applicability.SAFE if plain and only_entered(node, ctx) else Applicability.UNSAFE,
        f"use runtime.{mode}",
        edits=(replace_callee(node, f"{{runtime}}.{mode}"),),
        imports=(runtime_import(ctx.runtime_module),),
        without_runtime=built_once(node, ctx),
    )


def _is_mode(node: ast.Call) -> bool:
    """Whether the one argument of ``inference_mode`` may be whether to enter it."""
    given = [("mode", item) for item in node.args] + [(item.arg, item.value) for item in node.keywords]
    if len(given) != 1 or given[0][0] != "mode" or isinstance(given[0][1], ast.Starred):
        return False
    value = given[0][1]
    return not isinstance(value, ast.Constant) or isinstance(value.value, bool)
