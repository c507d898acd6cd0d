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
    from .routes import Bound, Route


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
        own, by_name = _own(bound, skip), tuple(bound[2])
        remembered = next((one for one in states if one.by_name == by_name and one.holds(own)), None)
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
            if len(key) != len(themselves):
                raise Unsupported("an argument is neither a tensor, a constant nor a plain object")
            places = fingerprint.places_read(entry.root, names, route.function, len(route.prefix))
            flat = self._state(places, own, themselves)
            # The state must not keep a model alive whose class is compiled: it goes with the model.
            end = functools.partial(self._forget, weakref.ref(entry), key)
            owners = tuple(weakref.ref(value, end) for value in themselves)
            remembered = Remembered(flat, tuple(bound[2]), owners)
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
    """The caller's arguments: by position, and then those by name alone, in the order of the signature."""
    return (*bound[1][skip:], *bound[2].values()) if bound[2] else bound[1][skip:]


# Compared by value: types whose equality runs no code of others.
_CONSTANTS = (
    *(bool, bytes, float, int, str, type(None)),
    *(torch.device, torch.dtype, torch.layout, torch.memory_format),
)
# How deep containers among the arguments are looked into; the native core refuses to go deeper.
_DEEPEST = 8


def _can_remember(value: Any, depth: int = 0) -> bool:
    """Whether an argument is compared by what it is made of."""
    kind = type(value)
    if kind in _CONSTANTS:
        return True
    if is_plain_tensor(value):
        return not getattr(value, "__dict__", None)
    if depth > _DEEPEST:
        return False
    if kind is dict:
        known = all(type(key) in (str, int) for key in value)
        return known and all(_can_remember(item, depth + 1) for item in value.values())
    if kind in (list, tuple, torch.Size) or is_named_tuple(value):
        return all(_can_remember(item, depth + 1) for item in value)
    return False
