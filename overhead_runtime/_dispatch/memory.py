"""Remembers in which state an entry's guards passed, and recognises that state again."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from . import fingerprint, native
from .places import is_held_to_itself, is_named_tuple, is_plain_tensor
from .states import Owners, Remembered
from .unsupported import Unsupported

if TYPE_CHECKING:
    from .entry import Entry
    from .routes import Route
    from .signature import Bound


class Disagreement(RuntimeError):
    """The remembered state was recognised, yet a guard fails: the two must never disagree."""


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

    def recognises(self, entry: Entry, bound: Bound, own: tuple[Any, ...]) -> bool:
        """Whether the entry's guards need no evaluation in this call.

        Args:
            entry: The entry, with its remembered state or None.
            bound: The bound arguments.
            own: Those of them that the caller gave, in the order of the local names.

        Raises:
            Disagreement: It was this call's turn to be verified, and a guard fails.
        """
        states = entry.states.known()
        remembered = next((one for one in states if one.holds(own)), None)
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

    def learn(self, entry: Entry, route: Route, bound: Bound, own: tuple[Any, ...]) -> None:
        """Remember the present state: the entry's guards have just passed on this thread."""
        names = bound[0]
        themselves: list[Any] = []
        is_known = all(_can_remember(value, themselves) for value in own)
        key = tuple(map(id, themselves)) if is_known else ()
        if not entry.states.may_learn(key):
            return
        try:
            if not is_known:
                raise Unsupported("an argument is neither a tensor, a constant nor a plain object")
            places = fingerprint.places_read(entry.root, names, route.function, len(route.prefix))
            flat = self._state(places, own, tuple(themselves))
            # The state must not keep a model alive whose class is compiled: it goes with the model.
            end = functools.partial(self._forget, weakref.ref(entry), key)
            owners = tuple(weakref.ref(value, end) for value in themselves)
            remembered = Remembered(flat, owners)
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


# Compared by value: types whose equality runs no code of others.
_CONSTANTS = (
    *(bool, bytes, float, int, str, type(None)),
    *(torch.device, torch.dtype, torch.layout, torch.memory_format),
)
# How deep containers among the arguments are looked into; the native core refuses to go deeper.
_DEEPEST = 8


def _can_remember(value: Any, themselves: list[Any], depth: int = 0) -> bool:
    """Whether an argument can be compared; adds the objects in it that are compared as themselves."""
    kind = type(value)
    if kind in _CONSTANTS:
        return True
    if is_plain_tensor(value):
        return not getattr(value, "__dict__", None)
    if is_held_to_itself(value):
        themselves.append(value)
        return True
    if depth > _DEEPEST:
        return False
    if kind is dict:
        known = all(type(key) in (str, int) for key in value)
        return known and all(_can_remember(item, themselves, depth + 1) for item in value.values())
    if kind in (list, tuple, torch.Size) or is_named_tuple(value):
        return all(_can_remember(item, themselves, depth + 1) for item in value)
    return False
