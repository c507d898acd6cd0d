"""Remembers in which state an entry's guards passed, and recognises that state again."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch
from torch._C._dynamo.guards import GlobalStateGuard

from . import fingerprint, native
from .dynamo import Unsupported
from .places import is_held_to_itself

if TYPE_CHECKING:
    from .dispatcher import Entry
    from .routes import Bound, Route

# An entry whose state changes all the time is not worth remembering: after this many changes in a row,
# each followed by fewer than _WORTH recognised calls, its guards are evaluated as in "full".
_PATIENCE = 8
_WORTH = 16
# Objects of which an entry has a state each, at most.
_MOST = 16

# The identities of the arguments that are remembered as themselves.
Owners = tuple[int, ...]


class Disagreement(RuntimeError):
    """The remembered state was recognised, yet a guard fails: the two must never disagree."""


class Remembered:
    """One state in which the guards of one entry passed.

    Args:
        flat: what the guards read, and the arguments.
        by_keyword: how many of the arguments are given by keyword alone, in the order of the signature.
        owners: weak references to the arguments that are remembered as themselves, held as long as it is.
    """

    __slots__ = ("_flat", "_global_state", "_holds", "_owners", "_saved_hooks", "by_keyword", "hits_here")

    def __init__(self, flat: Any, by_keyword: int, owners: tuple[weakref.ref[Any], ...]) -> None:
        self.by_keyword = by_keyword
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


class Memory:
    """Learns the states of the entries of one dispatcher.

    Args:
        verify_every: Evaluate all guards in every so many recognised calls too; 0 for never.

    Raises:
        Unsupported: There is nothing to compare states with.
    """

    def __init__(self, verify_every: int) -> None:
        if not hasattr(torch._C._autograd, "_top_saved_tensors_default_hooks"):
            raise Unsupported("this torch has no _top_saved_tensors_default_hooks")
        self._state = native.flat_state()
        self.verify_every = verify_every
        self._countdown = verify_every
        self.hits = 0
        self.refusal: str | None = None
        # Called when a state is forgotten because an argument has come to its end.
        self.forgotten: Callable[[], None] = _nothing

    def recognises(self, entry: Entry, bound: Bound, skip: int) -> bool:
        """Whether the entry's guards need no evaluation in this call.

        Args:
            entry: The entry, with its remembered state or None.
            bound: The bound arguments.
            skip: How many of the positional ones are not the caller's: the bound object.

        Raises:
            Disagreement: It was this call's turn to be verified, and a guard fails.
        """
        states = entry.states.known()
        own, by_keyword = _own(bound, skip), len(bound[2])
        remembered = next((one for one in states if one.by_keyword == by_keyword and one.holds(own)), None)
        if remembered is None:
            return False
        remembered.hits_here += 1
        self.hits += 1
        if self.verify_every:
            self._countdown -= 1
            if self._countdown <= 0:
                self._countdown = self.verify_every
                if not entry.check(bound[0]):
                    raise Disagreement(f"recognised a state whose guards fail: {entry.failing(bound[0])}")
        return True

    def learn(self, entry: Entry, route: Route, bound: Bound) -> None:
        """Remember the present state: the entry's guards have just passed on this thread."""
        names = bound[0]
        own = _own(bound, len(route.prefix))
        themselves = tuple(value for value in own if not _can_remember(value))
        key = tuple(map(id, themselves)) if all(map(is_held_to_itself, themselves)) else ()
        if not entry.states.may_learn(key):
            return
        try:
            by_keyword = route.function.__code__.co_kwonlyargcount
            if len(bound[2]) != by_keyword:
                raise Unsupported("**kwargs are not remembered")
            if len(key) != len(themselves):
                raise Unsupported("an argument is neither a tensor nor a simple constant, nor a plain object")
            places = fingerprint.places_read(entry.root, names, route.function, len(route.prefix))
            flat = self._state(places, own, themselves)
            # The state must not keep a model alive whose class is compiled: it goes with the model.
            end = functools.partial(self._forget, weakref.ref(entry), key)
            owners = tuple(weakref.ref(value, end) for value in themselves)
            remembered = Remembered(flat, by_keyword, owners)
            self.refusal = None
        except (Unsupported, TypeError) as error:
            # TypeError: the native core met an object that it cannot watch.
            self.refusal = str(error)
            return
        # Another thread may have changed something since the guards passed: they must pass in the very
        # state that was noted, and it must be there still afterwards.
        if entry.check(names) and remembered.holds(own):
            entry.states.keep(key, remembered)

    def _forget(self, entry: weakref.ref[Entry], key: Owners, owner: weakref.ref[Any]) -> None:
        known = entry()
        if known is not None and known.states.forget(key):
            self.forgotten()


def _nothing() -> None:
    pass


def _own(bound: Bound, skip: int) -> tuple[Any, ...]:
    """The caller's arguments: by position, and then those by keyword alone in the order of the signature."""
    return (*bound[1][skip:], *bound[2].values()) if bound[2] else bound[1][skip:]


def _can_remember(value: Any) -> bool:
    if type(value) in (torch.Tensor, torch.nn.Parameter):
        return not getattr(value, "__dict__", None)
    return type(value) in (int, float, bool, str, type(None))
