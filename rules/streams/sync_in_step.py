"""OVH404: reads of device tensors that make the host wait, in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Rule, Tier

from .._wording import short
from ..guards._compiled import breaks_too
from ._accumulated import summed_on_device
from ._appended import appended_unread
from ._elements import element
from ._finite import is_finite_check
from ._offload import is_offloading
from ._once_read import read_once
from ._reads import READING, READING_CALLS, Read, reads
from ._together import read_together
from ._waits import is_for_environment, is_needed_on_host

if TYPE_CHECKING:
    from overhead_lint.rule import Clause, Context, Finding, Fix

RULE = Rule(
    code="OVH404",
    name="sync-in-step",
    summary="host waits for the device on every step",
    triggers=(b"torch",),
    heat=Heat.STEP,
    yields_to=("OVH311", "OVH403", "OVH805"),
    tier=Tier.STALL,
    stable_since="0.2.0",
)


# What the compiler makes part of a graph, though it waits.
_TRACED = frozenset({".cpu()", ".numpy()", '.to("cpu")', "max()", "min()"})
_COPIES = frozenset({".cpu()", ".numpy()", '.to("cpu")'})


@RULE.on(*READING, named=READING_CALLS)
def check(node: ast.AST, ctx: Context) -> Iterator[Finding]:
    """``tensor.item()`` and kin, ``float(tensor)``, ``if tensor``.

    Checks for finite numbers are OVH410's, reads of one element after the other OVH403's, and OVH407's
    is what is offloaded.
    """
    for read in reads(node, ctx):
        if read.how in _COPIES and is_needed_on_host(read.node, ctx):
            continue
        if is_for_environment(read.node, ctx):
            continue
        if read.how == ".cpu()" and is_offloading(read.node, ctx):
            continue
        if not is_finite_check(read, ctx) and element(node, ctx) is None:
            yield ctx.finding(
                RULE,
                read.node,
                (
                    f"{_need(read, ctx)}, so the CPU waits for the GPU to finish all queued work",
                    *_breaks(read, ctx),
                ),
                help=read.help,
                fix=_fix(read, ctx),
                drains=True,
            )


def _need(read: Read, ctx: Context) -> str:
    """Return what needs a value, in words: ".item() needs the value of loss"."""
    if read.what:
        return f"{read.how} checks {read.what}"
    return f"{read.how} needs the value of {short(read.tensor, ctx)}"


def _fix(read: Read, ctx: Context) -> Fix | None:
    finds = (summed_on_device, appended_unread, read_together, read_once)
    return next((fix for find in finds if (fix := find(read, ctx)) is not None), None)


def _breaks(read: Read, ctx: Context) -> tuple[Clause, ...]:
    return () if read.how in _TRACED or read.what else breaks_too(read.node, ctx)
