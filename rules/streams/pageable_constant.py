"""OVH408: tensors made on the host in hot code, and copied to the device from pageable memory."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.api.torch_calls import FROM_VALUES
from overhead_lint.rule import Clause, Heat, Kind, Rule, Tier

from .._devices import device_keyword
from .._literals import is_none
from .._wording import short
from ._assigned import is_for_places, is_one_element
from ._copies import Moved, is_constant, is_fresh, moved, moved_to_tensor, moved_unpinned, own_table
from ._elements import listed
from ._indices import assigned_from_host, index_of_host
from ._made_on_device import made_on_device
from ._other_devices import is_for_cuda, is_for_other_devices
from ._reshaped import made_there
from ._slices import sliced
from ._values import is_empty, is_empty_tensor, is_own_list, is_python, made_of, stands_in
from ._waits import is_kept, loads_data
from ._written_numbers import literal

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding, Message

RULE = Rule(
    code="OVH408",
    name="pageable-constant",
    summary="values copied to the device from pageable memory on every step",
    triggers=(b"torch",),
    heat=Heat.STEP,
    tier=Tier.STALL,
    stable_since="0.2.0",
)

# Their fix is to give the factory the device: factory-then-to (OVH701) says so.
_TOLD_A_DEVICE = frozenset(
    {"arange", "empty", "empty_like", "full", "ones", "ones_like", "zeros", "zeros_like"}
)
_OF_DEVICE = frozenset(
    f"torch.cuda.{name}Tensor"
    for name in ("Bool", "Byte", "Char", "Double", "Float", "Half", "Int", "Long", "Short")
)
_COPY = "and the CPU waits until it has been copied to the GPU from pageable memory"


@RULE.on(ast.Subscript)
def check_index(node: ast.Subscript, ctx: Context) -> Iterator[Finding]:
    """``x[:, [2, 0]]``, ``x[torch.arange(n), labels]``, ``x[0] = torch.tensor([1.0])``, ``row[0] = 1``."""
    index = index_of_host(node, ctx)
    assigned = assigned_from_host(node, ctx) if index is None else None
    number = _number(node, ctx) if index is None and assigned is None else None
    if (index is None and assigned is None and number is None) or ctx.is_compiled(node):
        return
    if loads_data(node, ctx) or is_for_other_devices(node, ctx):
        return
    if number is not None:
        message, help = number
    elif index is not None:
        message = f"the index {short(index, ctx)} is on the host, {_COPY}"
        help = "make it on the device, keep it there (a buffer), or slice"
    else:
        assert assigned is not None
        message = f"what is assigned to a part of {short(node.value, ctx)} is made on the host, {_COPY}"
        help = "make it on the device, or assign a number"
    fix = sliced(node, index, ctx) if index is not None else None
    yield ctx.finding(RULE, node, message, help=help, fix=fix)


def _number(node: ast.Subscript, ctx: Context) -> tuple[str, str] | None:
    """Message and help for a number that is assigned to a part of a tensor of the device."""
    text = ctx.text(node.value)
    if is_one_element(node, ctx):
        return (
            f"the number that is assigned to one element of {text} becomes a tensor of the host, {_COPY}",
            ("assign it to a slice (x[i : i + 1] = 0), which a kernel fills, or make all numbers one tensor"),
        )
    if is_for_places(node, ctx):
        return f"the number that is assigned to places of {text} becomes a tensor of the host, {_COPY}", (
            "use index_fill_ or scatter_, which take a number, or assign behind a mask"
        )
    return None


@RULE.on(ast.Call, named=("new", "new_tensor", *_OF_DEVICE))
def check_new(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``x.new_tensor([1.0, 2.0])``, ``x.new([1.0, 2.0])``, ``torch.cuda.FloatTensor([1.0, 2.0])``."""
    function, name = node.func, ctx.qualified_name(node.func)
    if not isinstance(function, ast.Attribute) or not node.args:
        return
    if name is None:
        made = f"{short(function.value, ctx)}.{function.attr}"
        of_values = function.attr == "new_tensor" or isinstance(node.args[0], (ast.List, ast.Tuple))
        known = of_values and ctx.kind(function.value) is Kind.TENSOR
        if not known or any(item.arg == "device" for item in node.keywords):
            return
    elif name in _OF_DEVICE and isinstance(node.args[0], (ast.List, ast.Tuple, ast.ListComp)):
        made = name
    else:
        return
    value = node.args[0]
    written = is_python(value, ctx) or is_own_list(value, ctx)
    if not (written or _is_of_host(node, value, ctx)) or ctx.is_compiled(node):
        return
    if is_kept(node, ctx) or loads_data(node, ctx) or is_for_other_devices(node, ctx):
        return
    yield ctx.finding(
        RULE,
        node,
        f"{made} makes a tensor of {'Python values' if written else 'what is'} on the host, {_COPY}",
        help="fill it in on the device (new_full, torch.full), keep it as a buffer, or use the number itself",
    )


def _is_of_host(node: ast.Call, value: ast.expr, ctx: Context) -> bool:
    """Whether ``x.new_tensor(value)`` is told something unknown: it wants no tensors, and warns of them."""
    if not (isinstance(node.func, ast.Attribute) and node.func.attr == "new_tensor"):
        return False
    if isinstance(value, ast.Starred) or ctx.kind(value) not in (Kind.ARRAY, Kind.OBJECT, Kind.UNKNOWN):
        return False
    return not is_empty(value, ctx) and listed(node, ctx) is None and not stands_in(value, ctx)


@RULE.on(ast.Call, named=(*FROM_VALUES, "to", "cuda", "type_as"))
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch.tensor(0.5, device=device)``, ``torch.tensor(1).to(device)``, ``self.table.to(device)``."""
    name = ctx.qualified_name(node.func)
    if name in FROM_VALUES:
        device = device_keyword(node)
        if device is None or is_none(device):
            return
        found = Moved(node, None, "{device}", device, proven=True)
    else:
        made = moved(node, ctx) or moved_to_tensor(node, ctx) or moved_unpinned(node, ctx)
        if made is None:
            return
        found = made
    if ctx.kind(node) is not Kind.TENSOR or ctx.is_compiled(node):
        return
    loads = loads_data(node, ctx)
    if is_kept(node, ctx) or (loads and not is_for_cuda(node, ctx)) or is_for_other_devices(node, ctx):
        return
    said = _say(found, ctx)
    if said is not None:
        message, help = said
        if loads:
            help = "make it on the host, and copy the batch from pinned memory with non_blocking=True"
        yield ctx.finding(
            RULE,
            node,
            message,
            help=help,
            fix=made_on_device(node, found, ctx) or made_there(node, found, ctx),
        )


def _say(found: Moved, ctx: Context) -> tuple[Message, str] | None:
    """Message and help; None where nothing is known of the values, or another rule speaks."""
    made = found.source if found.source is not None else found.node
    name = ctx.qualified_name(made.func) if isinstance(made, ast.Call) else None
    if name in FROM_VALUES:
        assert isinstance(made, ast.Call)
        value = made_of(made)
        if value is None:
            return None
        if found.source is None and ctx.kind(value) is Kind.ARRAY:
            return f"{name} makes a tensor of what NumPy computed on the host, {_COPY}", (
                "compute it on the device, or copy it from pinned memory with non_blocking=True"
            )
        if not (is_python(value, ctx) or is_own_list(value, ctx)):
            return _say_of_unknown(found, made, value, ctx)
        if literal(value) is not None:
            return (f"{name} makes a constant on the host ", Clause.FREQUENCY, f", {_COPY}"), (
                "fill it in on the device (torch.full), or keep it: runtime.const_tensor, a buffer"
            )
        return f"{name} makes a tensor of Python values on the host, {_COPY}", (
            "compute it on the device, or copy it from pinned memory with non_blocking=True"
        )
    if found.source is None:
        return None
    if (table := own_table(found.source, ctx)) is not None:
        return (f"{short(table, ctx)} stays on the host and is copied ", Clause.FREQUENCY, f", {_COPY}"), (
            "make it a buffer (register_buffer), or keep its copy on the device"
        )
    if is_constant(found.source, ctx):
        return (
            f"{short(found.source, ctx)} stays on the host and is copied ",
            Clause.FREQUENCY,
            f", {_COPY}",
        ), ("keep its copy on the device, by device")
    if is_fresh(found.source, ctx) and not is_empty_tensor(found.source, ctx):
        told = found.plain or found.device is not None
        if told and name is not None and name.removeprefix("torch.") in _TOLD_A_DEVICE:
            return None
        return ("the tensor is made on the host ", Clause.FREQUENCY, f", {_COPY}"), (
            "give the functions that make it the device, or keep it if it is the same each time"
        )
    return None


def _say_of_unknown(found: Moved, made: ast.Call, value: ast.expr, ctx: Context) -> tuple[str, str] | None:
    """What is said of values that nobody knows: ``torch.tensor`` wants no tensors, and warns of them."""
    name = ctx.qualified_name(made.func)
    kind = ctx.kind(value)
    if kind is not Kind.OBJECT and (kind is not Kind.UNKNOWN or name != "torch.tensor" or found.source):
        return None
    if is_empty(value, ctx) or listed(made, ctx) is not None or stands_in(value, ctx):
        return None
    return f"{name} makes a tensor of what is on the host, {_COPY}", (
        "compute it on the device, keep it there, or copy it from pinned memory with non_blocking=True"
    )
