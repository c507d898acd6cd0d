"""Which source line became which when its text was edited; lines are known by texts, not by numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from difflib import SequenceMatcher
from typing import Final

__all__ = ["edited"]

_ALIKE: Final = 0.6
"""The least share of two texts that has to be the same in the same order."""
_MOST_COMPARED: Final = 200
"""Texts a side; where there are more, a file was written anew and nothing is paired."""


def edited(
    gone: Collection[str], come: Collection[str], same: Callable[[str, str], bool] = lambda old, new: False
) -> dict[str, str]:
    """Pair texts of lines that are gone with those that came in their places.

    Args:
        gone: texts of before that are not there any more.
        come: texts that were not there before.
        same: whether two lines do the same, so that one may be the other whatever their texts are.

    Returns:
        The new text by the old one, for those that have one: the most alike first, each text once.
    """
    if len(gone) > _MOST_COMPARED or len(come) > _MOST_COMPARED:
        return {}
    ranked = sorted(
        (-(likeness + same(old, new)), old, new)
        for old in gone
        for new in come
        if (likeness := _likeness(old, new)) >= _ALIKE or same(old, new)
    )
    found: dict[str, str] = {}
    taken: set[str] = set()
    for _, old, new in ranked:
        if old not in found and new not in taken:
            found[old] = new
            taken.add(new)
    return found


def _likeness(old: str, new: str) -> float:
    """The share of two texts that is the same, from 0 to 1."""
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if min(matcher.real_quick_ratio(), matcher.quick_ratio()) < _ALIKE:  # bounds that take less time
        return 0.0
    return matcher.ratio()
