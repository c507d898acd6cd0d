"""The device in processes that multiprocessing starts anew: on a GPU each of them finds it, too.

A new process is told what it needs to begin, in a pickle; this is where it gets the device. So a fork server
(Python 3.14 starts one where nothing else is asked for) has none itself, whenever it was started, and the
processes that it is forked for have one while their parent has.

Tensors of the device stay in their process. A queue pickles in a thread of its own, where a refusal would be
printed while the reader waits for ever, so tensors are looked for before that.
"""

from __future__ import annotations

import multiprocessing.queues
import multiprocessing.spawn
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import torch
from torch.utils._pytree import tree_leaves

from overhead_lint.simulated.refusal import refusal

if TYPE_CHECKING:
    from overhead_lint.simulated.patcher import Patcher

__all__ = ["patch_queues", "patch_spawning"]

# A process that does not find this package has no device, and runs as it would without it.
_BEGIN: Final = (
    "(__import__('importlib.util', fromlist=['find_spec']).find_spec('overhead_lint')"
    " and __import__('overhead_lint.simulated', fromlist=['enable']).enable(devices), data)[1]"
)


class _WithDevice(dict[str, Any]):
    """What a process begins with; as it is read there, the device is exposed.

    Args:
        data: what multiprocessing tells the process.
        devices: how many devices are to be seen.
    """

    def __init__(self, data: dict[str, Any], devices: int) -> None:
        super().__init__(data)
        self._devices = devices

    def __reduce__(self) -> tuple[Any, ...]:
        return eval, (_BEGIN, {"devices": self._devices, "data": dict(self)})


def patch_spawning(devices: int, patcher: Patcher) -> None:
    """Let processes that start anew begin with the device exposed.

    Args:
        devices: how many devices are to be seen.
        patcher: remembers what is changed.
    """
    original = multiprocessing.spawn.get_preparation_data

    def get_preparation_data(name: str) -> dict[str, Any]:
        return _WithDevice(original(name), devices)

    patcher.put(multiprocessing.spawn, "get_preparation_data", get_preparation_data)


def patch_queues(patcher: Patcher) -> None:
    """Let queues refuse tensors of the device where they are put in.

    Args:
        patcher: remembers what is changed.
    """
    refuse = refusal(
        "a tensor of the device in a queue between processes", "a copy of it on the host (.cpu())"
    )
    for kind in (multiprocessing.queues.Queue, multiprocessing.queues.JoinableQueue):
        patcher.put(kind, "put", _refusing(kind.put, refuse))


def _refusing(original: Callable[..., None], refuse: Callable[..., None]) -> Callable[..., None]:
    def put(self: Any, obj: object, block: bool = True, timeout: float | None = None) -> None:
        if any(isinstance(leaf, torch.Tensor) and leaf.is_cuda for leaf in tree_leaves(obj)):
            refuse()
        original(self, obj, block, timeout)

    return put
