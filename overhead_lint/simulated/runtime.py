"""The functions of the CUDA runtime that ``torch.cuda`` calls, for the simulated device.

``torch._C._cuda_*`` is patched rather than ``torch.cuda.*``, so that names which a program imported
earlier keep working. No two attributes share one function: Dynamo keeps a table by function.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import torch
import torch.cuda.graphs
import torch.cuda.nvtx
import torch.nn.parallel._functions

from overhead_lint.simulated.absent import refuse_absent
from overhead_lint.simulated.arming import in_forked_child
from overhead_lint.simulated.exchange import exchange_functions
from overhead_lint.simulated.memory import memory_functions, patch_storages
from overhead_lint.simulated.streams import CUDA_TYPE, Streams, device_index
from overhead_lint.simulated.tensor_types import patch_tensor_types

if TYPE_CHECKING:
    from overhead_lint.simulated.patcher import Patcher

__all__ = ["patch_runtime"]


def _properties() -> SimpleNamespace:
    """What ``torch.cuda.get_device_properties`` gives; sizes are those of an H100 with 16 GiB."""
    return SimpleNamespace(
        name="simulated",
        major=9,
        minor=0,
        total_memory=16 << 30,
        multi_processor_count=132,
        is_integrated=0,
        is_multi_gpu_board=0,
        max_threads_per_multi_processor=2048,
        max_threads_per_block=1024,
        warp_size=32,
        regs_per_multiprocessor=65536,
        shared_memory_per_block=49152,
        shared_memory_per_block_optin=232448,
        shared_memory_per_multiprocessor=233472,
        L2_cache_size=50 << 20,
        clock_rate=1980000,
        memory_clock_rate=2619000,
        memory_bus_width=5120,
        gcnArchName="",
        uuid="00000000-0000-0000-0000-000000000000",
        pci_bus_id=0,
        pci_device_id=0,
        pci_domain_id=0,
    )


def _cudart(native: ModuleType) -> SimpleNamespace:
    """What ``torch.cuda.cudart()`` gives: calls succeed (0) and do what can be done."""

    def free_and_total(device: int) -> tuple[int, int]:
        total = int(native.device_memory)
        return total - native.memory(device)[0]["current"], total

    def synchronize(stream: int) -> int:
        native.synchronize_stream(stream, native.get_device())
        return 0

    def register(start: int, size: int, flags: int) -> int:
        native.pin(start, size)
        return 0

    def unregister(start: int) -> int:
        native.unpin(start)
        return 0

    class Error(int):
        """A status of the runtime, made of its number as CUDA's is."""

        success = 0

    return SimpleNamespace(
        cudaError=Error,
        cudaGetErrorString=lambda error: "no error" if int(error) == 0 else "simulated cuda error",
        cudaMemGetInfo=free_and_total,
        cudaStreamSynchronize=synchronize,
        cudaProfilerStart=lambda: 0,
        cudaProfilerStop=lambda: 0,
        cudaHostRegister=register,
        cudaHostUnregister=unregister,
    )


def _nvtx() -> SimpleNamespace:
    """Profiler ranges, which have no reader here."""
    return SimpleNamespace(
        rangePushA=lambda *args: 0,
        rangePop=lambda *args: 0,
        rangeStartA=lambda *args: 0,
        rangeEnd=lambda *args: None,
        markA=lambda *args: None,
        deviceRangeStart=lambda *args: 0,
        deviceRangeEnd=lambda *args: None,
    )


def patch_runtime(native: ModuleType, devices: int, patcher: Patcher) -> None:
    """Make ``torch.cuda`` find the device.

    Args:
        native: the simulated device's extension module.
        devices: how many devices are to be seen.
        patcher: remembers what is changed.
    """
    functions = {
        **_device_functions(native, devices),
        **_stream_functions(native),
        **_sync_mode_functions(native),
        **_odd_functions(),
        **memory_functions(native),
    }
    for name, function in functions.items():
        patcher.put(torch._C, f"_cuda_{name}", function)
    for name, function in exchange_functions(native).items():
        patcher.put(torch._C, name, function)
    patcher.put(torch._C, "_has_cuda", True)
    refuse_absent(patcher)
    patch_tensor_types(patcher)
    _patch_module(native, devices, patcher)
    _patch_plans(patcher)
    Streams(native).patch(patcher)
    patch_storages(native, patcher)


def _device_functions(native: ModuleType, devices: int) -> dict[str, Callable[..., Any]]:
    return {
        "init": lambda: None,
        "getDeviceCount": lambda: devices,
        "isInBadFork": lambda: in_forked_child(),
        "getDevice": native.get_device,
        "setDevice": native.set_device,
        "exchangeDevice": lambda device: native.exchange_device(device),
        "maybeExchangeDevice": lambda device: native.exchange_device(device),
        "synchronize": lambda: native.synchronize_device(native.get_device()),
        "canDeviceAccessPeer": lambda device, peer: True,
        "hasPrimaryContext": lambda device: True,
        "getArchFlags": lambda: "sm_90",
        "getCompiledVersion": lambda: 0,
        "sleep": lambda cycles: None,
    }


def _stream_functions(native: ModuleType) -> dict[str, Callable[..., Any]]:
    def default_stream(device: int) -> tuple[int, int, int]:
        _, index, kind = native.current_stream(device_index(native, device))  # which refuses wrong ordinals
        return 0, index, kind

    return {
        "getCurrentStream": lambda device: native.current_stream(device_index(native, device)),
        "getCurrentRawStream": lambda device: native.current_stream(device)[0],
        "getDefaultStream": default_stream,
        "setStream": lambda stream_id, device_index, device_type: native.set_stream(stream_id, device_index),
        "getStreamFromExternal": lambda pointer, device: (pointer, device, CUDA_TYPE),
        "isCurrentStreamCapturing": lambda: False,
    }


def _sync_mode_functions(native: ModuleType) -> dict[str, Callable[..., Any]]:
    mode = 0

    def set_mode(value: int) -> None:
        nonlocal mode
        if value not in (0, 1, 2):
            raise RuntimeError("invalid value of debug_mode, expected one of 0,1,2")
        mode = value
        native.set_sync_mode(value)

    return {"set_sync_debug_mode": set_mode, "get_sync_debug_mode": lambda: mode}


def _odd_functions() -> dict[str, Callable[..., Any]]:
    return {
        "clearCublasWorkspaces": lambda: None,
        "getCublasWorkspaceSize": lambda: 0,
        "tunableop_is_enabled": lambda: False,
        "tunableop_tuning_is_enabled": lambda: False,
        "record_untuned_is_enabled": lambda: False,
    }


def _patch_module(native: ModuleType, devices: int, patcher: Patcher) -> None:
    cuda = torch.cuda
    generators = tuple(native.default_generator(device) for device in range(devices))
    for name, value in {
        "_initialized": False,
        "_cached_device_count": None,
        # Reads CUDA_VISIBLE_DEVICES and the driver, which know nothing of this device.
        "_device_count_nvml": lambda: -1,
        "_queued_calls": list(cuda._queued_calls),
        "_cudart": _cudart(native),
        "_is_in_bad_fork": lambda: in_forked_child(),
        "_exchange_device": lambda device: native.exchange_device(device),
        "_maybe_exchange_device": lambda device: native.exchange_device(device),
        "_get_device_properties": lambda device: _properties(),
        "default_generators": generators,
        "has_half": True,
        "has_magma": False,
        "is_current_stream_capturing": lambda: False,
    }.items():
        patcher.put(cuda, name, value)
    patcher.put(torch.cuda.graphs, "_cuda_isCurrentStreamCapturing", lambda: False)
    patcher.put(torch.backends.cuda, "is_built", lambda: True)
    # cuDNN is not there, which torch would warn of at every recurrent layer.
    patcher.put(torch.backends.cudnn, "is_acceptable", lambda tensor: False)
    patcher.put(torch.cuda.nvtx, "_nvtx", _nvtx())
    # DataParallel keeps a stream for each device that it found first.
    patcher.put(torch.nn.parallel._functions, "_streams", None)


def _patch_plans(patcher: Patcher) -> None:
    """The plans of cuFFT that torch keeps: there are none, but a program may say how many it wants."""
    most: dict[int, int] = {}
    cache = torch.backends.cuda.cuFFTPlanCache

    def max_size(plans: Any) -> int:
        return most.get(plans.device_index, 4096)

    def set_max_size(plans: Any, size: int) -> None:
        most[plans.device_index] = size

    patcher.put(cache, "size", property(lambda plans: 0))
    patcher.put(cache, "max_size", property(max_size, set_max_size))
    patcher.put(cache, "clear", lambda plans: None)
    patcher.on_undo(torch.backends.cuda.cufft_plan_cache.caches.clear)
