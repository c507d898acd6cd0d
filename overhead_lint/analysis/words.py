"""The words that identifiers are made of, and what a few of them say."""

from __future__ import annotations

import re
import sys

from overhead_lint.analysis.remembered import remembered

__all__ = ["words"]

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


@remembered(2048)
def words(name: str) -> tuple[str, ...]:
    """The lower-case words of an identifier: ``trainLoader_2`` gives ``("train", "loader", "2")``."""
    return tuple([sys.intern(word.lower()) for word in _WORD.findall(name)])  # names share most of them
