"""Codes and prefixes of codes, as settings and options give them: which rules do they name?"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["names", "outweighs"]


def names(entry: str, code: str) -> bool:
    """Whether an entry is a rule's code, a prefix of it, or ``ALL``."""
    return entry == "ALL" or (bool(entry) and code.startswith(entry))


def outweighs(code: str, chosen: Sequence[str], ignored: Sequence[str]) -> bool:
    """Whether the longest entry of `chosen` that names a rule is longer than that of `ignored`."""
    return _weight(code, chosen) > _weight(code, ignored)


def _weight(code: str, entries: Sequence[str]) -> int:
    """Length of the longest entry that names a rule; ``ALL`` names it least, -1 says none does."""
    weights = [0 if entry == "ALL" else len(entry) for entry in entries if names(entry, code)]
    return max(weights, default=-1)
