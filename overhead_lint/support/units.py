"""Times with their units, as people read and write them. Imports nothing."""

from __future__ import annotations

__all__ = ["PER_SECOND", "seconds"]

PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
"""How many of each unit a second has; the largest unit first."""


def seconds(value: float) -> str:
    """A number of seconds in the unit that suits it: three digits, ``0 ns`` for none."""
    unit = next((unit for unit, per in PER_SECOND.items() if abs(value) * per >= 1), "ns")
    return f"{value * PER_SECOND[unit]:.3g} {unit}"
