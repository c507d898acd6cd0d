"""Plain data in files of the cache: behind a checksum, and seen whole or not at all."""

from __future__ import annotations

import contextlib
import marshal
import os
import sys
import zlib
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO, Final

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    Part = bytes | memoryview | array[int]

__all__ = ["UNUSABLE", "Plain", "get", "get_parts", "put", "put_parts", "put_pieces"]

Plain = tuple[Any, ...]
"""What `marshal` takes."""

UNUSABLE: Final = (OSError, EOFError, ValueError, TypeError, AttributeError)
"""What `get` raises, and taking apart what it gives, if a file is missing, broken, or of another version."""

_MAGIC: Final = f"overhead-lint cache 18 {sys.byteorder}\n".encode()


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


def get_parts(path: Path) -> tuple[Plain, list[memoryview]]:
    """What `put_parts` wrote; the errors of `UNUSABLE` if it is not all there."""
    blob = memoryview(path.read_bytes())
    at = len(_MAGIC) + 4
    if blob[:at] != _MAGIC + zlib.crc32(blob[at:]).to_bytes(4, "big"):
        raise ValueError("is broken, or of another version")
    parts = []
    while at < len(blob):
        end = at + 4 + int.from_bytes(blob[at : at + 4], "big")
        parts.append(blob[at + 4 : end])
        at = end
    return marshal.loads(parts[0]), parts[1:]


def put_parts(path: Path, held: Plain, parts: Iterable[Part]) -> None:
    """Write plain data, and parts that together are not to be in memory, with a checksum."""
    with _seen_whole(path) as file:
        file.write(_MAGIC + bytes(4))
        checksum = 0
        for part in chain((marshal.dumps(held),), parts):
            view = memoryview(part).cast("B")
            for piece in (len(view).to_bytes(4, "big"), view):
                checksum = zlib.crc32(piece, checksum)
                file.write(piece)
        file.seek(len(_MAGIC))
        file.write(checksum.to_bytes(4, "big"))


def put_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file that is seen whole or not at all; a cache need not survive a power cut."""
    with _seen_whole(path) as file:
        file.writelines(pieces)


@contextlib.contextmanager
def _seen_whole(path: Path) -> Iterator[BinaryIO]:
    """A new file that takes the place of one when all of it is there."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    try:
        with temporary.open("wb") as file:
            yield file
        temporary.replace(path)
    except BaseException:  # Ctrl-C included
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
