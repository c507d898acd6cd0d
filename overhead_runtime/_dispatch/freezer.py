"""Serves calls by their arguments alone, from ``freeze`` to ``thaw``, where no native gate does."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from .entry import Entry

# Arguments that never repeat must not fill the memory.
_MOST = 1024
_CONSTANTS = (int, str, bool, type(None))
_key_set: Any = getattr(torch._C, "_dispatch_keys", None)


class Freezer:
    """Which entry serves calls with such arguments while nothing else is looked at.

    Args:
        verify_every: Look at everything in every so many frozen calls too; 0 for never.
    """

    def __init__(self, verify_every: int) -> None:
        self.verify_every = verify_every
        self.is_on = False
        self.hits = 0
        self._countdown = verify_every
        self._entries: dict[Any, Entry] = {}

    def freeze(self) -> None:
        """Begin; what was known of the time before is forgotten."""
        self._entries = {}
        self._countdown = self.verify_every
        self.is_on = True

    def thaw(self) -> None:
        """End."""
        self.is_on = False
        self._entries = {}

    def find(self, values: tuple[Any, ...]) -> Entry | None:
        """The entry whose guards have passed for such arguments since ``freeze``."""
        return self._entries.get(_key(values))

    def table(self) -> dict[Any, Entry] | None:
        """Where ``learn`` may put an entry whose guards are evaluated now: ``freeze`` begins another one."""
        return self._entries if self.is_on else None

    def learn(self, table: dict[Any, Entry], values: tuple[Any, ...], entry: Entry) -> None:
        """Take note that the guards of an entry have passed."""
        if len(table) >= _MOST:
            table.clear()
        table[_key(values)] = entry

    def is_due(self) -> bool:
        """Whether this frozen call is to be verified."""
        if not self.verify_every:
            return False
        self._countdown -= 1
        if self._countdown > 0:
            return False
        self._countdown = self.verify_every
        return True


def _key(values: tuple[Any, ...]) -> tuple[Any, ...]:
    return (torch.is_grad_enabled(), *map(_part, values))


def _part(value: Any) -> Any:
    """What tells a value from others, as in the native form: anything else by its identity."""
    kind = type(value)
    if kind in (torch.Tensor, torch.nn.Parameter):
        return (kind, _metadata(value))
    if kind in _CONSTANTS:
        return (kind, value)
    if kind is float:
        return (kind, struct.pack("d", value))
    if kind in (tuple, list):
        return (kind, *map(_part, value))
    if kind is dict:
        return (kind, *[(_part(key), _part(item)) for key, item in value.items()])
    return (kind, id(value))


def _metadata(tensor: torch.Tensor) -> tuple[Any, ...]:
    keys = None if _key_set is None else _key_set(tensor).raw_repr()
    known = (keys, tensor.dtype, tensor.device, tensor.requires_grad, tensor.layout)
    return known if tensor.layout is not torch.strided else (*known, tuple(tensor.shape), tensor.stride())
