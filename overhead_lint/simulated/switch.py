"""Arms, exposes and takes back the simulated device."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType

import torch
import torch.utils._device

from overhead_lint.native import load
from overhead_lint.simulated.arming import arm, in_forked_child, refuse_other_form
from overhead_lint.simulated.patcher import Patcher
from overhead_lint.simulated.runtime import patch_runtime
from overhead_lint.simulated.spawning import patch_queues, patch_spawning

__all__ = ["activity", "disable", "enable", "is_enabled", "simulated_cuda"]

_patcher = Patcher()
_exposed: list[int] = []
"""Device counts of the nested `enable` calls; only the first one changes anything."""


@contextlib.contextmanager
def simulated_cuda(devices: int = 1) -> Iterator[None]:
    """Let the ``cuda`` device type work while the block runs.

    Args:
        devices: how many devices to show, 1 to 8. A nested block cannot show more than the outer one.

    Raises:
        NativeUnavailable: the native core cannot be built here.
        RuntimeError: torch has CUDA itself, the process has used `simulated_accelerator` before, or it is a
            forked child.
    """
    enable(devices)
    finalizing = sys.is_finalizing  # in this frame: when a block that nobody left ends, modules may be empty
    try:
        yield
    finally:
        if not finalizing():
            disable()


def enable(devices: int = 1) -> None:
    """Expose the device until `disable`; see `simulated_cuda`."""
    if _exposed:
        if devices > _exposed[0]:
            raise RuntimeError(
                f"simulated cuda: {devices} devices asked for inside a block that shows {_exposed[0]}"
            )
        _exposed.append(devices)
        return
    if torch.version.cuda is not None or torch.version.hip is not None:
        raise RuntimeError(
            "simulated cuda: this torch is built for GPUs; use a CPU-only torch "
            "(pip install --force-reinstall torch --index-url https://download.pytorch.org/whl/cpu), "
            "or simulated_accelerator() for code that asks torch.accelerator for its device"
        )
    if in_forked_child():
        raise RuntimeError("simulated cuda: cannot be enabled in a forked process; start it with 'spawn'")
    refuse_other_form(reduced=False)
    native = _armed()
    if not 1 <= devices <= native.max_devices:
        raise ValueError(f"simulated cuda: 1 to {native.max_devices} devices can be shown, not {devices}")
    global _restore_state
    _restore_state = _keep_state()
    native.expose(devices)
    _exposed.append(devices)
    patch_runtime(native, devices, _patcher)
    patch_spawning(devices, _patcher)
    patch_queues(_patcher)
    _clear_caches()


def disable() -> None:
    """Take the device back, with every change to torch; without `enable` it does nothing."""
    if not _exposed:
        return
    _exposed.pop()
    if _exposed:
        return
    _restore_state()
    _patcher.undo()
    load("simulated").take_back()
    _clear_caches()


def is_enabled() -> bool:
    """Whether the device is exposed now."""
    return bool(_exposed)


def activity() -> dict[str, int]:
    """Kernels, copies (``copy_h2d``, ``copy_d2h``, ``copy_d2d``), ``record_stream`` calls and stream
    switches of the simulated device since the process began.
    """
    counts: dict[str, int] = load("simulated").activity()
    return counts


@functools.cache
def _armed() -> ModuleType:
    """The extension, registered with torch once a process; nothing is visible by that."""
    native = load("simulated")
    arm(native)
    return native


@dataclass(frozen=True, slots=True)
class _State:
    """State of torch that a program may set for the device and forget."""

    autocast: bool
    autocast_dtype: torch.dtype
    autocast_cache: bool
    default_device: torch.device | None

    def restore(self) -> None:
        torch.set_autocast_enabled("cuda", self.autocast)
        torch.set_autocast_dtype("cuda", self.autocast_dtype)
        torch.set_autocast_cache_enabled(self.autocast_cache)
        if self.default_device != torch.utils._device.CURRENT_DEVICE:
            torch.set_default_device(self.default_device)


def _nothing() -> None:
    pass


_restore_state: Callable[[], None] = _nothing


def _keep_state() -> Callable[[], None]:
    return _State(
        autocast=torch.is_autocast_enabled("cuda"),
        autocast_dtype=torch.get_autocast_dtype("cuda"),
        autocast_cache=torch.is_autocast_cache_enabled(),
        default_device=torch.utils._device.CURRENT_DEVICE,
    ).restore


def _clear_caches() -> None:
    """Forget cached answers to "is there a device", and what is kept on it."""
    import torch.utils._triton as triton

    for module in (torch.cuda, triton):
        for member in vars(module).values():
            if hasattr(member, "cache_clear"):
                member.cache_clear()
    interface = sys.modules.get("torch._dynamo.device_interface")
    if interface is not None:
        vars(interface)["_device_initialized"] = False
        interface.device_interfaces.clear()
    runtime = sys.modules.get("overhead_runtime")
    if runtime is not None:  # constants that it keeps on a device which goes away
        runtime.clear_const_tensors()
