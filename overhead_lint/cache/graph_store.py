"""Where the graph of a project is kept: with it an edit that changes calls has no other files looked into.

What heat and the compiler reach is written anew when that is another; the tables that calls are followed by
hold until files define other things, and are only read when calls have to be followed. What is known of
options is beside it. Each is named by a number drawn for it: the index names the graph and the options, the
graph its tables, and what does not fit is of no use.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from overhead_lint.support import blobs
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from overhead_lint.support.blobs import Part, Plain

__all__ = ["GraphFile", "GraphStore"]

_STAMP: Final = 8  # bytes


class GraphFile(NamedTuple):
    """A graph as it is kept.

    Attributes:
        stamp: tells it from others.
        tables: the stamp of the tables that it belongs to.
        states: hashes of the summaries that it was made of, in the order of its files.
        held: its plain data, as `overhead_lint.project.graph.stored_graph.StoredGraph.parts` gives it.
        parts: and its parts.
    """

    stamp: bytes
    tables: bytes
    states: tuple[bytes, ...]
    held: Plain
    parts: Sequence[Part]


class GraphStore:
    """The files that hold it.

    Args:
        stem: their path without the suffix.

    Attributes:
        stamps: of the graph, and of what is known of options; each empty if that is not there.
    """

    def __init__(self, stem: Path) -> None:
        self._stem = stem
        self.stamps = (b"", b"")
        self._tables = b""

    def read(self) -> GraphFile | None:
        """The graph that the index names; None if it is not there."""
        try:
            held, parts = blobs.get_parts(self._stem.with_suffix(".graph"))
            found = GraphFile._make((*held, parts))
        except blobs.UNUSABLE:
            return None
        return found if found.stamp == self.stamps[0] else None

    def read_tables(self, stamp: bytes) -> Plain | None:
        """The tables with a stamp; None if they are not there."""
        return self._read("tables", stamp)

    def read_options(self) -> Plain | None:
        """What is known of options; None if it is not there."""
        return self._read("options", self.stamps[1])

    def _read(self, kind: str, stamp: bytes) -> Plain | None:
        try:
            _, known, *held = blobs.get(self._stem.with_suffix(f".{kind}"))
        except blobs.UNUSABLE:
            return None
        return tuple(held) if known == stamp else None

    def keep(self, kind: str, held: Plain) -> None:
        """Write tables, or what is known of options; of use when the index names it.

        Args:
            kind: ``tables`` or ``options``.
            held: what it is.

        Raises:
            OSError: it cannot be written.
        """
        stamp = os.urandom(_STAMP)
        if kind == "tables":
            self._tables = stamp
        else:
            self.stamps = (self.stamps[0], stamp)
        blobs.put(self._stem.with_suffix(f".{kind}"), (stamp, *held))

    def forget(self) -> None:
        """Name nothing: what is kept is not of the files as they are now."""
        self.stamps = (b"", b"")

    def put(self, graph: tuple[Plain, Iterable[Part]], states: Iterable[bytes], tables: bytes = b"") -> None:
        """Write a new graph; of use when the index names it.

        Args:
            graph: see `GraphFile`; both that it holds of it.
            states: the same.
            tables: the stamp of the tables that it belongs to; by default those that were kept last.

        Raises:
            OSError: it cannot be written.
        """
        held, parts = graph
        stamp = os.urandom(_STAMP)
        self.stamps = (stamp, self.stamps[1])
        said = (stamp, self._tables or tables, tuple(states), held)
        blobs.put_parts(self._stem.with_suffix(".graph"), said, parts)
