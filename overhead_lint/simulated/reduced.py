"""The simulated device where torch is built for CUDA and finds no GPU: another device, not ``cuda``.

There ``cuda`` is taken by CUDA's own kernels, which need a driver. So the same core makes a device of
torch's type for devices of others, which torch calls the accelerator: code that asks
``torch.accelerator`` for its device, and makes ``torch.Stream`` and ``torch.Event``, runs on it and is
counted; code that says ``"cuda"`` does not. The autograd engine decides about events as it does on a GPU.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import torch
import torch.utils.backend_registration as backend

from overhead_lint.native import load
from overhead_lint.simulated.arming import arm, in_forked_child, refuse_other_form

__all__ = ["NAME", "is_enabled", "simulated_accelerator"]

NAME = "simulated"
"""What torch calls the device, from its first use to the end of the process."""

_visible = 0


@contextlib.contextmanager
def simulated_accelerator(devices: int = 1) -> Iterator[torch.device]:
    """Let the device ``simulated`` work while the block runs, as torch's accelerator.

    Args:
        devices: how many devices to show, 1 to 8.

    Yields:
        The first device.

    Raises:
        NativeUnavailable: the native core cannot be built here.
        RuntimeError: torch has an accelerator already, a block is open, the process has used
            `simulated_cuda` before, or it is a forked child.
        ValueError: as many devices cannot be shown.
    """
    global _visible
    if _visible:
        raise RuntimeError("simulated accelerator: it is in use already; blocks do not nest")
    _refuse_others()
    native = _armed()
    if not 1 <= devices <= native.max_devices:
        raise ValueError(
            f"simulated accelerator: 1 to {native.max_devices} devices can be shown, not {devices}"
        )
    native.expose(devices)
    _visible = devices
    finalizing = sys.is_finalizing  # in this frame: when a block that nobody left ends, modules may be empty
    try:
        yield torch.device(NAME, 0)
    finally:
        if not finalizing():
            _visible = 0
            native.take_back()


def is_enabled() -> bool:
    """Whether a block runs now."""
    return _visible > 0


def _refuse_others() -> None:
    if in_forked_child():
        raise RuntimeError("simulated accelerator: cannot be had in a forked process; start it with 'spawn'")
    there = torch.accelerator.current_accelerator(check_available=True)
    if there is not None:
        raise RuntimeError(f"simulated accelerator: torch has an accelerator, {there.type}: use that")
    refuse_other_form(reduced=True)


@functools.cache
def _armed() -> ModuleType:
    """The extension, registered with torch once a process, with the module ``torch.simulated``."""
    native = load("simulated")
    backend.rename_privateuse1_backend(NAME)
    torch._register_device_module(NAME, _device_module(native))
    arm(native, reduced=True)
    backend.generate_methods_for_privateuse1_backend(for_storage=False)
    return native


def _device_module(native: ModuleType) -> ModuleType:
    """What ``torch.simulated`` has: what torch itself asks a device's module for."""
    module: Any = ModuleType(f"torch.{NAME}")
    members = {
        "device": lambda device: torch.accelerator.device_index(_index(native, device)),
        "Stream": torch.Stream,
        "Event": torch.Event,
        "current_stream": lambda device=None: torch.accelerator.current_stream(_index(native, device)),
        "is_available": is_enabled,
        "is_initialized": lambda: True,
        "_lazy_init": lambda: None,
        "_is_in_bad_fork": in_forked_child,
        "device_count": lambda: _visible,
        "current_device": native.get_device,
        "set_device": lambda device: native.set_device(_index(native, device)),
        "synchronize": lambda device=None: native.synchronize_device(_index(native, device)),
        "manual_seed_all": lambda seed: [g.manual_seed(seed) for g in _generators(native)],
        "get_rng_state": lambda device=None: native.default_generator(_index(native, device)).get_state(),
        "set_rng_state": lambda state, device=None: native.default_generator(
            _index(native, device)
        ).set_state(state),
        "get_amp_supported_dtype": lambda: [torch.float16, torch.bfloat16],
    }
    for name, member in members.items():
        setattr(module, name, member)
    sys.modules[f"torch.{NAME}"] = module
    return module  # type: ignore[no-any-return]


def _generators(native: ModuleType) -> list[torch.Generator]:
    return [native.default_generator(device) for device in range(_visible)]


def _index(native: ModuleType, device: Any) -> int:
    if device is None:
        return int(native.get_device())
    if isinstance(device, int):
        return device
    named = torch.device(device).index
    return int(native.get_device()) if named is None else named
