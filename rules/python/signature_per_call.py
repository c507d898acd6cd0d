"""OVH601: signatures that are worked out in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace_callee, runtime_import
from overhead_lint.rule import Applicability, Fix, Heat, Rule

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH601",
    name="signature-per-call",
    summary="signature worked out on every step",
    triggers=(b"signature", b"getfullargspec"),
    heat=Heat.STEP,
)

_ASKED = frozenset({"inspect.signature", "inspect.getfullargspec"})


@RULE.on(ast.Call, named=_ASKED)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """A call of `inspect.signature` or `inspect.getfullargspec`."""
    name = ctx.qualified_name(node.func)
    if name not in _ASKED or not node.args:
        return
    if ctx.is_compiled(node):
        return
    fix = _fix(node, ctx) if name == "inspect.signature" else None
    yield ctx.finding(
        RULE,
        node,
        f"{name} reads a function's code, defaults and annotations anew each time",
        help="use runtime.cached_signature"
        if fix
        else "ask once, where the callable is set, and keep the answer",
        fix=fix,
    )


def _fix(node: ast.Call, ctx: Context) -> Fix | None:
    # For methods, classes and partials cached_signature asks inspect each time.
    if len(node.args) != 1 or node.keywords or not isinstance(node.args[0], ast.Name):
        return None
    named = ctx.qualified_name(node.args[0])
    plain = named is not None and any(
        f".{item.qualname}" == named
        and isinstance(item.node, ast.FunctionDef)
        and not item.node.decorator_list
        for item in ctx.functions()
    )
    return Fix(
        Applicability.SAFE if plain else Applicability.UNSAFE,
        "use runtime.cached_signature",
        edits=(replace_callee(node, "{runtime}.cached_signature"),),
        imports=(runtime_import(ctx.runtime_module),),
    )
