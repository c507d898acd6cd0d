"""Where functions wait for the device, whatever is mended."""

from __future__ import annotations

import enum

__all__ = ["Staying"]


class Staying(enum.IntFlag):
    """Where a function waits, whatever is mended; caches keep the numbers."""

    NOWHERE = 0
    EACH_CALL = 1
    """Each call does, outside of hot loops, as far as nothing is optional."""
    EACH_ROUND = 2
    """Rounds of a hot loop do."""
