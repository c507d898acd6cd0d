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


class Triggers:
    """Looks for many byte strings at once.

    A file repeats its words: each string's longest word is looked for among the different ones of the file,
    which are a fraction of it, and only where it is among them in the whole file.

    Args:
        triggers: the strings.
    """

    def __init__(self, triggers: Iterable[bytes]) -> None:
        self._longest = {
            trigger: max(_WORD.findall(trigger), key=len, default=b"") for trigger in sorted(set(triggers))
        }

    def held_by(self, data: bytes) -> frozenset[bytes]:
        """The strings that occur in a text."""
        words = b" ".join(set(data.translate(_WORDS_ONLY).split()))
        return frozenset(
            trigger
            for trigger, word in self._longest.items()
            if word in words and (word == trigger or trigger in data)
        )
