"""Lowered files, kept between runs: the packed record of each by the hash of its text.

One file holds them all, compressed, behind a checksum; each has one of its own besides. What is broken, cut
off or of another version counts as not there.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
import zlib
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.packing import PACKING, UnusableError, pack, unpack
from overhead_lint.cache.folder import make
from overhead_lint.cache.stamps import content_hash, stamp
from overhead_lint.support import blobs

if TYPE_CHECKING:
    from pathlib import Path

    from overhead_lint.analysis.ir.records import FileIR

__all__ = ["RecordStore"]

_SUFFIX: Final = ".records"
_UNUSED: Final = 7 * 86400.0  # seconds after which a store of another version goes
_LEVEL: Final = 1


class RecordStore:
    """The records of the files of one project.

    Args:
        folder: the cache's; made when something is saved.

    Attributes:
        unwritable: in one line, why what was to be saved could not be; empty if it could.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # Which tree Python makes of a text, and what is made of that, depends on both programs' versions.
        key = repr((PACKING, sys.version, stamp()))
        self._path = folder / f"{zlib.crc32(key.encode()):08x}{_SUFFIX}"
        self._key = key
        self._held: dict[bytes, bytes | memoryview] = {}
        self._used: set[bytes] = set()
        self._is_new = False
        self.unwritable = ""
        try:
            (made_for, digests), parts = blobs.get_parts(self._path)
            if made_for == key:
                self._held = dict(zip(digests, parts, strict=True))
        except (*blobs.UNUSABLE, zlib.error):
            pass  # none, or broken: all is lowered anew

    def get(self, text: str) -> FileIR | None:
        """Return the record of a text; None if it is not there."""
        digest = _digest(text)
        packed = self._held.get(digest)
        if packed is None:
            return None
        try:
            record = unpack(zlib.decompress(packed))
        except (UnusableError, zlib.error):
            del self._held[digest]
            return None
        self._used.add(digest)
        return record

    def put(self, text: str, record: FileIR) -> None:
        """Keep the record of a text, once this is saved."""
        digest = _digest(text)
        self._held[digest] = zlib.compress(pack(record), _LEVEL)
        self._used.add(digest)
        self._is_new = True

    def save(self) -> None:
        """Write what is new, and let go of what was not asked for once that is most of it."""
        if not self._is_new:
            with contextlib.suppress(OSError):
                os.utime(self._path)  # by its age it is seen whether it is in use
            return
        if len(self._held) > 2 * len(self._used):
            self._held = {digest: packed for digest, packed in self._held.items() if digest in self._used}
        try:
            make(self._folder)
            blobs.put_parts(self._path, (self._key, list(self._held)), self._held.values())
            self._drop_old()
        except OSError as error:
            self.unwritable = f"{self._folder}: the cache cannot be written: {error.strerror or error}"

    def _drop_old(self) -> None:
        """Remove the stores of other versions that are long out of use."""
        for path in self._folder.glob(f"*{_SUFFIX}"):
            if path != self._path and time.time() - path.stat().st_mtime > _UNUSED:
                path.unlink(missing_ok=True)


def _digest(text: str) -> bytes:
    return content_hash(text.encode("utf-8", "surrogatepass"))
