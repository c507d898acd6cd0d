"""OVH403: a tensor read one element at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace
from overhead_lint.rule import Applicability, Fix, Heat, Kind, Rule, Tier

from .._blocks import holders
from .._names import is_named
from .._wording import short
from ._elements import ELEMENT_READS, LISTED, TENSORS, Element, element, listed, read_value
from ._listed import listed_above
from ._waits import loads_data

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Edit, Finding

RULE = Rule(
    code="OVH403",
    name="item-per-element",
    summary="tensor read one element at a time",
    triggers=(b"torch",),
    heat=Heat.COLD,
    in_cold_files=False,
    tier=Tier.STALL,
    stable_since="0.2.0",
)

_BUILTINS = {
    "all": "the method all() of the tensor",
    "any": "the method any() of the tensor",
    "max": "the method max() of the tensor",
    "min": "the method min() of the tensor",
    "sorted": "torch.sort",
}


@RULE.on(ast.Call, named=ELEMENT_READS)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``t[i].item()`` and ``float(x)`` in a loop over the elements."""
    found = element(node, ctx)
    if found is None or _comes_again(found, ctx) or _is_cheap(found.tensor, node, ctx):
        return
    yield ctx.finding(
        RULE,
        node,
        f"{short(found.tensor, ctx)} is read one element at a time: {_cost(found.tensor, node, ctx)}",
        help="read all of it once with tolist(), and go through the list",
        fix=_fix(found, ctx),
        tier=_tier(found.tensor, node, ctx),
    )


@RULE.on(ast.Call, named=_BUILTINS)
def check_builtin(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``max(t)`` and kin."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name not in _BUILTINS or len(node.args) != 1 or node.keywords or ctx.is_bound(name, node):
        return
    tensor = node.args[0]
    if ctx.kind(tensor) in TENSORS and not _is_cheap(tensor, node, ctx):
        yield ctx.finding(
            RULE,
            node,
            f"{name} goes through {short(tensor, ctx)} one element at a time: {_cost(tensor, node, ctx)}",
            help=f"use {_BUILTINS[name]}, which is one operator",
            tier=_tier(tensor, node, ctx),
        )


@RULE.on(ast.Call, named=LISTED)
def check_list(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch.tensor([loss, other])`` of tensors, which asks each of them for its number."""
    tensor = listed(node, ctx)
    if tensor is None or ctx.is_compiled(node) or _is_cheap(tensor, node, ctx) or loads_data(node, ctx):
        return
    waits = "" if _is_on_host(tensor, node, ctx) else ", and the CPU waits for the GPU each time"
    yield ctx.finding(
        RULE,
        node,
        f"{short(node.func, ctx)}() of a list of tensors reads them one at a time{waits}",
        help="use torch.stack, which makes one tensor of them where they are",
        tier=_tier(tensor, node, ctx),
    )


def _is_cheap(tensor: ast.expr, node: ast.AST, ctx: Context) -> bool:
    """Whether it does not matter: the place is cold, or no step, and nobody waits there for the device.

    Who knows when another place runs, though: a loop over many elements needs no step around it.
    """
    if ctx.is_error_path(node):
        return True
    heat = ctx.warmth(node).heat
    return heat < Heat.PRESUMED or (heat < Heat.STEP and _is_on_host(tensor, node, ctx))


def _is_on_host(tensor: ast.expr, node: ast.AST, ctx: Context) -> bool:
    """Whether a tensor lies on the host, as those of data sets do: each read takes microseconds there."""
    return ctx.kind(tensor) is Kind.HOST_TENSOR or loads_data(node, ctx)


def _tier(tensor: ast.expr, node: ast.AST, ctx: Context) -> Tier:
    return Tier.HOST if _is_on_host(tensor, node, ctx) else Tier.STALL


def _cost(tensor: ast.expr, node: ast.AST, ctx: Context) -> str:
    if _is_on_host(tensor, node, ctx):
        return "each becomes a tensor of its own first"
    return "each becomes a tensor of its own, and the CPU waits for the GPU each time"


def _loop(found: Element, ctx: Context) -> ast.AST:
    """The loop, or the comprehension, whose target is the element."""
    assert found.target is not None
    loops = (ast.For, ast.AsyncFor, ast.comprehension)
    return next(holder for holder, _ in holders(found.target, ctx) if isinstance(holder, loops))


def _reads_in(found: Element, ctx: Context) -> list[ast.Call]:
    """The reads of the same element in the loop that gives it."""
    assert found.target is not None
    loop = _loop(found, ctx)
    whole = ctx.parent(loop) if isinstance(loop, ast.comprehension) else loop
    assert whole is not None
    reads = []
    for call in ctx.within(whole, ast.Call):
        value = read_value(call, ctx)
        if value is not None and is_named(value, found.target.id):
            reads.append(call)
    return reads


def _comes_again(found: Element, ctx: Context) -> bool:
    """Whether an earlier read of the same element is reported."""
    return found.target is not None and _reads_in(found, ctx)[0] is not found.read


def _fix(found: Element, ctx: Context) -> Fix | None:
    if found.target is None:
        return listed_above(found, ctx)
    name, loop = found.target.id, _loop(found, ctx)
    whole = ctx.parent(loop) if isinstance(loop, ast.comprehension) else loop
    assert whole is not None
    reads = _reads_in(found, ctx)
    values = [read_value(call, ctx) for call in reads]
    uses = [item for item in ctx.within(whole, ast.Name) if item.id == name and item is not found.target]
    if (
        len(uses) != len(values)
        or any(use not in values for use in uses)
        or _is_used_after(found, whole, ctx)
    ):
        return None
    if _is_plain_list(whole, reads, found):
        edits: tuple[Edit, ...] = (_replaced(whole, found.tensor),)
        return Fix(Applicability.UNSAFE, "read it with one tolist()", edits=edits)
    edits = (
        replace(found.tensor, "{tensor}.tolist()", tensor=found.tensor),
        *(
            replace(call, "{name}", name=value)
            for call, value in zip(reads, values, strict=True)
            if isinstance(call.func, ast.Attribute) and value is not None
        ),
    )
    return Fix(Applicability.UNSAFE, "read it with one tolist()", edits=edits)


def _is_used_after(found: Element, whole: ast.AST, ctx: Context) -> bool:
    """Whether the last element is used behind the loop."""
    assert found.target is not None
    inside = set(ctx.within(whole, ast.Name))
    return any(use not in inside for use in ctx.uses(found.target))


def _is_plain_list(whole: ast.AST, reads: list[ast.Call], found: Element) -> bool:
    """Whether it is ``[x.item() for x in tensor]`` and nothing else."""
    return (
        isinstance(whole, ast.ListComp)
        and len(whole.generators) == 1
        and whole.generators[0].iter is found.tensor
        and not whole.generators[0].ifs
        and whole.elt is reads[0]
        and isinstance(reads[0].func, ast.Attribute)
    )


def _replaced(whole: ast.AST, tensor: ast.expr) -> Edit:
    assert isinstance(whole, ast.ListComp)
    return replace(whole, "{tensor}.tolist()", tensor=tensor)
