"""Which source line became which when its text was edited; lines are known by texts, not by numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection
from difflib import SequenceMatcher
from typing import Final

__all__ = ["edited"]

_ALIKE: Final = 0.6
"""The least share of two texts that has to be the same in the same order."""
_WORDS_KEPT: Final = 0.75
"""Else the least share of the shorter text's words that the longer one has in the same order: a line in which
a name was replaced, and to which more was added, is still the same line."""
_FEWEST_WORDS: Final = 3
"""Words that the shorter text needs for that: two names are in many lines."""
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
    """The share of two texts that is the same, from 0 to 1; 0 where too little is."""
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    bound = min(matcher.real_quick_ratio(), matcher.quick_ratio())  # takes less time
    if bound >= _ALIKE and (share := matcher.ratio()) >= _ALIKE:
        return share
    return _ALIKE if _keeps_words(old, new) else 0.0


def _keeps_words(old: str, new: str) -> bool:
    """Whether the longer of two texts has most words of the shorter one, in the same order."""
    shorter, longer = sorted((re.findall(r"\w+", old), re.findall(r"\w+", new)), key=len)
    needed = max(_FEWEST_WORDS, _WORDS_KEPT * len(shorter))
    if (Counter(shorter) & Counter(longer)).total() < needed:
        return False
    blocks = SequenceMatcher(None, shorter, longer, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) >= needed
