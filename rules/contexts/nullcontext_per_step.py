"""OVH108: ``contextlib.nullcontext()`` built in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace, runtime_import
from overhead_lint.rule import Applicability, Clause, Fix, Heat, Rule

from .._module_level import constant_fix
from ._stock import is_scripted, only_entered

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding, FunctionFacts

RULE = Rule(
    code="OVH108",
    name="nullcontext-per-step",
    summary="empty context built on every step",
    triggers=(b"nullcontext",),
    heat=Heat.STEP,
    brief=True,
    stable_since="0.2.0",
)


@RULE.on(ast.Call, named=("contextlib.nullcontext",))
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """A call of `contextlib.nullcontext` without arguments, outside compiled and scripted code."""
    if node.args or node.keywords or ctx.qualified_name(node.func) != "contextlib.nullcontext":
        return
    function = ctx.function(node)
    if function is None or function.compiled or is_scripted(node, ctx):
        return
    yield ctx.finding(
        RULE,
        node,
        ("an empty context is built ", Clause.FREQUENCY, ", though one instance would do for all"),
        help="keep one as a constant of the module, or use runtime.NULL_CONTEXT",
        fix=_fix(node, function, ctx),
    )


def _fix(node: ast.Call, function: FunctionFacts, ctx: Context) -> Fix | None:
    names = ctx.within(function.node, ast.alias)
    if any(alias.name in ("contextlib", "nullcontext") for alias in names):
        return None  # An import inside the function would stay behind, unused.
    applicability = Applicability.SAFE if only_entered(node, ctx) else Applicability.UNSAFE
    kept = constant_fix(node, "nullcontext", applicability, ctx)
    if kept is not None:
        return kept
    return Fix(
        applicability,
        "use runtime.NULL_CONTEXT",
        edits=(replace(node, "{runtime}.NULL_CONTEXT"),),
        imports=(runtime_import(ctx.runtime_module),),
    )
