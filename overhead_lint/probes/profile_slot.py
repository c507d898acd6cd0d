"""Who uses the profile function of a thread: Python has one for each, and setting it drops the last one."""

from __future__ import annotations

import sys
import threading
from collections import defaultdict
from collections.abc import Callable

__all__ = ["SetGuest", "borrow", "free", "give_back", "take"]

SetGuest = Callable[[object], None]
"""Lets a profile function be called beside the one in the slot; None takes it away again."""

_taken: defaultdict[int, list[SetGuest | None]] = defaultdict(list)


def take(set_guest: SetGuest | None = None) -> None:
    """Say that this thread's profile function is in use, where `sys.getprofile` cannot know: from C.

    Args:
        set_guest: how somebody else's profile function gets the calls, too; None where it cannot.
    """
    _taken[threading.get_ident()].append(set_guest)


def give_back() -> None:
    """Undo one `take` of this thread."""
    _taken[threading.get_ident()].pop()


def free() -> bool:
    """Whether setting this thread's profile function would disturb nobody."""
    return sys.getprofile() is None and not _taken[threading.get_ident()]


def borrow() -> SetGuest | None:
    """How to have a profile function called for a while, disturbing nobody; None where that cannot be."""
    if sys.getprofile() is not None:
        return None
    users = _taken[threading.get_ident()]
    return users[-1] if users else sys.setprofile  # type: ignore[return-value] # any object will do
