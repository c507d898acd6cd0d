"""OVH308: settings of the compiler read or set in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Applicability, Heat, Rule

from .._calls import call_of
from .._module_level import constant_fix

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH308",
    name="dynamo-config-in-step",
    summary="compiler setting read or set on every step",
    triggers=(b"_dynamo", b"_inductor", b"_functorch"),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_CONFIGS = ("torch._dynamo.config.", "torch._inductor.config.", "torch._functorch.config.")
_METHODS = frozenset({"patch", "save_config", "load_config", "get_hash", "shallow_copy_dict", "to_dict"})


@RULE.on(ast.Attribute)
def check(node: ast.Attribute, ctx: Context) -> Iterator[Finding]:
    """``torch._dynamo.config.name`` outside of compiled code, where it is a constant."""
    name = ctx.qualified_name(node)
    if name is None or not name.startswith(_CONFIGS) or ctx.is_compiled(node):
        return
    holder = ctx.parent(node)
    if node.attr in _METHODS or isinstance(holder, ast.Attribute):
        return
    if call_of(node, ctx) is not None:
        return  # a function of the module
    setting = name.removeprefix("torch.")
    if isinstance(node.ctx, ast.Load):
        if _is_set(node, name, ctx):
            return  # what is kept to be put back later is no constant
        yield ctx.finding(
            RULE,
            node,
            f"{setting} is read on each call, and each read goes through the config module's own lookup",
            help="read it once, when the module is imported",
            fix=constant_fix(node, node.attr, Applicability.UNSAFE, ctx, changes=_changes(ctx)),
        )
    elif isinstance(node.ctx, ast.Store):
        yield ctx.finding(
            RULE,
            node,
            f"{setting} is set on each call: code that is compiled already keeps the old value",
            help="set it once, before anything is compiled, or around the first call with config.patch",
        )


def _changes(ctx: Context) -> list[ast.AST]:
    """Where the file changes several settings at once, or for a while."""
    names = tuple(f"{config}{method}" for config in _CONFIGS for method in ("patch", "load_config"))
    return [call for call in ctx.nodes(ast.Call) if ctx.qualified_name(call.func) in names]


def _is_set(node: ast.Attribute, name: str, ctx: Context) -> bool:
    """Whether the module sets a setting itself, by assigning or with ``setattr``."""
    return any(
        other.attr == node.attr and isinstance(other.ctx, ast.Store) and ctx.qualified_name(other) == name
        for other in ctx.nodes(ast.Attribute)
    ) or any(
        len(call.args) > 1 and isinstance(call.args[1], ast.Constant) and call.args[1].value == node.attr
        for call in ctx.calls("setattr")
    )
