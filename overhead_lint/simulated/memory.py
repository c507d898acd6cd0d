"""Memory statistics and storages of the simulated device."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

import torch

from overhead_lint.simulated.refusal import refusal
from overhead_lint.simulated.streams import device_index

if TYPE_CHECKING:
    from overhead_lint.simulated.patcher import Patcher

__all__ = ["memory_functions", "patch_storages"]


def memory_functions(native: ModuleType) -> dict[str, Callable[..., Any]]:
    """What ``torch.cuda``'s memory functions call, by name without the ``_cuda_`` prefix."""

    class AllocatorState:
        pass

    return {
        "memoryStats": lambda device: _statistics(native, device),
        "resetPeakMemoryStats": native.reset_peak_memory,
        "resetAccumulatedMemoryStats": native.reset_accumulated_memory,
        "hostMemoryStats": refusal("a count of pinned memory"),
        "emptyCache": lambda: None,
        "ipc_collect": lambda: None,
        "setMemoryFraction": lambda fraction, device: native.limit_memory(fraction, device),
        "getMemoryFraction": lambda device: native.memory_fraction(device),
        "memorySnapshot": lambda *args: {"segments": [], "device_traces": []},
        "record_memory_history": lambda *args, **kwargs: None,
        "isHistoryEnabled": lambda: False,
        "getAllocatorBackend": lambda: "native",
        "attach_out_of_memory_observer": lambda observer: None,
        "lock_mutex": lambda: None,
        "unlock_mutex": lambda: None,
        "cudaCachingAllocator_is_enabled": lambda: True,
        "resetAccumulatedHostMemoryStats": lambda: None,
        "resetPeakHostMemoryStats": lambda: None,
        "CUDAAllocator_AllocatorState": AllocatorState,
    }


def _statistics(native: ModuleType, device: int) -> dict[str, Any]:
    """Nested as the real caching allocator gives it; torch flattens it."""
    used_bytes, used_blocks = native.memory(device)
    nothing = {"current": 0, "peak": 0, "allocated": 0, "freed": 0}

    def pools(gauge: dict[str, int]) -> dict[str, dict[str, int]]:
        return {"all": dict(gauge), "small_pool": dict(nothing), "large_pool": dict(gauge)}

    by_blocks = ("allocation", "segment", "active")
    by_bytes = ("allocated_bytes", "reserved_bytes", "active_bytes", "requested_bytes")
    empty = ("inactive_split", "inactive_split_bytes")
    return {
        **{name: pools(used_blocks) for name in by_blocks},
        **{name: pools(used_bytes) for name in by_bytes},
        **{name: pools(nothing) for name in empty},
        "oversize_allocations": dict(nothing),
        "oversize_segments": dict(nothing),
        "num_alloc_retries": 0,
        "num_ooms": native.times_out_of_memory(device),
        "num_sync_all_streams": 0,
        "num_device_alloc": used_blocks["allocated"],
        "num_device_free": used_blocks["freed"],
        "max_split_size": -1,
    }


def patch_storages(native: ModuleType, patcher: Patcher) -> None:
    """Let ``torch.UntypedStorage`` make and resize storages on the device."""

    def new(cls: Any, *args: Any, **kwargs: Any) -> Any:
        device = kwargs.get("device")
        if device is not None and torch.device(device).type == "cuda":
            (given,) = args or (kwargs.get("size", 0),)
            if isinstance(given, int):
                return native.new_bytes(given, device_index(native, device)).untyped_storage()
            return torch.tensor(given, dtype=torch.uint8, device=device).untyped_storage()
        return torch._C.StorageBase.__new__(cls, *args, **kwargs)

    def resize_(self: torch.UntypedStorage, size: int) -> torch.UntypedStorage:
        if self.device.type != "cuda":
            return torch._C.StorageBase.resize_(self, size)  # type: ignore[attr-defined, no-any-return]
        holder = torch.empty(0, dtype=torch.uint8, device=self.device)
        native.resize_storage(holder.set_(self, 0, (0,), (1,)), size)
        return self

    patcher.put(torch.UntypedStorage, "__new__", staticmethod(new))
    patcher.put(torch.UntypedStorage, "resize_", resize_)
    patcher.put(torch.UntypedStorage, "_share_cuda_", refusal("a tensor shared between processes"))
