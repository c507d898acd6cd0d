"""OVH102: the autocast API from before torch took the device as an argument."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace
from overhead_lint.rule import Applicability, Fix, Heat, Import, Rule
from overhead_lint.syntax.grammar import TRIES

from .._blocks import holders
from .._calls import call_of, has_unpacked
from .._once import once
from .._releases import may_have
from ._around_steps import costs_little
from ._stock import AUTOCAST, OLD_AUTOCASTS, OLD_SINCE

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH102",
    name="deprecated-amp-autocast",
    summary="autocast API without a device argument (deprecated since torch 2.4)",
    triggers=(b"cuda.amp", b"cpu.amp", b"import amp", b"_autocast_"),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_PARAMETERS = ("enabled", "dtype", "cache_enabled")
# The new name, the device, and how many arguments it takes besides.
_FUNCTIONS = {
    f"torch.{verb}_autocast_{alias}_{what}": (f"{verb}_autocast_{what}", device, arguments)
    for alias, device in (("cpu", "cpu"), ("gpu", "cuda"), ("xla", "xla"), ("ipu", "ipu"))
    for verb, what, arguments in (
        ("is", "enabled", 0),
        ("get", "dtype", 0),
        ("set", "enabled", 1),
        ("set", "dtype", 1),
    )
    if (alias, what) != ("gpu", "enabled")  # the functions without a device are those of CUDA
}
# The functions that take a device came with the release that deprecated the others.
_CLASSES_SINCE = (1, 10)


@RULE.on(ast.Call, named=(*OLD_AUTOCASTS, *_FUNCTIONS))
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """A call of a deprecated class or function, unless an ``if`` or ``try`` around it knows the new one."""
    name = ctx.qualified_name(node.func)
    if not may_have(OLD_SINCE, ctx):
        return
    if name in OLD_AUTOCASTS and ctx.target_torch >= _CLASSES_SINCE:
        device, dtype = OLD_AUTOCASTS[name]
        if _chooses_api(node, ctx) or costs_little(node, ctx):
            return
        yield ctx.finding(
            RULE,
            node,
            f"torch.{device}.amp.autocast is deprecated since torch 2.4: "
            "each call goes through a wrapper that warns and through a second constructor",
            help=f'use torch.autocast("{device}", ...)',
            fix=_class_fix(node, device, dtype, ctx),
        )
    elif name in _FUNCTIONS and ctx.target_torch >= OLD_SINCE:
        new, device, arguments = _FUNCTIONS[name]
        if _chooses_api(node, ctx):
            return
        rest = ", ..." if arguments else ""
        yield ctx.finding(
            RULE,
            node,
            f"{name} is deprecated since torch 2.4, and each call of it asks whether to warn",
            help=f'use torch.{new}("{device}"{rest})',
            fix=_function_fix(node, new, device, arguments),
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


def _class_fix(node: ast.Call, device: str, dtype: str, ctx: Context) -> Fix | None:
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
    fix = _safe(node, f'{{torch}}.autocast("{device}"{written}{implied})', **given)
    return fix._replace(applicability=Applicability.UNSAFE) if _is_asked_for(ctx) else fix


def _function_fix(node: ast.Call, new: str, device: str, arguments: int) -> Fix | None:
    if node.keywords or len(node.args) != arguments or has_unpacked(node):
        return None
    if not arguments:
        return _safe(node, f'{{torch}}.{new}("{device}")')
    return _safe(node, f'{{torch}}.{new}("{device}", {{value}})', value=node.args[0])


def _safe(node: ast.Call, template: str, **parts: ast.expr) -> Fix:
    return Fix(
        Applicability.SAFE,
        "name the device in an argument",
        edits=(replace(node, template, **parts),),
        imports=(Import("torch"),),
    )


def _chooses_api(node: ast.AST, ctx: Context) -> bool:
    """Whether an ``if`` or ``try`` around the place has the new API, with a device, in another arm."""
    new = AUTOCAST | {f"torch.{name}" for name, _, _ in _FUNCTIONS.values()}
    return any(
        ctx.qualified_name(call.func) in new and call.args
        for holder, _ in holders(node, ctx)
        if isinstance(holder, (ast.If, ast.IfExp, *TRIES))
        for call in ctx.within(holder, ast.Call)
    )
