"""Plain data in files of the cache: behind a checksum, and seen whole or not at all."""

from __future__ import annotations

import contextlib
import marshal
import os
import sys
import zlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from overhead_lint.records import Plain

__all__ = ["UNUSABLE", "get", "put", "put_pieces"]

UNUSABLE: Final = (OSError, EOFError, ValueError, TypeError, AttributeError)
"""What `get` raises, and taking apart what it gives, if a file is missing, broken, or of another version."""

_MAGIC: Final = f"overhead-lint cache 14 {sys.byteorder}\n".encode()


def get(path: Path) -> Plain:
    """What `put` wrote, behind its checksum; the errors of `UNUSABLE` if it is not all there."""
    blob = path.read_bytes()
    start = len(_MAGIC) + 4
    body = memoryview(blob)[start:]
    checksum = zlib.crc32(body).to_bytes(4, "big")
    if blob[:start] != _MAGIC + checksum:
        raise ValueError("is broken, or of another version")
    return (checksum, *marshal.loads(body))


def put(path: Path, held: Plain) -> bytes:
    """Write plain data with a checksum; gives that."""
    body = marshal.dumps(held)
    checksum = zlib.crc32(body).to_bytes(4, "big")
    put_pieces(path, (_MAGIC + checksum, body))
    return checksum


def put_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file that is seen whole or not at all; a cache need not survive a power cut."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.writelines(pieces)
        temporary.replace(path)
    except BaseException:  # Ctrl-C included
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
