"""Where in functions gradients are off, and where they wait for the device; caches keep the numbers."""

from __future__ import annotations

import enum

__all__ = ["Gradients", "Staying"]


class Gradients(enum.IntFlag):
    """Where a function turns gradients off."""

    ON = 0
    OFF = 1
    """In all of it, or it puts a module into the mode of evaluations."""
    OFF_IN_LOOPS = 2
    """In all of its hot loops that may be evaluations."""


class Staying(enum.IntFlag):
    """Where a function waits, whatever is mended."""

    NOWHERE = 0
    EACH_CALL = 1
    """Each call does, outside of hot loops, as far as nothing is optional."""
    EACH_ROUND = 2
    """Rounds of a hot loop do."""
