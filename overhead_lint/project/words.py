"""The words that identifiers are made of, and what a few of them say."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["words"]

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


@lru_cache(maxsize=8192)
def words(name: str) -> tuple[str, ...]:
    """The lower-case words of an identifier: ``trainLoader_2`` gives ``("train", "loader", "2")``."""
    return tuple(word.lower() for word in _WORD.findall(name))
