"""OVH307: a compiled module whose guards grow with its layers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace, runtime_import
from overhead_lint.rule import Applicability, Fix, Heat, Rule

from .._wording import short
from ._compile_sites import Binding, CompileSite, site_at

if TYPE_CHECKING:
    from overhead_lint.rule import CompiledPlace, Context, Finding

RULE = Rule(
    code="OVH307",
    name="guard-heavy-module",
    summary="compiled module that loops over submodules with scalar attributes",
    triggers=(b"compile", b"dynamo"),
    heat=Heat.COLD,
    stable_since="0.2.0",
)


@RULE.on(ast.Module)
def check(_: ast.Module, ctx: Context) -> Iterator[Finding]:
    """Places that compile code which goes over layers that each hold a number, text or flag."""
    for place in ctx.compiled_places():
        node = _node(place, ctx)
        if node is None:
            continue
        site = site_at(node, ctx)
        where = f"{place.path}:{place.line}" if place.path else f"line {place.line}"
        number = f"about {place.guards} guards" if place.guards else "guards"
        yield ctx.finding(
            RULE,
            node,
            f"each call of the compiled {place.name} evaluates {number}, for every submodule in "
            f"{place.layers} ({where}) and for {place.scalar} of each, before the compiled code runs",
            help=_help_for_library(place) if place.by else _help(site, ctx),
            fix=_fix(site, ctx) if site is not None else None,
        )


def _node(place: CompiledPlace, ctx: Context) -> ast.expr | None:
    """Return the call, or the decorator."""
    if place.end[0] == 0:
        for function in ctx.functions():
            if not isinstance(function.node, ast.Lambda) and function.node.lineno == place.start[0]:
                return function.node.decorator_list[place.end[1]]
        return None
    for call in ctx.nodes(ast.Call):
        if (call.lineno, call.col_offset) == place.start and (
            (call.end_lineno, call.end_col_offset) == place.end
        ):
            return call
    return None


def _help_for_library(place: CompiledPlace) -> str:
    return (
        f"turn the option off and give {place.by} what runtime.compile gives for the module, whose repeated "
        "calls check the same guards for less"
    )


def _help(site: CompileSite | None, ctx: Context) -> str:
    if site is None or site.binding is not Binding.IN_PLACE:
        return "use runtime.compile, whose repeated calls check the same guards for less"
    return (
        f"{short(site.compiler, ctx)}() has no drop-in form: call what runtime.compile gives for the module "
        "instead, whose repeated calls check the same guards for less"
    )


def _fix(site: CompileSite, ctx: Context) -> Fix | None:
    if site.binding is Binding.IN_PLACE or not site.is_plain:
        return None
    return Fix(
        Applicability.UNSAFE,
        "use runtime.compile",
        edits=(replace(site.compiler, "{runtime}.compile"),),
        imports=(runtime_import(ctx.runtime_module),),
    )
