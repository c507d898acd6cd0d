"""OVH102: the autocast API from before torch took the device as an argument."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Fix, Heat, Rule
from overhead_lint.syntax.grammar import TRIES

from .._blocks import holders
from .._calls import has_unpacked
from .._releases import may_have
from ._around_steps import costs_little
from ._old_autocast import NEW_SINCE, class_fix, named_device
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


@RULE.on(ast.Call, named=(*OLD_AUTOCASTS, *_FUNCTIONS))
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """A call of a deprecated class or function, unless an ``if`` or ``try`` around it knows the new one."""
    name = ctx.qualified_name(node.func)
    if not may_have(OLD_SINCE, ctx):
        return
    if name in OLD_AUTOCASTS and ctx.target_torch >= NEW_SINCE:
        if _chooses_api(node, ctx) or costs_little(node, ctx):
            return
        device, _ = OLD_AUTOCASTS[name]
        yield ctx.finding(
            RULE,
            node,
            f"torch.{device}.amp.autocast is deprecated since torch 2.4: "
            "each call goes through a wrapper that warns and through a second constructor",
            help=f'use torch.autocast("{device}", ...)',
            fix=class_fix(node, ctx),
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


def _function_fix(node: ast.Call, new: str, device: str, arguments: int) -> Fix | None:
    if node.keywords or len(node.args) != arguments or has_unpacked(node):
        return None
    if not arguments:
        return named_device(node, f'{{torch}}.{new}("{device}")')
    return named_device(node, f'{{torch}}.{new}("{device}", {{value}})', value=node.args[0])


def _chooses_api(node: ast.AST, ctx: Context) -> bool:
    """Whether an ``if`` or ``try`` around the place has the new API, with a device, in another arm."""
    new = AUTOCAST | {f"torch.{name}" for name, _, _ in _FUNCTIONS.values()}
    return any(
        ctx.qualified_name(call.func) in new and call.args
        for holder, _ in holders(node, ctx)
        if isinstance(holder, (ast.If, ast.IfExp, *TRIES))
        for call in ctx.within(holder, ast.Call)
    )
