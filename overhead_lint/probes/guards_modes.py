"""The modes that dispatch keys depend on, noted where guards are saved and put back while they are loaded.

Torch builds the guards on tensors anew when it loads them, with the dispatch keys that tensors have there
and then: under other modes than those of the saving process they would refuse what they should take, and
take what they should refuse.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Final

__all__ = ["dispatch_modes", "under_modes"]

_DEVICES: Final = ("cpu", "cuda", "mps", "xpu", "hpu", "mtia", "maia", "xla", "privateuseone")


def dispatch_modes() -> dict[str, bool]:
    """Whether inference mode is on, and autocast for each kind of device that this torch knows it for."""
    import torch

    return {"inference": torch.is_inference_mode_enabled(), **_autocast()}


@contextlib.contextmanager
def under_modes(modes: dict[str, bool]) -> Iterator[None]:
    """Have the dispatch keys of other modes for a while.

    Args:
        modes: what `dispatch_modes` said; kinds of devices that this torch does not know are left out.
    """
    import torch

    before = _autocast()
    wanted = {device: modes.get(device, False) for device in before}
    with torch.inference_mode(modes["inference"]):
        try:
            _set_autocast(wanted)
            yield
        finally:
            _set_autocast(before)


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
