"""What the project tells a file besides the heat of its functions."""

from __future__ import annotations

from typing import Final

__all__ = ["COMPILED"]

COMPILED: Final = "!"
"""Stands among the names of functions for those, divided by ``|``, that other files have compiled."""
