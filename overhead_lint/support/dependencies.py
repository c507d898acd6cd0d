"""What the linter imports that is no part of Python."""

from __future__ import annotations

from typing import Final

__all__ = ["REQUIRED"]

REQUIRED: Final = frozenset({"libcst", "pathspec", "pluggy", "tabulate", "tomli"})
"""Packages that an installation brings; only a checkout may lack one."""
