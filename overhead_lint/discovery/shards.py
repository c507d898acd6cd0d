"""Shards: the files of a run dealt out to several machines, alike on each of them."""

from __future__ import annotations

import os
import zlib
from pathlib import PurePath
from typing import TYPE_CHECKING

from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from overhead_lint.discovery.walking import Target

__all__ = ["Shard"]


class Shard(NamedTuple):
    """One of several shares of the files that are checked.

    Attributes:
        number: which one, from 1.
        total: how many there are.
    """

    number: int
    total: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Return the shard that a text such as ``2/4`` names.

        Raises:
            ValueError: it names none.
        """
        number, slash, total = text.partition("/")
        if not (slash and _is_number(number) and _is_number(total) and 1 <= int(number) <= int(total)):
            raise ValueError(text)
        return cls(int(number), int(total))

    def split(self, targets: Sequence[Target], root: Path | None) -> tuple[list[Target], list[Target]]:
        """Return the files of this shard, and those of the others.

        A file goes by its path below the root, so that each machine deals alike wherever its checkout lies,
        and so that a file stays in its shard when others come and go.
        """
        own: list[Target] = []
        others: list[Target] = []
        start = os.path.abspath(root if root is not None else os.curdir)  # noqa: PTH100 - of thousands
        for target in targets:
            (own if _number_of(target.text, start) % self.total == self.number - 1 else others).append(target)
        return own, others


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def _number_of(path: str, start: str) -> int:
    try:
        below = os.path.relpath(path, start)
    except ValueError:  # Windows: on another drive
        below = os.path.abspath(path)  # noqa: PTH100 - of thousands
    return zlib.crc32(PurePath(below).as_posix().encode(errors="surrogateescape"))
