"""Parts of torch that need a real GPU: each raises an error that names it.

What lies in ``torch._C`` is replaced at once. Modules that most programs never import are left alone
until they are imported, since importing them here would cost more than arming the device.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import inspect
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

import torch
import torch.cuda.graphs
import torch.cuda.nccl

from overhead_lint.simulated.refusal import refusal

if TYPE_CHECKING:
    from overhead_lint.simulated.patcher import Patcher

__all__ = ["refuse_absent"]

_TUNING = (
    "enable",
    "get_filename",
    "get_max_tuning_duration",
    "get_max_tuning_iterations",
    "get_results",
    "get_rotating_buffer_size",
    "get_validators",
    "read_file",
    "set_filename",
    "set_max_tuning_duration",
    "set_max_tuning_iterations",
    "set_numerical_check_tolerances",
    "set_rotating_buffer_size",
    "tuning_enable",
)
"""What ``torch.cuda.tunable`` calls, without the prefix."""
_FUNCTIONS = {
    **{f"_cuda_tunableop_{name}": "the tuning of operators" for name in _TUNING},
    "_cuda_record_untuned_enable": "the tuning of operators",
    "_cuda_beginAllocateCurrentThreadToPool": "a memory pool",
    "_cuda_changeCurrentAllocator": "another allocator",
    "_cuda_cudaCachingAllocator_enable": "a switch of the caching allocator",
    "_cuda_cudaCachingAllocator_raw_alloc": "a raw allocation",
    "_cuda_cudaCachingAllocator_raw_delete": "a raw allocation",
    "_cuda_cudaHostAllocator": "the host allocator's handle",
    "_cuda_customAllocator": "another allocator",
    "_cuda_getAllocator": "another allocator",
    "_cuda_getCurrentBlasHandle": "a cuBLAS handle",
    "_cuda_getCurrentSolverHandle": "a cuSOLVER handle",
    "_cuda_jiterator_compile_and_launch_kernel": "a jiterator kernel",
    "_CUDAGraph": "a CUDA graph",
    "_MemPool": "a memory pool",
    "_graph_pool_handle": "the memory pool of a CUDA graph",
    "_gds_deregister_buffer": "GPUDirect storage",
    "_gds_register_buffer": "GPUDirect storage",
    "_gds_register_handle": "GPUDirect storage",
    "_nccl_all_gather": "NCCL",
    "_nccl_all_reduce": "NCCL",
    "_nccl_broadcast": "NCCL",
    "_nccl_init_rank": "NCCL",
    "_nccl_reduce": "NCCL",
    "_nccl_reduce_scatter": "NCCL",
    "_nccl_unique_id": "NCCL",
    "_nccl_version": "NCCL",
}
"""Names of ``torch._C`` and what their refusal says."""


def refuse_absent(patcher: Patcher) -> None:
    """Let each part of torch that needs a GPU say so.

    Args:
        patcher: remembers what is changed.
    """
    for name, what in _FUNCTIONS.items():
        patcher.put(torch._C, name, refusal(what))
    patcher.put(torch.cuda.CUDAGraph, "__new__", staticmethod(refusal("a CUDA graph")))
    patcher.put(torch.cuda.MemPool, "__new__", staticmethod(refusal("a memory pool")))
    patcher.put(torch.cuda.GreenContext, "create", staticmethod(refusal("a green context")))
    # DataParallel asks, and adds up by itself where the answer is no.
    patcher.put(torch.cuda.nccl, "is_available", lambda tensors: False)
    patcher.put(torch.cuda.graphs, "_graph_pool_handle", refusal("the memory pool of a CUDA graph"))
    changes: _Changes = {
        "torch._inductor.scheduler": _refuse_inductor,
        "torch.distributed.distributed_c10d": _refuse_nccl,
        "torch.nested._internal.sdpa": _refuse_jagged_attention,
        "torch.utils.cpp_extension": _refuse_extensions,
        "triton.runtime.driver": _refuse_triton,
    }
    finder = _Finder(changes, patcher)
    for name, change in changes.items():
        if name in sys.modules:
            change(sys.modules[name], patcher)
    sys.meta_path.insert(0, finder)
    patcher.on_undo(lambda: sys.meta_path.remove(finder))


_Changes: TypeAlias = "dict[str, Callable[[ModuleType, Patcher], None]]"


class _Finder(importlib.abc.MetaPathFinder):
    """Finds modules as Python does, and changes some of them once they are loaded."""

    def __init__(self, changes: _Changes, patcher: Patcher) -> None:
        self._changes = changes
        self._patcher = patcher

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        change = self._changes.get(fullname)
        spec = importlib.machinery.PathFinder.find_spec(fullname, path) if change else None
        if change is None or spec is None or spec.loader is None:
            return None
        load = spec.loader.exec_module

        def load_and_change(module: ModuleType) -> None:
            load(module)
            if self in sys.meta_path:
                change(module, self._patcher)

        spec.loader.exec_module = load_and_change  # type: ignore[method-assign]
        return spec


def _refuse_inductor(scheduler: ModuleType, patcher: Patcher) -> None:
    """Code that inductor makes for a GPU is Triton's; for the CPU it stays."""
    original = scheduler.Scheduler.create_backend
    refuse = refusal("Triton, and with it backend='inductor',", "backend='aot_eager' or 'eager'")

    def create_backend(self: Any, device: torch.device) -> Any:
        return refuse() if device.type == "cuda" else original(self, device)

    patcher.put(scheduler.Scheduler, "create_backend", create_backend)


def _refuse_nccl(distributed: ModuleType, patcher: Patcher) -> None:
    original = distributed.Backend.__new__
    refuse = refusal("torch.distributed's NCCL backend", "the backend 'gloo'")

    def new(cls: type, name: str) -> Any:
        return refuse() if isinstance(name, str) and name.lower() == "nccl" else original(cls, name)

    patcher.put(distributed.Backend, "__new__", staticmethod(new))


def _refuse_jagged_attention(attention: ModuleType, patcher: Patcher) -> None:
    """CUDA has fused kernels for it, and what stands in for them makes nested tensors of another layout."""
    original = attention._select_sdp_backend
    refuse = refusal("attention between rows of jagged tensors", "padded ones with a mask")

    def select(query: torch.Tensor, *rest: Any, **more: Any) -> Any:
        if not query.is_cuda:
            return original(query, *rest, **more)
        try:
            refuse()
        except NotImplementedError as error:  # for which torch would try something else
            raise RuntimeError(*error.args) from None

    patcher.put(attention, "_select_sdp_backend", select)


def _refuse_extensions(cpp_extension: ModuleType, patcher: Patcher) -> None:
    original = cpp_extension._jit_compile
    signature = inspect.signature(original)
    refuse = refusal("an extension with CUDA sources")

    def compile_at_once(*args: Any, **kwargs: Any) -> Any:
        asked = signature.bind(*args, **kwargs).arguments
        on_gpu = asked.get("with_cuda") or any(map(cpp_extension._is_cuda_file, asked["sources"]))
        return refuse() if on_gpu else original(*args, **kwargs)

    patcher.put(cpp_extension, "_jit_compile", compile_at_once)
    patcher.put(cpp_extension, "_join_cuda_home", refusal("an extension with CUDA sources"))


def _refuse_triton(driver: ModuleType, patcher: Patcher) -> None:
    patcher.put(driver, "_create_driver", refusal("a Triton kernel"))
