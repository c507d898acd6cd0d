"""Calls of the autocast classes from before the device was an argument, written with the new one."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.edits import replace
from overhead_lint.rule import Applicability, Fix, Import

from .._calls import call_of, has_unpacked
from .._once import once
from ._stock import OLD_AUTOCASTS

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["NEW_SINCE", "class_fix", "named_device"]

NEW_SINCE = (1, 10)
"""The release of torch that has `torch.autocast` for all devices."""
_PARAMETERS = ("enabled", "dtype", "cache_enabled")


def named_device(node: ast.Call, template: str, **parts: ast.expr) -> Fix:
    """Return the fix that writes a call as a template says, which names the device in an argument."""
    return Fix(
        Applicability.SAFE,
        "name the device in an argument",
        edits=(replace(node, template, **parts),),
        imports=(Import("torch"),),
    )


@once
def _is_asked_for(ctx: Context) -> bool:
    """Whether the file may ask for an old class (``isinstance(c, autocast)``), or derives from it.

    That is anything but to call it, and to say in an annotation that something is one.
    """
    named: list[ast.Name | ast.Attribute] = [*ctx.nodes(ast.Name), *ctx.nodes(ast.Attribute)]
    return any(
        ctx.qualified_name(node) in OLD_AUTOCASTS
        and call_of(node, ctx) is None
        and not _is_annotation(node, ctx)
        for node in named
        if isinstance(node.ctx, ast.Load)
    )


def _is_annotation(node: ast.expr, ctx: Context) -> bool:
    child: ast.AST = node
    while isinstance(child, ast.expr):
        holder = ctx.parent(child)
        if child in (getattr(holder, "annotation", None), getattr(holder, "returns", None)):
            return True
        assert holder is not None
        child = holder
    return False


def class_fix(node: ast.Call, ctx: Context) -> Fix | None:
    """Return the fix of a call of an old class; None where arguments are hidden."""
    device, dtype = OLD_AUTOCASTS[ctx.qualified_name(node.func) or ""]
    if has_unpacked(node) or len(node.args) > len(_PARAMETERS):
        return None
    given = dict(zip(_PARAMETERS, node.args, strict=False))
    for keyword in node.keywords:
        if keyword.arg not in _PARAMETERS or keyword.arg in given:
            return None
        given[keyword.arg] = keyword.value
    written = "".join(f", {name}={{{name}}}" for name in given)
    # Without a dtype torch.autocast takes that of an autocast around it; the old class never did.
    implied = "" if "dtype" in given else f", dtype={{torch}}.{dtype}"
    fix = named_device(node, f'{{torch}}.autocast("{device}"{written}{implied})', **given)
    return fix._replace(applicability=Applicability.UNSAFE) if _is_asked_for(ctx) else fix
