"""OVH702: device and dtype converted one after the other, or before `copy_` converts them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.api.torch_calls import FROM_VALUES
from overhead_lint.edits import replace
from overhead_lint.rule import Applicability, Fix, Heat, Import, Kind, Rule

from .._calls import argument_values
from ..streams._batches import loader_behind
from ..streams._other_devices import is_for_other_devices
from ._conversions import CONVERTING, TENSORS, Conversion, conversion, has_dtype_already
from ._refilled import converted_for

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH702",
    name="chained-to",
    summary="device and dtype converted one after the other",
    triggers=(b".to(", b".copy_("),
    heat=Heat.STEP,
    brief=True,
    stable_since="0.2.0",
)

_WIDE = frozenset(
    """cdouble cfloat complex64 complex128 double float float32 float64 int int32 int64 long""".split()  # noqa: SIM905
)


@RULE.on(ast.Call, named=CONVERTING)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``x.to(dtype).to(device)`` and kin, of which one at least is written ``.to``."""
    second = conversion(node, ctx)
    if second is None:
        return
    first = conversion(second.receiver, ctx)
    if first is None or first.keyword == second.keyword or not (first.target or second.target):
        return
    written = first.target is not None and second.target is not None
    if ctx.kind(first.receiver) not in (*TENSORS, *([Kind.UNKNOWN] if written else [])):
        return  # of what is unknown, `.float()` and the like may be anything
    if ctx.is_compiled(node) or _widens_on_host(first, second, ctx) or has_dtype_already(first, ctx):
        return
    if is_for_other_devices(node, ctx):
        return
    yield ctx.finding(
        RULE,
        node,
        f"converts the {first.keyword} and then the {second.keyword}: two calls, two copies if both change",
        help="name both in one .to(...)",
        fix=_fix(node, first, second, ctx),
    )


@RULE.on(ast.Call, named=("copy_",))
def check_copy(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``kept.copy_(x.to(kept.device))``, where `copy_` converts device and dtype by itself."""
    found = converted_for(node, ctx)
    if found is None or ctx.is_compiled(node):
        return
    # A copy that does not wait may read, or be read, too late; the conversion was what waited.
    waits = all(isinstance(one, ast.Constant) and not one.value for one in argument_values(node)[1:])
    known = waits and all(ctx.kind(one) in TENSORS for one in (found.into, found.source))
    plain = not any(item.arg == "non_blocking" for item in found.call.keywords)
    yield ctx.finding(
        RULE,
        node,
        "converts to a new tensor, which copy_ copies again: it converts device and dtype by itself",
        help=f"leave the conversion out: {ctx.text(node.func)}({ctx.text(found.source)})",
        fix=Fix(
            Applicability.SAFE if known else Applicability.UNSAFE,
            "leave the conversion to copy_",
            edits=(replace(found.call, "{source}", source=found.source),),
        )
        if plain
        else None,
    )


def _widens_on_host(first: Conversion, second: Conversion, ctx: Context) -> bool:
    """Whether what is copied to the host, an array or a batch, is made what takes no fewer bytes then.

    In one call the conversion comes first: a device has to be able to do it, and more bytes are copied.
    """
    place = first.target
    if isinstance(place, ast.Call) and place.args:
        place = place.args[0]  # torch.device("cpu")
    is_host = isinstance(place, ast.Constant) and str(place.value).startswith("cpu")
    dtype = ctx.qualified_name(second.target) if second.target is not None else second.template
    if (dtype or "").rpartition(".")[2] not in _WIDE:
        return False
    return is_host or first.template == '"cpu"' or _is_of_array(first, ctx) or _is_of_loader(first, ctx)


def _is_of_loader(first: Conversion, ctx: Context) -> bool:
    """Whether what a loader gives is copied to a device: it may hold bytes of pictures."""
    return first.keyword == "device" and loader_behind(first.receiver, ctx) is not None


def _is_of_array(first: Conversion, ctx: Context) -> bool:
    """Whether an array of unknown dtype is copied to a device: it may hold bytes of pictures."""
    made = first.receiver
    if isinstance(made, ast.Name):
        made = ctx.value(made) or made
    if first.keyword != "device" or not isinstance(made, ast.Call):
        return False
    name = ctx.qualified_name(made.func)
    if name == "torch.from_numpy":
        return True
    plain = name in FROM_VALUES and not any(item.arg == "dtype" for item in made.keywords)
    return plain and bool(made.args) and ctx.kind(made.args[0]) is Kind.ARRAY


def _fix(node: ast.Call, first: Conversion, second: Conversion, ctx: Context) -> Fix:
    arguments, parts = [], {"tensor": first.receiver}
    for name, one in (("first", first), ("second", second)):
        arguments.append(f"{one.keyword}={one.template.replace('{target}', f'{{{name}}}')}")
        if one.target is not None:
            parts[name] = one.target
    # One call converts before it copies; so does the dtype first, the device first does not.
    known = ctx.kind(first.receiver) in TENSORS
    safe = known and first.keyword == "dtype" and first.proven and second.proven
    needs_torch = any("{torch}" in argument for argument in arguments)
    return Fix(
        Applicability.SAFE if safe else Applicability.UNSAFE,
        "name device and dtype in one call",
        edits=(replace(node, f"{{tensor}}.to({', '.join(arguments)})", **parts),),
        imports=(Import("torch"),) if needs_torch else (),
    )
