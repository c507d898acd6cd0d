"""Where functions turn gradients off."""

from __future__ import annotations

import enum

__all__ = ["Gradients"]


class Gradients(enum.IntFlag):
    """Where a function does; caches keep the numbers."""

    ON = 0
    OFF = 1
    """In all of it, or it puts a module into the mode of evaluations."""
    OFF_IN_LOOPS = 2
    """In all of its hot loops that may be evaluations."""
