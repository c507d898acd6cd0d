"""What ``torch.cuda.Stream`` and ``torch.cuda.Event`` make while the device is exposed.

The classes themselves stay, since programs hold them under names imported earlier and ask
``isinstance``; only their ``__new__`` is changed.
"""

from __future__ import annotations

import ctypes
from types import ModuleType
from typing import TYPE_CHECKING, Any

import torch

from overhead_lint.simulated.refusal import refusal

if TYPE_CHECKING:
    from overhead_lint.simulated.patcher import Patcher

__all__ = ["CUDA_TYPE", "Streams", "device_index"]

CUDA_TYPE = 1
"""c10::DeviceType::CUDA."""

_PRIORITY_MASK = 15
_OWN_STREAMS = 1 << 40
"""Numbers from here on are foreign handles (external streams), which carry no priority."""


def device_index(native: ModuleType, device: Any) -> int:
    """Ordinal that a device, its string, an int or None stands for."""
    if device is None:
        return int(native.get_device())
    if isinstance(device, int):
        return device if device >= 0 else int(native.get_device())
    named = torch.device(device).index
    return int(native.get_device()) if named is None else named


class _Stream(torch.Stream):
    __class__ = property(lambda self: torch.cuda.Stream)  # isinstance() asks

    @property
    def cuda_stream(self) -> int:
        return self.stream_id

    @property
    def priority(self) -> int:
        return -(self.stream_id & _PRIORITY_MASK) if self.stream_id < _OWN_STREAMS else 0

    @property
    def _as_parameter_(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(self.stream_id)

    @staticmethod
    def priority_range() -> tuple[int, int]:
        return (0, -5)

    def wait_event(self, event: Any) -> None:
        event.wait(self)

    def wait_stream(self, stream: Any) -> None:
        self.wait_event(stream.record_event())

    def record_event(self, event: Any = None) -> Any:
        if event is None:
            event = torch.cuda.Event()
        event.record(self)
        return event

    def __repr__(self) -> str:
        return f"<torch.cuda.Stream device={self.device} cuda_stream={self.stream_id:#x}>"

    def __hash__(self) -> int:
        return hash((self.stream_id, self.device))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, torch.Stream):
            return NotImplemented
        return (self.stream_id, self.device) == (other.stream_id, other.device)


class _Event(torch.Event):
    native: ModuleType
    _timing: bool

    __class__ = property(lambda self: torch.cuda.Event)  # isinstance() asks

    def record(self, stream: Any = None) -> None:
        on = torch.cuda.current_stream() if stream is None else stream
        if self.event_id and self.device != on.device:  # it belongs to the device of its first record
            ours, theirs = self.device.index, on.device.index
            raise RuntimeError(
                f"Event device {ours} does not match recording stream's device {theirs}. (simulated cuda)"
            )
        super().record(on)

    def wait(self, stream: Any = None) -> None:
        super().wait(torch.cuda.current_stream() if stream is None else stream)

    def elapsed_time(self, end_event: Any) -> float:
        if not (self._timing and end_event._timing):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if not (self.event_id and end_event.event_id):
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        return float(self.native.milliseconds_between(self.event_id, end_event.event_id))

    @property
    def cuda_event(self) -> int:
        return self.event_id

    @property
    def _as_parameter_(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(self.event_id)

    def __repr__(self) -> str:
        return f"<torch.cuda.Event {f'{self.event_id:#x}' if self.event_id else 'uninitialized'}>"

    def ipc_handle(self) -> bytes:
        refusal("an event shared between processes")()


class Streams:
    """Makes streams and events of the simulated device.

    Args:
        native: the simulated device's extension module.
    """

    def __init__(self, native: ModuleType) -> None:
        self._native = native

    def patch(self, patcher: Patcher) -> None:
        """Let torch's classes make them."""
        _Event.native = self._native
        patcher.put(torch.cuda.Stream, "__new__", staticmethod(self._new_stream))
        patcher.put(torch.cuda.Stream, "priority_range", staticmethod(_Stream.priority_range))
        patcher.put(torch.cuda.ExternalStream, "__new__", staticmethod(self._new_external))
        patcher.put(torch.cuda.Event, "__new__", staticmethod(self._new_event))
        patcher.put(torch.cuda.Event, "from_ipc_handle", staticmethod(refusal("an event of another process")))

    def _new_stream(self, cls: type, device: Any = None, priority: int = 0, **known: Any) -> torch.Stream:
        if known:  # stream_id, device_index, device_type: an existing stream
            return torch.Stream.__new__(_Stream, **known)
        on = torch.device("cuda", device_index(self._native, device))
        if isinstance(device, (str, torch.device)) and torch.device(device).type != "cuda":
            raise ValueError(f"Expected a cuda device, but got: {device}")
        return torch.Stream.__new__(_Stream, on, priority=priority)

    def _new_external(self, cls: type, stream_ptr: int, device: Any = None, **known: Any) -> torch.Stream:
        index = device_index(self._native, device)
        return torch.Stream.__new__(_Stream, stream_id=stream_ptr, device_index=index, device_type=CUDA_TYPE)

    def _new_event(
        self,
        cls: type,
        enable_timing: bool = False,
        blocking: bool = False,
        interprocess: bool = False,
        external: bool = False,
    ) -> torch.Event:
        event = torch.Event.__new__(
            _Event,
            torch.device("cuda"),
            enable_timing=enable_timing,
            blocking=blocking,
            interprocess=interprocess,
        )
        event._timing = enable_timing
        return event
