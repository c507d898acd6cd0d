"""Which of the byte strings that rules name occur in a file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Triggers"]

# Letters, digits, underscores and all that is not ASCII stay; the rest parts words.
_WORDS_ONLY: Final = bytes(
    code if code > 127 or chr(code).isalnum() or code == ord("_") else ord(" ") for code in range(256)
)
_WORD: Final = re.compile(rb"[A-Za-z0-9_\x80-\xff]+")
# Words that are remembered: more than most packages have, a megabyte or two.
_MOST_WORDS: Final = 20_000
_SPACE: Final = ord(" ")
_NO_WORD: Final = b""


class Triggers:
    """Looks for many byte strings at once.

    Files repeat their words, and those of each other: which different words of a project hold words of a
    string is found out once, and only where a file has all words of a string, it is looked for in the file.

    Args:
        triggers: the strings.
    """

    def __init__(self, triggers: Iterable[bytes]) -> None:
        self._words: set[bytes] = set()
        self._others: dict[bytes, list[tuple[bytes, tuple[bytes, ...]]]] = {}  # by their first words
        for trigger in sorted(set(triggers)):
            if _WORD.fullmatch(trigger):
                self._words.add(trigger)
            else:
                parts = _parts(trigger)
                self._others.setdefault(parts[0] if parts else _NO_WORD, []).append((trigger, parts))
        parts_of_all = (parts for others in self._others.values() for _, parts in others)
        self._needles = self._words.union(*parts_of_all)
        self._barren: set[bytes] = set()
        self._telling: dict[bytes, frozenset[bytes]] = {}
        self._tellers: set[bytes] = set()  # its keys: what two sets share is found by way of the smaller one
        self._shared: dict[frozenset[bytes], frozenset[bytes]] = {}

    def forget(self) -> None:
        """Forget which words were seen: of a large project that is much to remember."""
        for known in (self._barren, self._telling, self._tellers, self._shared):
            known.clear()

    def held_by(self, data: bytes) -> frozenset[bytes]:
        """The strings that occur in a text."""
        words = set(data.translate(_WORDS_ONLY).split()).difference(self._barren)
        telling = words & self._tellers
        found = self._judged(words - telling).union(*[self._telling[word] for word in telling])
        held = found & self._words
        for first in (_NO_WORD, *(self._others.keys() & found)):
            for trigger, parts in self._others.get(first, ()):
                if found.issuperset(parts) and trigger in data:
                    held.add(trigger)
        return frozenset(held)

    def _judged(self, words: set[bytes]) -> set[bytes]:
        """What new words hold of the strings' words; which word holds which is remembered."""
        if len(self._barren) > _MOST_WORDS:
            self._barren.clear()
        joined = b" %s " % b" ".join(words)
        found = {needle for needle in self._needles if needle in joined}
        telling: dict[bytes, set[bytes]] = {}
        for needle in found:
            at = joined.find(needle)
            while at >= 0:
                inside = at + (needle[0] == _SPACE)
                end = joined.index(b" ", inside)
                holder = joined[joined.rindex(b" ", 0, inside) + 1 : end]
                telling.setdefault(holder, set()).add(needle)
                at = joined.find(needle, end)
        for holder, needles in telling.items():  # most hold one, and the same as others
            frozen = frozenset(needles)
            self._telling[holder] = self._shared.setdefault(frozen, frozen)
        self._tellers.update(telling)
        self._barren |= words - self._tellers
        return found


def _parts(trigger: bytes) -> tuple[bytes, ...]:
    """The words of a string, with a space where it shows that a word begins or ends."""
    return tuple(
        b" " * (match.start() > 0) + match[0] + b" " * (match.end() < len(trigger))
        for match in _WORD.finditer(trigger)
    )
