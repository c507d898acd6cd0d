"""Lets go of guards with recursive dict tags before tensors are swapped.

Such guards hold weak references to parameters, and `torch.utils.swap_tensors` refuses a tensor that has
any. It asks for them through its module's name ``weakref``; the answer given here comes after compiled
code is dropped, so that only references of others are left. What is called next is compiled anew.
"""

from __future__ import annotations

import gc
import types
import weakref
from typing import Any, Protocol

import torch
from torch._dynamo import guards

__all__ = ["register", "watch"]

_NAME = "weakref"
_ASKED = "getweakrefs"
_Owner: Any = getattr(guards, "CheckFunctionManager", None)
_Dropped: Any = getattr(guards, "DeletedGuardManagerWrapper", None)


class Holder(Protocol):
    """Something that holds entries of Dynamo's cache."""

    def let_go(self) -> None:
        """Hold none any more."""


_holders: weakref.WeakSet[Any] = weakref.WeakSet()


def register(holder: Holder) -> None:
    """Have a holder let go when tensors are swapped, as long as it lives."""
    _holders.add(holder)


def watch() -> bool:
    """Put the answer in place, once for the process.

    Returns:
        Whether swaps find no weak reference of a guard any more; False where this torch asks in another way.
    """
    swap = getattr(torch.utils, "swap_tensors", None)
    if swap is None:
        return True  # There is nothing to be refused.
    names = getattr(swap, "__globals__", {})
    known = names.get(_NAME)
    if getattr(known, _ASKED, None) is _weak_references:
        return True
    asks = known is weakref and {_NAME, _ASKED} <= set(swap.__code__.co_names)
    if not asks or _Owner is None or _Dropped is None:
        return False
    own: Any = types.ModuleType(_NAME)
    vars(own).update(vars(weakref))
    setattr(own, _ASKED, _weak_references)
    names[_NAME] = own
    return True


def _weak_references(tensor: Any) -> list[Any]:
    if weakref.getweakrefcount(tensor):
        for holder in list(_holders):
            holder.let_go()
        _drop_guards()
    return weakref.getweakrefs(tensor)


def _drop_guards() -> None:
    """Drop all compiled code with its guards; a reset would leave them to their owners."""
    for owner in gc.get_objects():
        if type(owner) is not _Owner:
            continue
        manager = getattr(owner, "guard_manager", None)
        if manager is None or isinstance(manager, _Dropped):
            continue
        dropped = _Dropped("parameters are swapped")
        if manager.cache_entry is not None and manager.extra_state is not None:
            manager.extra_state.invalidate(manager.cache_entry, dropped)
        owner.guard_manager = dropped
