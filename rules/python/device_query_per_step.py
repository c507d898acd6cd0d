"""OVH602: questions about the device, whose answers stay, asked in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.analysis.effects.lookup import effect
from overhead_lint.edits import replace, replace_callee, runtime_import
from overhead_lint.rule import Applicability, Fix, Heat, HeatFilter, Rule

from .._calls import argument_values, has_unpacked
from .._literals import is_none
from .._module_level import cached_fix, constant_fix, in_f_string
from .._once import once
from .._process_state import changes_environment
from .._wording import short
from ..streams._other_devices import is_for_other_devices
from ..streams._waits import expects_sync, is_for_measuring

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH602",
    name="device-query-per-step",
    summary="properties of the device asked for on every step",
    triggers=(
        b"get_device_properties",
        b"get_device_capability",
        b"get_device_name",
        b"device_count",
        b"is_available",
        b"is_bf16_supported",
        b"is_tf32_supported",
        b"get_arch_list",
        b"nccl.version",
        *(
            b"get_current_target",
            b"mem",
            b"psutil",
            b"pynvml",
            b"temperature",
            b"power_draw",
            b"clock_rate",
            b"utilization",
        ),
    ),
    heat=Heat.STEP,
    brief=True,
    stable_since="0.2.0",
)

_PROPERTIES = "torch.cuda.get_device_properties"
_CAPABILITY = "torch.cuda.get_device_capability"
_NAME = "torch.cuda.get_device_name"
_PER_DEVICE = frozenset(
    {_PROPERTIES, _CAPABILITY, _NAME}
    | {f"torch.xpu.get_device_{what}" for what in ("capability", "name", "properties")}
)
_BACKENDS = ("accelerator", "cuda", "hpu", "mtia", "npu", "xpu")  # torch.backends.mps keeps its answers
_PER_PROCESS = frozenset(
    {f"torch.{backend}.{what}" for backend in _BACKENDS for what in ("device_count", "is_available")}
    | {f"torch.{backend}.is_bf16_supported" for backend in ("cuda", "xpu")}
    | {"triton.runtime.driver.active.get_current_target"}
    | {"torch.cuda.get_arch_list", "torch.cuda.is_tf32_supported", "torch.cuda.nccl.version"}
)
# What starts the device (processes forked later cannot use it), or raises where torch is built without it.
_STARTING = frozenset(
    {"torch.cuda.is_bf16_supported", "torch.cuda.is_tf32_supported", "torch.cuda.nccl.version"}
    | {"torch.xpu.is_bf16_supported"}
)
# Beginnings of the variables that choose devices.
_VARIABLES = (
    *("CUDA", "NVIDIA", "PYTORCH", "TORCH", "TRITON"),
    *("HIP", "HSA", "ROCR", "GPU"),
    *("ZE", "SYCL", "ONEAPI", "ASCEND", "HABANA", "HLS"),
)
_STATISTICS = "makes a dictionary of all counters of the allocator"
_DRIVER = "asks the driver"
_SYSTEM = "reads files of the system"
_READINGS = {
    **{
        f"torch.cuda.{module}{name}": _STATISTICS
        for module in ("", "memory.")
        for name in (
            *("max_memory_allocated", "max_memory_reserved", "memory_allocated", "memory_reserved"),
            *("max_memory_cached", "memory_cached", "memory_snapshot", "memory_stats", "memory_summary"),
        )
    },
    **{
        f"torch.cuda.{name}": _DRIVER
        for name in (
            "mem_get_info",
            "memory.mem_get_info",
            "temperature",
            "power_draw",
            "clock_rate",
            "utilization",
        )
    },
    **{
        f"pynvml.{name}": _DRIVER
        for name in (
            "nvmlDeviceGetMemoryInfo",
            "nvmlDeviceGetUtilizationRates",
            "nvmlDeviceGetPowerUsage",
            "nvmlInit",
        )
    },
    **{f"psutil.{name}": _SYSTEM for name in ("Process", "cpu_percent", "virtual_memory", "swap_memory")},
}


@RULE.on(ast.Call, named=_READINGS)
def check_reading(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """A reading of memory or load, which is told in every step."""
    if (
        ctx.qualified_name(node.func) in _READINGS
        and not ctx.is_compiled(node)
        and not is_for_measuring(node, ctx)
        and not expects_sync(node, ctx)
    ):
        yield ctx.finding(
            RULE,
            node,
            f"{short(node.func, ctx)} {_READINGS[ctx.qualified_name(node.func) or '']} each time",
            help="read it every some steps",
            # What is called far away is mostly there to read it, and asked for.
            only=HeatFilter(most_links=2),
        )


@RULE.on(ast.Call, named=(*_PER_DEVICE, *_PER_PROCESS))
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """A question about a device, or about which there are."""
    name = ctx.qualified_name(node.func)
    if name not in _PER_DEVICE and name not in _PER_PROCESS:
        return
    if ctx.is_compiled(node) or is_for_other_devices(node, ctx):
        return
    assert name is not None
    if name in _PER_DEVICE:
        fix = _device_fix(node, name, ctx)
        known = name.startswith("torch.cuda.")
        help = "use runtime.device_properties, which asks once a device" if known else "ask once a device"
    else:
        fix = _process_fix(node, name, ctx)
        at_import = name not in _STARTING and not _changes(ctx)
        help = "ask once, when the module is imported" if at_import else "ask once, and keep the answer"
    yield ctx.finding(
        RULE,
        node,
        f"{name} asks the driver or computes its answer on every call, though it does not change",
        help=help,
        fix=fix,
    )


def _process_fix(node: ast.Call, name: str, ctx: Context) -> Fix | None:
    """A constant of the module, unless asking starts the device, or a torch without it would fail there."""
    module, _, what = name.rpartition(".")
    backend = module.removeprefix("torch.")
    since = effect(f"torch.{backend.partition('.')[0]}").since  # others come with packages of their own
    if node.args or node.keywords or not since or ctx.target_torch < since:
        return None
    if name in _STARTING:
        return cached_fix(node, ctx)
    return constant_fix(node, f"{backend}_{what}", Applicability.UNSAFE, ctx, changes=_changes(ctx))


@once
def _changes(ctx: Context) -> list[ast.AST]:
    """Where the file tells the process which devices it has."""
    return changes_environment(lambda name: name.startswith(_VARIABLES), ctx)


def _device_fix(node: ast.Call, name: str, ctx: Context) -> Fix | None:
    message, imports = "use runtime.device_properties", (runtime_import(ctx.runtime_module),)
    if (
        not name.startswith("torch.cuda.")
        or len(node.args) + len(node.keywords) > 1
        or any(item.arg != "device" for item in node.keywords)
    ):
        return None
    if has_unpacked(node) or in_f_string(node, ctx):
        return None
    if name == _PROPERTIES:
        edit = replace_callee(node, "{runtime}.device_properties")
        return Fix(Applicability.SAFE, message, (edit,), imports, _by_device(node, ctx))
    whole: ast.expr = node
    attribute = "name"
    if name == _CAPABILITY:
        parent = ctx.parent(node)
        index = parent.slice if isinstance(parent, ast.Subscript) and parent.value is node else None
        if not isinstance(parent, ast.Subscript) or not isinstance(index, ast.Constant):
            return None
        if not isinstance(parent.ctx, ast.Load):
            return None
        if type(index.value) is not int or index.value not in (0, 1):
            return None
        whole, attribute = parent, "minor" if index.value else "major"
    values = argument_values(node)
    template = f"{{runtime}}.device_properties({'{device}' if values else ''}).{attribute}"
    parts = {"device": values[0]} if values else {}
    edits = (replace(whole, template, **parts),)
    return Fix(Applicability.SAFE, message, edits, imports, _by_device(node, ctx))


def _by_device(node: ast.Call, ctx: Context) -> Fix | None:
    """Keep the answers in a cache of the module, which asks the driver once a device that it is given.

    Without an argument the answer is that of the current device, which changes.
    """
    given = argument_values(node)
    if not given or any(is_none(value) for value in given):
        return None
    return cached_fix(node, ctx)
