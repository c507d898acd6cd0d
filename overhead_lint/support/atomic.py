"""Files that are seen whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

__all__ = ["is_one_of", "why_not", "write"]

# So much of a name shows in the temporary one: all of it may make that longer than names can be.
_SHOWN: Final = 40
# Ctrl-C first: once it is held, no exception comes between what is done about the others.
_ENDING: Final = ("SIGINT", "SIGTERM", "SIGHUP")


def is_one_of(path: Path, others: Iterable[Path]) -> bool:
    """Whether to write this regular file is to replace one of these, by whichever name."""
    if not path.is_file():
        return False
    for other in others:
        with contextlib.suppress(OSError):
            if other.samefile(path):
                return True
    return False


def why_not(path: Path) -> str:
    """Return why no file can be written there, as far as its folder tells; "" if one may be."""
    if path.is_dir():
        return "cannot be written: is a folder"
    return "" if path.absolute().parent.is_dir() else f"cannot be written: no such folder: {path.parent}"


def write(path: Path, data: bytes) -> None:
    """Put bytes into a file in one step, making the file if it is not there.

    They go to a temporary file beside the real one (links are followed), are flushed to the disk,
    and are moved over it, so that a reader sees the old content or the new one. Owner and
    permissions stay. What is no regular file (``/dev/stdout``, a pipe) is written to as it is.

    Args:
        path: the file.
        data: all that it is to hold.

    Raises:
        OSError: the file or its folder is not writable, the disk is full ...
    """
    try:
        status = path.stat()  # before links are resolved: /dev/stdout leads to what has no path
    except FileNotFoundError:
        status = None
    if status is not None and not stat.S_ISREG(status.st_mode):
        path.write_bytes(data)
        return
    if status is not None and not os.access(path, os.W_OK):
        raise PermissionError(None, "it is read-only")
    with _not_ended():
        _replace(Path(os.path.realpath(path)), data, status)


@contextlib.contextmanager
def _not_ended() -> Iterator[None]:
    """Let signals that end the process, Ctrl-C too, come afterwards, so that they leave no temporary file.

    Handlers hold them rather than a mask: that is one thread's, and the system would choose another.
    """
    import signal  # costs start-up
    import threading

    if threading.current_thread() is not threading.main_thread():  # only that one may set handlers
        yield
        return
    held: list[int] = []
    before: dict[int, Any] = {}
    try:
        for name in _ENDING:
            number = getattr(signal, name, None)  # Windows lacks some
            if number is not None and signal.getsignal(number) not in (None, signal.SIG_IGN):
                before[number] = signal.getsignal(number)
                signal.signal(number, lambda number, frame: held.append(number))
        yield
    finally:
        for number, handler in reversed(before.items()):
            signal.signal(number, handler)
            if number in held:
                signal.raise_signal(number)


def _replace(path: Path, data: bytes, status: os.stat_result | None) -> None:
    import tempfile  # costs start-up

    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:_SHOWN]}.", suffix=".tmp", dir=path.parent)
    except OSError as error:
        error.filename = str(path)  # nobody has heard of the other one
        raise
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if status is not None and hasattr(os, "chown"):
            with contextlib.suppress(PermissionError):  # only root gives files away
                os.chown(temporary, status.st_uid, status.st_gid)
        temporary.chmod(stat.S_IMODE(status.st_mode) if status is not None else 0o666 & ~_umask())
        temporary.replace(path)
    except BaseException:  # Ctrl-C included: the temporary file goes in any case
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
