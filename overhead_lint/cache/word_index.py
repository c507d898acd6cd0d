"""All words that the records of a project's files have, in one place: which names none of them mentions.

After an edit that adds a function it is asked whether any file mentions its name. To ask all records takes
longer than to look into the file that was edited.
"""

from __future__ import annotations

import marshal
from typing import TYPE_CHECKING, Final

from overhead_lint.cache.records import parts_of
from overhead_lint.support import blobs

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from overhead_lint.cache.entry import Entry

__all__ = ["WordIndex"]

# Letters, digits and underscores stay, the rest parts words.
_WORDS_ONLY: Final = bytes(
    code if code < 128 and (chr(code).isalnum() or code == ord("_")) else ord(" ") for code in range(256)
)
_APART: Final = b"\n"
_WORN: Final = 8  # one in so many files is not covered any more


class WordIndex:
    """The words of the records that files had once.

    Args:
        file: where they are kept.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._covered: dict[str, bytes] = {}
        self._words = b""

    def read(self) -> None:
        """Take what an earlier run wrote; nothing if it is broken, or not there."""
        try:
            _, self._covered, self._words = blobs.get(self._file)
        except blobs.UNUSABLE:
            self._covered, self._words = {}, b""

    def that_may(self, names: Collection[str], entries: Mapping[str, Entry]) -> Iterator[str]:
        """The files whose records may mention one of some plain names.

        Args:
            names: the names.
            entries: all files of the project as they are now.
        """
        self.read()
        every = self._may_hold(names)
        for name, entry in entries.items():
            if every or self._covered.get(name) != _state(entry):
                yield name

    def _may_hold(self, names: Iterable[str]) -> bool:
        """Whether a record that is covered has one of some names as a word."""
        return any(
            not name.isascii() or _APART + name.encode() + _APART in self._words
            for name in names
            if name.isidentifier()
        )

    def renew(self, entries: Mapping[str, Entry], record_of: Callable[[Entry], bytes]) -> None:
        """Write the words of all records, if many files are others than when that was done last.

        Args:
            entries: all files of the project.
            record_of: gives the record of a file.

        Raises:
            OSError: they cannot be written.
        """
        self.read()
        others = sum(self._covered.get(name) != _state(entry) for name, entry in entries.items())
        if others * _WORN <= len(entries):
            return
        words: set[bytes] = set()
        covered = {}
        for name, entry in entries.items():
            record = record_of(entry)
            if record:
                said = repr(list(map(marshal.loads, parts_of(record).texts())))
                words.update(said.encode(errors="replace").translate(_WORDS_ONLY).split())
                covered[name] = _state(entry)
        blobs.put(self._file, (covered, _APART.join((b"", *sorted(words), b""))))


def _state(entry: Entry) -> bytes:
    """What tells whether a file's record says the same to the graph."""
    return entry.in_graph or entry.digest
