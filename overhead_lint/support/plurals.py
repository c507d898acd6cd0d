"""Numbers with their nouns."""

from __future__ import annotations

__all__ = ["count"]


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, in the plural where it is not one."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"
