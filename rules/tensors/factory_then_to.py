"""OVH701: tensors that are made with one dtype or device, and converted at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import set_argument, unwrap
from overhead_lint.rule import Applicability, Edit, Fix, Heat, Import, Kind, Rule, Tier
from overhead_lint.syntax.receivers import is_own_attribute
from overhead_lint.tuples import NamedTuple

from .._calls import argument_values
from .._literals import is_whole
from ..streams._other_devices import is_for_other_devices
from ..streams._waits import is_kept, loads_data
from ._conversions import CONVERTING, Conversion, conversion, has_dtype_already, is_proven

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH701",
    name="factory-then-to",
    summary="new tensor converted at once",
    triggers=(b"torch",),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

# Zeros and ones are exact in every dtype; the others' values may depend on the dtype they are made in.
_EXACT = frozenset({"torch.zeros", "torch.ones", "torch.zeros_like", "torch.ones_like"})
_FACTORIES = _EXACT | {"torch.arange", "torch.empty", "torch.full"}
_DOING = (ast.Await, ast.Call, ast.NamedExpr, ast.Yield, ast.YieldFrom)
_IN_THE_WAY = frozenset({"layout", "out", "pin_memory", "requires_grad", None})


class _Made(NamedTuple):
    """A new tensor that is converted at once.

    Attributes:
        factory: the call that makes it.
        conversions: what the calls behind it convert, each something else: its dtype, its device.
    """

    factory: ast.Call
    conversions: tuple[Conversion, ...]


@RULE.on(ast.Call, named=CONVERTING)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch.zeros(n).to(device)`` and kin."""
    made = _made(node, ctx)
    if made is None or ctx.is_compiled(node):
        return
    converted = ctx.parent(ctx.parent(node) or node)
    if isinstance(converted, ast.Call) and (around := _made(converted, ctx)) and len(around.conversions) > 1:
        return  # `torch.zeros(n).long().to(device)`: told of as a whole
    name = ctx.qualified_name(made.factory.func)
    what = " and ".join(one.keyword for one in made.conversions)
    calls = "a second call converts" if len(made.conversions) == 1 else "two more calls convert"
    waits = _waits(node, made, ctx)
    where = " on the host" if waits else ""
    wait = ": the CPU waits until it has been copied to the GPU" if waits else ""
    yield ctx.finding(
        RULE,
        node,
        f"{name} makes a tensor{where}, and {calls} its {what}{wait}",
        help=f"give {name} the {what}",
        fix=_fix(node, made, ctx),
        tier=Tier.STALL if waits else None,
    )


def _waits(node: ast.Call, made: _Made, ctx: Context) -> bool:
    """Whether a tensor that is made on the host is copied from its pageable memory to a device."""
    name = ctx.qualified_name(made.factory.func) or ""
    moves = any(one.keyword == "device" for one in made.conversions) and not name.endswith("_like")
    if not moves or ctx.kind(node) is not Kind.TENSOR:
        return False
    return not (is_kept(node, ctx) or loads_data(node, ctx) or is_for_other_devices(node, ctx))


def _made(node: ast.Call, ctx: Context) -> _Made | None:
    """The new tensor that a call converts, and could have been made so; None if it is no such call."""
    converted = conversion(node, ctx)
    if converted is None or not isinstance(converted.receiver, ast.Call):
        return None
    before = _made(converted.receiver, ctx) or _Made(converted.receiver, ())
    factory = before.factory
    name = ctx.qualified_name(factory.func)
    if name not in _FACTORIES or (converted.keyword == "dtype" and name not in _EXACT):
        return None
    given = {item.arg for item in factory.keywords}
    if given & _IN_THE_WAY or converted.keyword in {one.keyword for one in before.conversions}:
        return None
    if converted.keyword == "device" and "device" in given:
        return None  # made in one place, for another
    if _is_there(factory, converted) or has_dtype_already(converted, ctx):
        return None
    return _Made(factory, (*before.conversions, converted))


def _is_there(made: ast.Call, converted: Conversion) -> bool:
    """Whether a tensor is sent where it is: ``torch.zeros_like(x).to(x.device)``."""
    target = converted.target
    if converted.keyword != "device" or not made.args:
        return False
    if not (isinstance(made.func, ast.Attribute) and made.func.attr.endswith("_like")):
        return False
    like = made.args[0]
    while isinstance(like, ast.Subscript):
        like = like.value
    return (
        isinstance(target, ast.Attribute)
        and target.attr == "device"
        and ast.dump(target.value) == ast.dump(like)
    )


def _fix(node: ast.Call, made: _Made, ctx: Context) -> Fix | None:
    factory, conversions = made
    anew = {one.keyword for one in conversions}
    dropped = [item.value for item in factory.keywords if item.arg in anew]
    if any(isinstance(item, _DOING) for value in dropped for item in ast.walk(value)):
        return None  # evaluating it may do something else as well
    edits: list[Edit] = [unwrap(node, factory)]
    for one in conversions:
        parts = {"target": one.target} if one.target is not None else {}
        edits.append(set_argument(factory, one.keyword, one.template, **parts))
    exact = ctx.qualified_name(factory.func) != "torch.arange" or all(
        is_whole(value, ctx) for value in argument_values(factory)
    )
    # None leaves a tensor as it is, and would give a new one the default: a subclass may set an attribute so.
    given = not dropped or all(
        one.target is None or (is_proven(one.keyword, one.target, ctx) and not is_own_attribute(one.target))
        for one in conversions
        if one.keyword == "dtype"
    )
    safe = exact and given and all(one.proven for one in conversions)
    return Fix(
        Applicability.SAFE if safe else Applicability.UNSAFE,
        f"make it with the {' and '.join(one.keyword for one in conversions)}",
        edits=tuple(edits),
        imports=(Import("torch"),) if any("{torch}" in one.template for one in conversions) else (),
    )
