"""States in which the guards of an entry passed."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import torch
from torch._C._dynamo.guards import GlobalStateGuard

# An entry whose state changes all the time is not worth remembering: after this many changes in a row,
# each followed by fewer than _WORTH recognised calls, its guards are evaluated as in "full".
_PATIENCE = 8
_WORTH = 16
# Objects of which an entry has a state each, at most.
_MOST = 16

# The identities of the arguments that are remembered as themselves.
Owners = tuple[int, ...]


class Remembered:
    """One state in which the guards of one entry passed.

    Args:
        flat: what the guards read, and the arguments.
        owners: weak references to the arguments that are remembered as themselves, held as long as it is.
    """

    __slots__ = ("_flat", "_global_state", "_holds", "_owners", "_saved_hooks", "hits_here")

    def __init__(self, flat: Any, owners: tuple[weakref.ref[Any], ...]) -> None:
        self._owners = owners
        self._flat = flat
        self._holds: Callable[[tuple[Any, ...]], bool] = flat.holds
        self._global_state: Callable[[], bool] = GlobalStateGuard().check
        self._saved_hooks = torch._C._autograd._top_saved_tensors_default_hooks
        self.hits_here = 0

    @property
    def hits(self) -> int:
        """Calls that recognised it, here and in the native gate."""
        return self.hits_here + int(self._flat.hits)

    def parts(self) -> tuple[Any, Callable[[], bool]]:
        """What the native gate compares: the state itself, and Dynamo's check of global state."""
        return self._flat, self._global_state

    def holds(self, args: tuple[Any, ...]) -> bool:
        """Whether a call with these arguments meets the same state, so that the guards would pass."""
        return self._holds(args) and self._global_state() and self._saved_hooks(True) is None


class States:
    """The states of one entry: one for all calls, or one for each of the objects that calls are given."""

    __slots__ = ("_changes", "_known")

    def __init__(self) -> None:
        self._known: dict[Owners, Remembered] = {}
        # How often each has changed in a row, followed by few recognised calls.
        self._changes: dict[Owners, int] = {}

    def known(self) -> tuple[Remembered, ...]:
        """Those that are remembered."""
        return tuple(self._known.values())

    def has_given_up(self) -> bool:
        """Whether the state of some object changes too often, or there are too many of them."""
        return _PATIENCE in self._changes.values()

    def may_learn(self, owners: Owners) -> bool:
        """Forget the state of these objects; whether another is worth remembering."""
        previous = self._known.pop(owners, None)
        changes = self._changes.get(owners, 0)
        if changes >= _PATIENCE or (owners not in self._changes and len(self._changes) >= _MOST):
            self._changes[owners if owners in self._changes else ()] = _PATIENCE
            return False
        self._changes[owners] = 0 if previous is not None and previous.hits >= _WORTH else changes + 1
        return True

    def keep(self, owners: Owners, remembered: Remembered) -> None:
        """Remember one."""
        self._known[owners] = remembered

    def forget(self, owners: Owners) -> bool:
        """Forget objects of which one has come to its end; whether anything was known of them."""
        known = self._changes.pop(owners, None) is not None
        return self._known.pop(owners, None) is not None or known
