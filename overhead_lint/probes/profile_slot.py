"""Who uses the profile function of a thread: Python has one for each, and setting it drops the last one."""

from __future__ import annotations

import sys
import threading
from collections import Counter

__all__ = ["free", "give_back", "take"]

_taken: Counter[int] = Counter()


def take() -> None:
    """Say that this thread's profile function is in use, where `sys.getprofile` cannot know: from C."""
    _taken[threading.get_ident()] += 1


def give_back() -> None:
    """Undo one `take` of this thread."""
    _taken[threading.get_ident()] -= 1


def free() -> bool:
    """Whether setting this thread's profile function would disturb nobody."""
    return sys.getprofile() is None and not _taken[threading.get_ident()]
