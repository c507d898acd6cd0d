"""How many processors this process may use."""

from __future__ import annotations

import os

__all__ = ["usable"]


def usable() -> int:
    """Processors that this process may run on, which in a container may be fewer than the machine has."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
