"""Codes and prefixes of codes, as settings and options give them: which rules do they name?"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["coded", "names", "outweighs"]


def coded(entries: Sequence[str], codes: Callable[[], Mapping[str, str]]) -> tuple[str, ...]:
    """Return entries with the code of a rule in place of its name.

    Args:
        entries: codes, prefixes, ``ALL``, or names such as ``sync-in-step``.
        codes: gives the codes of all rules by name; called only where an entry may be a name.
    """
    if all(entry.isupper() for entry in entries):
        return tuple(entries)
    of_name = codes()
    return tuple(of_name.get(entry, entry) for entry in entries)


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
