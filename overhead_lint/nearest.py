"""The known word that somebody may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from operator import eq

__all__ = ["did_you_mean", "nearest"]

_HALF = 0.5


def nearest(word: str, words: Iterable[str], *, cutoff: float = _HALF) -> str:
    """The word most like `word`, "" if none is; of words that are alike as much, one that begins as it does.

    Args:
        word: as it was written.
        words: those that there are.
        cutoff: how much of the two must agree, from 0 to 1.
    """
    import difflib  # costs start-up

    near = difflib.get_close_matches(word, words, n=10, cutoff=cutoff)
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
