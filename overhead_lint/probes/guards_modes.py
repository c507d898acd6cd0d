"""The modes that guards depend on, noted where guards are saved and put back while they are loaded.

Torch builds the guards on tensors anew when it loads them, with the dispatch keys that tensors have there
and then, and those on the default device with the one there and then: under other modes than those of the
saving process they would refuse what they should take, and take what they should refuse.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeVar

from overhead_lint.probes.guards_api import Unsupported

__all__ = ["DefaultDevice", "alone", "default_device", "dispatch_modes", "under_modes"]

T = TypeVar("T")

_DEVICES: Final = ("cpu", "cuda", "mps", "xpu", "hpu", "mtia", "maia", "xla", "privateuseone")


def dispatch_modes() -> dict[str, bool]:
    """Whether inference mode is on, and autocast for each kind of device that this torch knows it for."""
    import torch

    return {"inference": torch.is_inference_mode_enabled(), **_autocast()}


class DefaultDevice(NamedTuple):
    """The default device, as torch keeps it; None where none is set.

    Attributes:
        of_thread: what tensors of this thread are made on.
        of_process: what was set last, by ``torch.set_default_device``, in whatever thread.
    """

    of_thread: str | None
    of_process: str | None


def default_device() -> DefaultDevice:
    """The default device that is set.

    Raises:
        Unsupported: another mode for functions or operators is active, or this torch does not tell. Its
            effects would be in the code, and happen once more when that is called.
    """
    try:
        from torch.overrides import _get_current_function_mode_stack
        from torch.utils import _device
        from torch.utils._python_dispatch import _get_current_dispatch_mode_stack
    except ImportError as error:
        raise Unsupported(f"this torch does not tell which modes are active: {error}") from error
    mine = None
    for mode in (*_get_current_function_mode_stack(), *_get_current_dispatch_mode_stack()):
        if not isinstance(mode, _device.DeviceContext):
            raise Unsupported(f"code that is compiled under {type(mode).__name__} cannot be saved")
        mine = str(mode.device)
    every = _device.CURRENT_DEVICE
    return DefaultDevice(mine, None if every is None else str(every))


def alone(make: Callable[[], T]) -> T:
    """What a function gives in a thread of its own, where none of the caller's modes is active."""
    made: list[T] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            made.append(make())
        except BaseException as error:  # raised again below, for the caller
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if raised:
        raise raised[0]
    return made[0]


@contextlib.contextmanager
def under_modes(modes: dict[str, bool], device: DefaultDevice) -> Iterator[None]:
    """Have the dispatch keys of other modes for a while, and another default device.

    Args:
        modes: what `dispatch_modes` said; kinds of devices that this torch does not know are left out.
        device: what `default_device` said.
    """
    import torch

    before = _autocast()
    wanted = {kind: modes.get(kind, False) for kind in before}
    with torch.inference_mode(modes["inference"]), _device(device):
        try:
            _set_autocast(wanted)
            yield
        finally:
            _set_autocast(before)


@contextlib.contextmanager
def _device(device: DefaultDevice) -> Iterator[None]:
    """Have another default device in this thread, which has none."""
    import torch
    from torch.utils import _device as module

    before = module.CURRENT_DEVICE
    mine = None if device.of_thread is None else module.DeviceContext(device.of_thread)
    try:
        with mine or contextlib.nullcontext():
            every = device.of_process
            module.CURRENT_DEVICE = None if every is None else torch.device(every)
            yield
    finally:
        module.CURRENT_DEVICE = before


def _autocast() -> dict[str, bool]:
    import torch

    return {device: torch.is_autocast_enabled(device) for device in _DEVICES if _has_autocast(device)}


def _has_autocast(device: str) -> bool:
    import torch

    try:
        torch.is_autocast_enabled(device)
    except RuntimeError:
        return False
    return True


def _set_autocast(enabled: dict[str, bool]) -> None:
    """Switch only the keys: unlike `torch.autocast` it neither warns of absent devices nor clears a cache."""
    import torch

    for device, wanted in enabled.items():
        if torch.is_autocast_enabled(device) != wanted:
            torch.set_autocast_enabled(device, wanted)
