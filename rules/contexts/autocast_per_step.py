"""OVH101: autocast contexts that are built in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from overhead_lint.edits import replace, replace_callee, runtime_import
from overhead_lint.rule import Applicability, Clause, Fix, Heat, HeatFilter, Rule

from .._handed import handed_over, run_by_partial, says_nothing
from .._once import once
from .._releases import may_have
from .._wording import short
from ._around_steps import costs_little
from ._hoisted import built_once
from ._old_autocast import NEW_SINCE, class_fix
from ._stock import AUTOCAST, OLD_AUTOCASTS, OLD_SINCE, is_scripted, only_entered

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH101",
    name="autocast-per-step",
    summary="autocast context built on every step",
    triggers=(b"autocast",),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_TRANSFORMER_ENGINE = frozenset(
    {
        "transformer_engine.pytorch.autocast",
        "transformer_engine.pytorch.fp8_autocast",
        "transformer_engine.pytorch.fp8.fp8_autocast",
        "transformer_engine.pytorch.quantization.autocast",
    }
)


_HELPERS = frozenset(
    {
        "accelerate.Accelerator.autocast",
        "accelerate.accelerator.Accelerator.autocast",
        "lightning.Fabric.autocast",
        "lightning.fabric.Fabric.autocast",
        "lightning.fabric.fabric.Fabric.autocast",
        "lightning_fabric.Fabric.autocast",
        "lightning_fabric.fabric.Fabric.autocast",
    }
)
"""What builds an autocast each time, within a generator."""


@RULE.on(ast.Call, named=AUTOCAST | OLD_AUTOCASTS.keys() | _TRANSFORMER_ENGINE)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """A call of an autocast class outside compiled and scripted code, where it costs nothing."""
    name = ctx.qualified_name(node.func)
    is_old = name in OLD_AUTOCASTS and not may_have(OLD_SINCE, ctx)  # else OVH102 tells of it
    if name in AUTOCAST or is_old:
        if ctx.is_compiled(node) or is_scripted(node, ctx) or costs_little(node, ctx):
            return
        yield ctx.finding(
            RULE,
            node,
            (
                f"{short(node.func, ctx) if is_old else 'torch.autocast'} is built ",
                Clause.FREQUENCY,
                ": microseconds of Python to construct, enter and leave it each time",
            ),
            help="use runtime.autocast, which takes the device first and reuses its contexts"
            if is_old
            else "use runtime.autocast, which takes the same arguments and reuses its contexts",
            fix=_old_fix(node, ctx) if is_old else _fix(node, ctx),
        )
    elif name in _TRANSFORMER_ENGINE:
        yield ctx.finding(
            RULE,
            node,
            (
                f"{short(node.func, ctx)} is built and entered ",
                Clause.FREQUENCY,
                ", with its recipe checks each time",
            ),
            help="enter it once around the loop",
            only=HeatFilter(least=Heat.LOOP),
        )


@RULE.on(ast.Call)
def check_handed(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """A call that builds an autocast by another name: a partial, an item, a module of devices, a helper."""
    if not says_nothing(node, ctx):
        return
    is_helper = isinstance(node.func, ast.Attribute) and node.func.attr == "autocast"
    handed = _handed(ctx)
    if not (is_helper or handed) or ctx.is_compiled(node) or costs_little(node, ctx):
        return
    built = set(ctx.apis(node))
    if built & AUTOCAST and (handed or is_helper):
        yield ctx.finding(
            RULE,
            node,
            (
                f"{short(node.func, ctx)}() builds torch.autocast ",
                Clause.FREQUENCY,
                ": microseconds of Python to construct, enter and leave it each time",
            ),
            help=f"{'hand over' if handed else 'use'} runtime.autocast instead, which takes the same "
            "arguments and reuses its contexts",
            fix=_handed_fix(handed, ctx),
        )
    elif is_helper and built & _HELPERS:
        yield ctx.finding(
            RULE,
            node,
            (
                f"{short(node.func, ctx)}() makes a generator, and builds torch.autocast in it, ",
                Clause.FREQUENCY,
            ),
            help="what was prepared runs under autocast as it is; use runtime.autocast for the rest",
        )


@RULE.on(ast.Call, named={"functools.partial"})
def check_partial(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """A partial call that builds an autocast each time that another file calls it."""
    runs = run_by_partial(node, AUTOCAST, ctx)
    if runs is not None:
        yield ctx.finding(
            RULE,
            node,
            (
                "what this gives builds torch.autocast ",
                Clause.FREQUENCY,
                ": microseconds of Python to construct, enter and leave it each time",
            ),
            help="give it runtime.autocast instead, which takes the same arguments and reuses its contexts",
            fix=_handed_fix([runs], ctx),
            runs=runs,
        )


@once
def _handed(ctx: Context) -> Sequence[ast.expr]:
    """The places that name an autocast class and do not call it."""
    return handed_over(AUTOCAST, ctx)


def _handed_fix(handed: Sequence[ast.expr], ctx: Context) -> Fix | None:
    """Hand over the runtime's in place of torch's, where it is clear which is meant."""
    if len(handed) != 1:
        return None
    return Fix(
        Applicability.UNSAFE,
        "use runtime.autocast",
        edits=(replace(handed[0], "{runtime}.autocast"),),
        imports=(runtime_import(ctx.runtime_module),),
    )


def _old_fix(node: ast.Call, ctx: Context) -> Fix | None:
    """The new class, of which the rule tells in turn; None where the torch of the project has none."""
    return class_fix(node, ctx) if ctx.target_torch >= NEW_SINCE else None


def _fix(node: ast.Call, ctx: Context) -> Fix:
    safe = only_entered(node, ctx)
    return Fix(
        Applicability.SAFE if safe else Applicability.UNSAFE,
        "use runtime.autocast",
        edits=(replace_callee(node, "{runtime}.autocast"),),
        imports=(runtime_import(ctx.runtime_module),),
        without_runtime=built_once(node, ctx),
    )
