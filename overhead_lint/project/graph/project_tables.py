"""What only all files of a project together can be asked for: found out once, and kept as plain data.

With it the calls of a few files can be followed, and of the others only those are read that these ask.
"""

from __future__ import annotations

import marshal
import zlib
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


__all__ = ["Kept", "Tables", "compressed", "decompressed"]

_ITEMS: Final = 500  # of a table in one piece

Plain = dict[Any, Any]


class Tables(NamedTuple):
    """Classes, functions and modules are given by their keys.

    Attributes:
        bases: of classes, those that are classes of the project.
        heirs: the classes that derive from a class.
        methods: the classes that have a method, by its name.
        patched: modules and paths of functions that are put in attributes, by the names of these.
        handed: modules and paths of what calls hand to parameters, by function and name.
        passed: what calls of other files pass to functions, by place and keyword.
        related: for packages those that have to do with them.
    """

    bases: Plain
    heirs: Plain
    methods: Plain
    patched: Plain
    handed: Plain
    passed: Plain
    related: Plain


class Kept:
    """A table that was kept between runs, and is only read when it is asked for.

    Args:
        pieces: what `compressed` gave of it.
    """

    __slots__ = ("_pieces", "_table")

    def __init__(self, pieces: tuple[bytes, ...] = ()) -> None:
        self._pieces = pieces
        self._table: Plain | None = None

    @property
    def table(self) -> Plain:
        """The table, which may be changed."""
        if self._table is None:
            self._table = decompressed(self._pieces)
        return self._table

    def pieces(self) -> tuple[bytes, ...]:
        """It as it is to be kept."""
        return self._pieces if self._table is None else compressed(self._table)


def compressed(table: dict[Any, Any]) -> tuple[bytes, ...]:
    """A table in pieces: of all of it at once there would be several copies for a moment."""
    items = iter(table.items())
    pieces = []
    while piece := dict(islice(items, _ITEMS)):
        pieces.append(zlib.compress(marshal.dumps(piece), 1))
    return tuple(pieces)


def decompressed(pieces: Iterable[bytes]) -> dict[Any, Any]:
    """A table from what `compressed` gave."""
    table: dict[Any, Any] = {}
    for piece in pieces:
        table.update(marshal.loads(zlib.decompress(piece)))
    return table
