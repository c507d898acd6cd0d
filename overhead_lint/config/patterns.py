"""What entries of the settings ``hot`` and ``cold`` look like: dotted names with wildcards, or paths."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["is_path", "is_pattern"]

_DOTTED: Final = r"(?!!)[\w.*?\[\]<>!]+"  # compiled when it is asked for


def is_path(pattern: str) -> bool:
    """Whether an entry of ``hot`` or ``cold`` means files, as in ``.gitignore``, and not dotted names."""
    return "/" in pattern or pattern.endswith(".py")


def is_pattern(entry: str) -> bool:
    """Whether an entry of ``hot`` or ``cold`` can be used."""
    return is_path(entry) or bool(re.fullmatch(_DOTTED, entry))
