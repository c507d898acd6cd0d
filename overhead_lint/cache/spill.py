"""New records until they are saved: in memory while they are few, then spilled to a file without a name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, BinaryIO, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    Place = bytes | tuple[int, int]

__all__ = ["Spill"]

_MOST_HELD: Final = 1_000_000
"""Bytes of records in memory: those of hundreds of files."""


class Spill:
    """Keeps records until they are asked for; those of a large project would take a tenth of its memory."""

    def __init__(self) -> None:
        self._held = 0
        self._end = 0
        self._file: BinaryIO | None = None

    def put(self, record: bytes) -> Place:
        """Keep a record; gives what `get` asks for."""
        self._held += len(record)
        if self._held > _MOST_HELD:
            try:
                return self._written(record)
            except OSError:  # no folder for temporary files, or a full disk
                self._held = 0
        return record

    def _written(self, record: bytes) -> Place:
        if self._file is None:
            import tempfile  # costs start-up

            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - open as long as this is
        start = self._file.seek(self._end)
        if self._file.write(record) != len(record):
            raise OSError("the disk is full")
        self._end += len(record)
        return start, len(record)

    def get(self, place: Place) -> bytes:
        """A record.

        Raises:
            OSError: it cannot be read any more.
        """
        if isinstance(place, bytes):
            return place
        assert self._file is not None, "it was written there"
        start, length = place
        read_at: Callable[[int, int, int], bytes] | None = getattr(os, "pread", None)
        if read_at is not None:  # forked processes, which read it as well, share its position
            return read_at(self._file.fileno(), length, start)
        self._file.seek(start, os.SEEK_SET)
        return self._file.read(length)

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()
