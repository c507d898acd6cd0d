"""Lets processes take turns that write the same files of a folder, with the locks that the system has."""

from __future__ import annotations

import contextlib
import importlib
import os
import time
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["locked"]

_WAIT: Final = 0.05  # seconds


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder's lock: other processes that ask for it wait.

    Where the system has no such locks nobody waits, and the last one to write wins.

    Raises:
        OSError: the folder is not there, or cannot be read.
    """
    try:
        fcntl = importlib.import_module("fcntl")
    except ImportError:  # Windows
        with _locked_file(folder):
            yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextlib.contextmanager
def _locked_file(folder: Path) -> Iterator[None]:
    """Hold the lock of a file that stands for the folder: Windows locks bytes of files, and no folders."""
    try:
        msvcrt = importlib.import_module("msvcrt")
    except ImportError:
        yield
        return
    import tempfile  # costs start-up, and not on systems with locks of folders

    name = os.path.normcase(folder.resolve(strict=True)).encode(errors="surrogatepass")
    path = Path(tempfile.gettempdir()) / f"overhead-lint-{zlib.crc32(name):08x}.lock"
    handle = os.open(path, os.O_RDWR | os.O_CREAT)
    try:
        while True:
            try:
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
                break
            except OSError:  # another process has it
                time.sleep(_WAIT)
        try:
            yield
        finally:
            os.lseek(handle, 0, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
    finally:
        os.close(handle)
