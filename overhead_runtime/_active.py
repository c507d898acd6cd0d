"""The blocks that each thread is in, with what to restore when they end.

One list a thread instead of state on an instance: so an instance can be entered again while it is active,
and by several threads.
"""

from __future__ import annotations

import threading
from typing import Any

__all__ = ["Entry", "local", "take"]

Entry = tuple[Any, ...]
"""The instance that was entered, and what its exit has to restore."""

_every_list: dict[int, list[Entry]] = {}


class _Local(threading.local):
    """`entries`: the blocks that are active in this thread, innermost last."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        _every_list[threading.get_ident()] = self.entries


local = _Local()


def take(instance: object) -> Entry | None:
    """Remove and return the last entry of an instance, where it is not the thread's innermost block.

    Generators and coroutines end blocks in any order. A block entered in another thread is found too (a
    generator that was closed elsewhere), after the blocks of this one.

    Returns:
        The entry; None if the instance is not active.
    """
    own = local.entries
    for index in range(len(own) - 1, -1, -1):
        if own[index][0] is instance:
            return own.pop(index)
    for entries in list(_every_list.values()):
        for entry in reversed(list(entries)):
            if entry[0] is instance:
                entries.remove(entry)  # By value: its thread may push and pop meanwhile.
                return entry
    return None
