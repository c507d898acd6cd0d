"""The known word that somebody may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from operator import eq

__all__ = ["did_you_mean", "nearest"]

_HALF = 0.5
_SHORT = 4  # letters, of which one makes another word


def nearest(word: str, words: Iterable[str], *, cutoff: float = _HALF) -> str:
    """The word most like `word`, "" if none is; of words that are alike as much, one that begins as it does.

    A word is near that few keys turn into the other, or of which the other is the beginning or a part.

    Args:
        word: as it was written.
        words: those that there are.
        cutoff: how much of the two must agree, from 0 to 1.
    """
    import difflib  # costs start-up

    near = [
        other
        for other in difflib.get_close_matches(word, words, n=10, cutoff=cutoff)
        if _is_near(_plain(word), _plain(other))
    ]
    same = difflib.SequenceMatcher(b=word)  # keeps what it knows of its second text

    def likeness(other: str) -> tuple[float, int]:
        same.set_seq1(other)
        return same.ratio(), sum(1 for _ in takewhile(bool, map(eq, word, other)))

    return max(near, key=likeness, default="")


def did_you_mean(word: str, words: Iterable[str], otherwise: str, *, cutoff: float = _HALF) -> str:
    """A question after the nearest word, or what is said where there is none.

    Args:
        word: as it was written.
        words: those that there are.
        otherwise: what else is said.
        cutoff: as of `nearest`.
    """
    meant = nearest(word, words, cutoff=cutoff)
    return f"did you mean {meant}?" if meant else otherwise


def _plain(word: str) -> str:
    return word.lower().strip("-").replace("_", "-")


def _is_near(word: str, other: str) -> bool:
    """Whether a word may be a slip for another: letters in common alone tell nothing of short ones."""
    shorter = min(len(word), len(other))
    part = other.startswith(word) or word in other.split("-") or word.startswith(f"{other}-")
    if part and shorter >= len("abc"):
        return True
    if not word or not other or (shorter <= _SHORT and word[0] != other[0]):
        return False
    return _keys_between(word, other) <= max(1, shorter // 3)


def _keys_between(word: str, other: str) -> int:
    """How many letters are left out, added, replaced or swapped with their neighbour."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(word):
        now = [row + 1]
        for column, there in enumerate(other):
            keys = min(last[column] + (letter != there), last[column + 1] + 1, now[column] + 1)
            if row and column and (letter, word[row - 1]) == (other[column - 1], there):
                keys = min(keys, before[column - 1] + 1)
            now.append(keys)
        before, last = last, now
    return last[-1]
