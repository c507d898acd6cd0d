"""Finds out whether guards with recursive dict tags stop watching dicts before they are freed.

From Python 3.12 on, such guards are told of changes by a watcher of torch, which keeps their addresses by
dict. Until torch 2.13, guards whose check failed stayed in that list when they were freed: the next change
of a dict, or its end, then wrote into memory of others.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

__all__ = ["end_with_guards"]

# Where CPython keeps which watchers a dict has: behind the object's header and the number of its items.
_OFFSET = object.__basicsize__ + ctypes.sizeof(ctypes.c_ssize_t)
_WATCHERS = 0xFF


class _Owner:
    """Has an attribute that another one has, too."""

    def __init__(self, shared: dict[str, int]) -> None:
        self.shared = shared


@functools.cache
def end_with_guards() -> bool:
    """Whether nothing of a dict's watcher leads to guards that are gone, as a trial shows.

    Two guards watch a dict, and both give up: the first since its check failed, the other since something
    changed. If both have left the list, torch stops watching. Nothing is freed meanwhile.
    """
    if not hasattr(ctypes.pythonapi, "PyDict_Watch"):
        return True  # There are no watchers: guards compare versions.
    from torch._C._dynamo import guards

    shared = {"key": 1}
    first, second = _Owner(shared), _Owner(shared)
    root: Any = guards.RootGuardManager()
    for name, owner in (("first", first), ("second", second)):
        _add_tagged(root, name, owner)
    root.check({"first": first, "second": second})
    watched = _watchers(shared)
    root.check({"first": shared, "second": second})
    for owner in (first, second):
        vars(owner).update(changed=True)
    return bool(watched & ~_watchers(shared))


def _add_tagged(root: Any, name: str, owner: _Owner) -> None:
    """Guard an object, its dict and what it shares; tags stand for all three."""
    from torch._dynamo.guards import GuardManagerType

    plain = GuardManagerType.GUARD_MANAGER
    top = root.dict_getitem_manager(name, name, owner, plain)
    attributes = top.get_generic_dict_manager(name, vars(owner), plain)
    shared = attributes.dict_getitem_manager("shared", name, owner.shared, plain)
    for manager in (top, attributes, shared):
        manager.mark_tag_safe()
    top.mark_tag_safe_root()


def _watchers(value: dict[str, int]) -> int:
    """Return the watchers of a dict, a bit each."""
    return ctypes.c_uint64.from_address(id(value) + _OFFSET).value & _WATCHERS
