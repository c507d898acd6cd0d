"""`EventPool`: device events that are used again instead of created in every step."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import torch

__all__ = ["EventPool"]


class EventPool:
    """Events to borrow, instead of ``torch.cuda.Event()`` in every step.

    A device takes the work before an event when it is *recorded*, and a wait refers to the recording that
    was there when the wait was *issued*. So an event may be given back once its waits are issued, though the
    device has not come to them, and be recorded again on any stream of its device. Give an event back only
    when nobody will ask it any more: `query`, `synchronize`, `elapsed_time` of a new owner's recording
    would answer for the old one.

    Safe to use from several threads. A forked process, a copy and a pickle start with an empty pool.

    Args:
        make: makes an event; ``torch.cuda.Event`` if None. All events are made alike.
        maxsize: how many idle events are kept for each device.

    Raises:
        ValueError: `maxsize` is less than 1.
    """

    def __init__(self, make: Callable[[], Any] | None = None, maxsize: int = 64) -> None:
        if maxsize < 1:
            raise ValueError(f"EventPool: maxsize must be at least 1, got {maxsize}")
        self._make = torch.cuda.Event if make is None else make
        self._maxsize = maxsize
        self._idle: dict[Any, list[Any]] = {}
        _pools.add(self)

    def __getstate__(self) -> dict[str, Any]:
        # Events have one owner, and stay in their process: a copy, of a model with a pool for one, has none.
        return {**self.__dict__, "_idle": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        _pools.add(self)

    def acquire(self, device: Any = None) -> Any:
        """Take an event, a new one if none is idle.

        Args:
            device: index or device whose streams it will be recorded on; the current CUDA device if None.
                An event belongs to the device that it was first recorded on.

        Returns:
            The event. It may have been recorded before: record it before anybody waits for it.
        """
        return self._take(device if type(device) is int else _device_key(device))

    def release(self, event: Any, device: Any = None) -> None:
        """Give an event back.

        Args:
            event: one that `acquire` gave for the same device, and that nobody will ask any more.
            device: as for `acquire`.

        Raises:
            TypeError: `event` has no ``record``.
            RuntimeError: the event is in the pool already.
        """
        if not hasattr(event, "record"):
            raise TypeError(f"EventPool.release: event is a {type(event).__name__}, not an event")
        key = device if type(device) is int else _device_key(device)
        idle = self._idle.get(key)
        if idle and any(event is other for other in tuple(idle)):
            raise RuntimeError("EventPool.release: event was given back before")
        self._keep(key, event)

    def event(self, device: Any = None) -> AbstractContextManager[Any]:
        """Borrow an event for a block; one whose block raised is not used again.

        Args:
            device: as for `acquire`.

        Returns:
            A context whose value is the event.
        """
        return _Borrowed(self, device)

    def wait(self, consumer: Any, producer: Any) -> None:
        """Make later work on `consumer` wait for the work on `producer`, with a pooled event.

        What `wait_stream` does, without creating an event.

        Args:
            consumer: the stream that waits.
            producer: the stream waited for.
        """
        where = producer.device
        if consumer.stream_id == producer.stream_id and consumer.device == where:
            return
        key = _key(where)
        event = self._take(key)
        event.record(producer)
        consumer.wait_event(event)
        self._keep(key, event)

    def _take(self, key: Any) -> Any:
        try:
            return self._idle[key].pop()
        except (KeyError, IndexError):  # None was given back yet, or all are out.
            return self._make()

    def _keep(self, key: Any, event: Any) -> None:
        idle = self._idle.get(key)
        if idle is None:
            idle = self._idle.setdefault(key, [])
        if len(idle) < self._maxsize:
            idle.append(event)


class _Borrowed(AbstractContextManager[Any]):
    """An event for a block. A class, since a generator's frame would cost what the pool saves."""

    __slots__ = ("_device", "_event", "_pool")

    def __init__(self, pool: EventPool, device: Any) -> None:
        self._pool, self._device = pool, device

    def __enter__(self) -> Any:
        self._event = self._pool.acquire(self._device)
        return self._event

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if kind is None:
            self._pool.release(self._event, self._device)


def _device_key(device: Any) -> Any:
    if device is None:
        return torch.cuda.current_device()
    if isinstance(device, int):
        return device
    where: Any = torch.device(device)  # Its index may be None, other than its stub says.
    if where.index is None:
        return torch.cuda.current_device() if where.type == "cuda" else where.type
    return _key(where)


def _key(where: torch.device) -> Any:
    return where.index if where.type == "cuda" else (where.type, where.index)


_pools: weakref.WeakSet[EventPool] = weakref.WeakSet()


def _empty_pools() -> None:
    for pool in list(_pools):
        pool._idle.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_empty_pools)
