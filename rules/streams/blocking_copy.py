"""OVH407: batches copied to the device while the host waits."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from overhead_lint.api.torch_calls import FROM_VALUES, named_device
from overhead_lint.edits import set_argument
from overhead_lint.rule import Applicability, Fix, Heat, Kind, Rule, Tier

from .._devices import device_keyword
from .._names import own_name
from .._vocabulary import MODULES, one_of
from ._batches import gives_device, loader_behind, made_loaders, may_pin, pins_memory
from ._copies import is_constant, is_fresh, moved, own_table
from ._offload import is_mover, is_offloading, moves_all
from ._other_devices import is_for_cuda, is_for_other_devices
from ._values import is_empty_tensor, made_of
from ._waits import is_kept, loads_data

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH407",
    name="blocking-copy",
    summary="batch copied to the device while the host waits",
    triggers=(b".to(", b".cuda(", b"offload"),
    heat=Heat.STEP,
    tier=Tier.STALL,
    stable_since="0.2.0",
)

_WAITS = "the host waits until the device has copied"
_MODULE = re.compile(rf"(?i)(^|_){one_of(MODULES)}$")
_CONVERSIONS = frozenset({"bfloat16", "bool", "byte", "double", "float", "half", "int", "long", "short"})
_NO_DEVICE = frozenset({"cpu", "meta"})  # the host, or nowhere


@RULE.on(ast.Call, named=("to", "cuda"))
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``batch.to(device)`` of what a data loader gives, ``torch.from_numpy(data).to(device)``."""
    found = moved(node, ctx)
    if found is None or found.source is None or _is_to_host(node, ctx):
        return
    if is_for_other_devices(node, ctx) or ctx.is_compiled(node):
        return
    if loads_data(node, ctx) and not is_for_cuda(node, ctx):
        return
    kept = is_kept(node, ctx)
    if ctx.kind(found.source) not in (Kind.NUMBER, Kind.MODULE, Kind.ARRAY) and (
        not kept or _is_part_of_batch(node, ctx)
    ):
        source = _unconverted(found.source)
        loader = loader_behind(source, ctx)
        if loader is not None and gives_device(loader, ctx):
            return
        if loader is not None and source is not found.source:
            help = "copy it first, with non_blocking=True, and convert it on the device"
            yield ctx.finding(RULE, node, f"{_WAITS} the batch", help=help)
            return
        if loader is not None:
            yield _of_batch(node, loader, ctx)
            return
    if kept and not _is_entry_of_local(node, ctx):
        return
    if is_mover(node, ctx) or moves_all(node, ctx):
        yield ctx.finding(
            RULE,
            node,
            f"{_WAITS} each tensor of a batch",
            help="pass non_blocking=True, or take it as a parameter; the loader has to pin its memory",
        )
        return
    if (
        not kept
        and ctx.kind(node) is Kind.TENSOR
        and _is_data(found.source, ctx)
        and not is_empty_tensor(found.source, ctx)
    ):
        pinned = _is_pinned(found.source)
        yield ctx.finding(
            RULE,
            node,
            f"{_WAITS} what is in {'pinned' if pinned else 'pageable'} memory",
            help="pass non_blocking=True" if pinned else "pin_memory() it first, and pass non_blocking=True",
            fix=_fix(node) if pinned else None,
        )


@RULE.on(ast.Call, named=("copy_", "cpu", "to"))
def check_offload(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``host.copy_(grad)`` and ``x.cpu()`` in a branch for offloading."""
    if not (isinstance(node.func, ast.Attribute) and node.func.attr in {"copy_", "cpu", "to"}):
        return
    source, kind = node.func.value, ctx.kind(node.func.value)
    if kind in (Kind.NUMBER, Kind.MODULE, Kind.ARRAY, Kind.OBJECT) or not is_offloading(node, ctx):
        return
    if node.func.attr == "copy_":
        if len(node.args) != 1 or node.keywords:
            return
    elif isinstance(ctx.parent(node), ast.Expr):  # a module, which is moved itself
        return
    elif node.func.attr == "cpu":
        if node.args or node.keywords:
            return
    elif moved(node, ctx) is None or kind is not Kind.TENSOR or _is_to_host(node, ctx):
        return
    if is_kept(node, ctx) or ctx.is_compiled(node) or _is_of_module(source):
        return
    yield ctx.finding(
        RULE,
        node,
        f"{_WAITS} what is offloaded, through pageable memory unless it is pinned",
        help="pin the memory on the host once, and pass non_blocking=True",
    )


def _unconverted(node: ast.expr) -> ast.expr:
    """What the dtype of a tensor is changed of: ``y`` of ``y.long()``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        return node.func.value if node.func.attr in _CONVERSIONS else node
    return node


def _is_part_of_batch(node: ast.Call, ctx: Context) -> bool:
    """Whether what is copied becomes an attribute of a local object: ``batch.x = batch.x.to(device)``."""
    statement = ctx.statement(node)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return bool(targets) and all(
        isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id != "self"
        and ctx.is_bound(target.value.id, node)
        and ctx.qualified_name(target.value) is None
        for target in targets
    )


def _is_entry_of_local(node: ast.Call, ctx: Context) -> bool:
    """Whether what is copied goes into a container with a local name: nothing is set up by that."""
    statement = ctx.statement(node)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return bool(targets) and all(
        isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) for target in targets
    )


def _is_of_module(node: ast.expr) -> bool:
    return bool(_MODULE.search(own_name(node)))


def _of_batch(node: ast.Call, loader: ast.expr, ctx: Context) -> Finding:
    """A finding; its fix has the loader pin memory, too: from other memory the driver copies twice."""
    made = made_loaders(loader, ctx)
    pins = [pins_memory(one) for one in made]
    unpinned = [one for one, is_pinned in zip(made, pins, strict=True) if not is_pinned]
    fix = _fix(node, unpinned) if made and all(map(may_pin, unpinned)) else None
    if made and not unpinned:
        help = "the loader pins memory: pass non_blocking=True"
    elif False in pins:
        help = "give the loader pin_memory=True, and pass non_blocking=True here"
    else:
        help = "pass non_blocking=True, with pin_memory=True for the loader"
    return ctx.finding(RULE, node, f"{_WAITS} the batch", help=help, fix=fix)


def _fix(node: ast.Call, unpinned: Sequence[ast.Call] = ()) -> Fix:
    edits = (
        set_argument(node, "non_blocking", "True"),
        *(set_argument(loader, "pin_memory", "True") for loader in unpinned),
    )
    what = "copy without waiting, from pinned memory" if unpinned else "copy without waiting"
    return Fix(Applicability.UNSAFE, what, edits=edits)


def _is_to_host(node: ast.Call, ctx: Context) -> bool:
    if ctx.kind(node) is Kind.HOST_TENSOR:
        return True
    told = [item for item in (*node.args, device_keyword(node)) if item is not None]
    devices = [ctx.value(item) or item if isinstance(item, ast.Name) else item for item in told]
    return any(named_device(device, ctx.qualified_name) in _NO_DEVICE for device in devices)


def _is_data(node: ast.expr, ctx: Context) -> bool:
    """Whether a tensor of the host holds data: neither a constant nor made from numbers right here."""
    if ctx.kind(node) is not Kind.HOST_TENSOR or own_table(node, ctx) is not None or is_constant(node, ctx):
        return False
    if isinstance(node, ast.Attribute) or _was_read_back(node, ctx):
        return False
    if isinstance(node, ast.Call) and ctx.qualified_name(node.func) in FROM_VALUES:
        value = made_of(node)
        return value is not None and ctx.kind(value) in (Kind.ARRAY, Kind.UNKNOWN)
    return not is_fresh(node, ctx) and not _is_drawn(node, ctx)


def _is_drawn(node: ast.expr, ctx: Context) -> bool:
    """Whether it holds numbers of a generator of the host, which are the same for all devices."""
    made = ctx.value(node) if isinstance(node, ast.Name) else node
    return made is not None and any(item.arg == "generator" for item in ctx.within(made, ast.keyword))


def _was_read_back(node: ast.expr, ctx: Context) -> bool:
    """Whether a tensor was copied from a device before: sync-in-step speaks about that."""
    value = ctx.value(node) if isinstance(node, ast.Name) else None
    whole = value if value is not None else node
    return any(
        isinstance(call.func, ast.Attribute) and call.func.attr in ("cpu", "to")
        for item in (whole, *ctx.within(whole, ast.Call))
        for call in (item,)
        if isinstance(call, ast.Call)
    )


def _is_pinned(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "pin_memory"
    )
