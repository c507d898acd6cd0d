"""How names are written by which files tell each other of attributes and constants."""

from __future__ import annotations

from typing import Final

__all__ = ["HELD", "STUB", "held"]

HELD: Final = ":"
"""Stands between a class and an attribute of its instances, and before a name of the top level."""
STUB: Final = "-"
"""What a method gives that is there to be overridden."""


def held(owner: str, name: str) -> str:
    """The key of an attribute of a class, or with no owner of a name of the top level."""
    return f"{owner}{HELD}{name}"
