"""OVH405: the host waits for a whole device or stream, or for other processes, in every step."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Rule, Tier

from ._other_devices import is_for_other_devices
from ._streams import Origin, is_accelerator, stream_of
from ._waits import is_timing, is_wrapper

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH405",
    name="synchronize-in-step",
    summary="host waits for a whole device or stream on every step",
    triggers=(b"synchronize", b"barrier(", b"_object"),
    heat=Heat.STEP,
    tier=Tier.STALL,
    stable_since="0.2.0",
)

_DEVICES = frozenset(
    {"torch.accelerator.synchronize", "torch.cuda.synchronize", "torch.npu.synchronize"}
    | {"torch.xpu.synchronize"}
)
_ORDER = "order streams with wait_stream or an event; reading a value waits for it anyway"


@RULE.on(ast.Call, named=("synchronize",))
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch.cuda.synchronize()`` and ``stream.synchronize()``."""
    name = ctx.qualified_name(node.func)
    if name in _DEVICES or _is_of_module(node):
        what, waited = name or ".synchronize()", "the device"
    elif (
        isinstance(node.func, ast.Attribute)
        and node.func.attr == "synchronize"
        and not node.args
        and _is_stream(node.func.value, ctx)
    ):
        what, waited = ".synchronize()", "the stream"
    else:
        return
    if is_timing(node, ctx) or is_wrapper(node, ctx) or is_for_other_devices(node, ctx):
        return
    if _follows_copies(node, ctx):
        return
    yield ctx.finding(
        RULE,
        node,
        f"{what} makes the host wait until {waited} has done all that is queued, and {waited} then idles "
        "until the host has queued more",
        help=_ORDER,
    )


_OBJECTS = frozenset(
    """all_gather_object broadcast_object_list gather_object recv_object_list scatter_object_list
    send_object_list""".split()  # noqa: SIM905
)
_BARRIERS = frozenset({"barrier", "monitored_barrier"})


@RULE.on(ast.Call, named=_OBJECTS | _BARRIERS)
def check_processes(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``dist.barrier()`` and ``dist.all_gather_object(objects, own)``."""
    module, _, name = (ctx.qualified_name(node.func) or "").rpartition(".")
    if not module.startswith("torch.distributed") or name not in _OBJECTS | _BARRIERS:
        return
    if any(item.arg == "async_op" for item in node.keywords) or is_timing(node, ctx) or is_wrapper(node, ctx):
        return
    if name in _BARRIERS:
        message = "makes the host wait until the devices of all processes have done what is queued"
        help = "leave it out: collectives order themselves, and what they give can be waited for"
    else:
        message = "pickles objects, sends their sizes and then what they hold, and the host waits for both"
        help = "send tensors of a size that all processes know, or send it once, outside of steps"
    yield ctx.finding(RULE, node, f"{name} {message}", help=help)


def _follows_copies(node: ast.Call, ctx: Context) -> bool:
    """Whether the function waits for copies that it has started: ``x.to("cpu", non_blocking=True)``."""
    function = ctx.function(node)
    if function is None:
        return False
    return any(
        call.lineno < node.lineno
        and any(isinstance(part, ast.Constant) and part.value == "cpu" for part in call.args)
        and any(item.arg == "non_blocking" for item in call.keywords)
        for call in ctx.within(function.node, ast.Call)
        if isinstance(call.func, ast.Attribute) and call.func.attr == "to"
    )


def _is_of_module(node: ast.Call) -> bool:
    """``get_accelerator().synchronize()``."""
    function = node.func
    return (
        isinstance(function, ast.Attribute)
        and function.attr == "synchronize"
        and is_accelerator(function.value)
    )


def _is_stream(node: ast.expr, ctx: Context) -> bool:
    """Whether it is a stream: proven, or by its name (``self.copy_stream``, ``current_stream()``)."""
    stream = stream_of(node, ctx)
    if stream.proven and stream.origin is not Origin.UNKNOWN:
        return True
    called = node.func if isinstance(node, ast.Call) else node
    name = (
        called.attr
        if isinstance(called, ast.Attribute)
        else called.id
        if isinstance(called, ast.Name)
        else ""
    )
    return name.lower().rpartition("_")[2] == "stream"
