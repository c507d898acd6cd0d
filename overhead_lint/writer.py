"""Puts a fixed text back into its file, all of it or nothing; and shows it as a diff."""

from __future__ import annotations

import contextlib
import difflib
import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.edits.model import CannotFix

if TYPE_CHECKING:
    from overhead_lint.source import Source

__all__ = ["WriteError", "diff", "write"]


class WriteError(OSError):
    """A file that could not be written; the message is one line and names it."""


def write(source: Source, after_text: str) -> None:
    """Replace a file's content in one step.

    The new bytes go to a temporary file next to the real one (links are followed), are flushed
    to the disk, and are moved over it, so that a reader sees the old file or the new one.

    Args:
        source: the file as it was read.
        after_text: its new text, without a byte-order mark.

    Raises:
        CannotFix: the file's encoding lacks a character of the text, or the file was changed
            since it was read.
        WriteError: the file or its folder is not writable, the disk is full ...
    """
    try:
        data = source.encode(after_text)
    except UnicodeEncodeError as error:
        raise CannotFix(f"{source.encoding} cannot hold {error.object[error.start]!r}") from error
    try:
        path = Path(os.path.realpath(source.path))
        status = _checked_status(path, source)
        _replace(path, data, status)
    except OSError as error:
        reason = error.strerror or str(error)
        raise WriteError(f"{source.path}: not written: {reason}") from error


def _checked_status(path: Path, source: Source) -> os.stat_result:
    """The file's owner and permissions, if it is still what was read and may be written."""
    if path.read_bytes() != source.data:
        raise CannotFix("the file was changed since it was read; run again")
    if not os.access(path, os.W_OK):
        raise PermissionError(None, "it is read-only")
    return path.stat()


def _replace(path: Path, data: bytes, status: os.stat_result) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if hasattr(os, "chown"):
            with contextlib.suppress(PermissionError):  # only root gives files away
                os.chown(temporary, status.st_uid, status.st_gid)
        temporary.chmod(stat.S_IMODE(status.st_mode))
        temporary.replace(path)
    except BaseException:  # Ctrl-C included: the temporary file goes in any case
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def diff(source: Source, after_text: str) -> str:
    """A unified diff that ``patch -p1`` and ``git apply`` take; empty if nothing changed.

    Args:
        source: the file.
        after_text: its new text.
    """
    path = _shown(source.path)
    pieces = []
    for line in difflib.unified_diff(
        _lines(source.text), _lines(after_text), f"a/{path}", f"b/{path}", lineterm="\n"
    ):
        pieces.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(pieces)


def _lines(text: str) -> list[str]:
    """Lines as ``diff`` counts them: what ends in a line feed, and no more."""
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _shown(path: Path) -> str:
    """The path relative to the current folder, where it lies under it."""
    if path.is_absolute():
        with contextlib.suppress(ValueError):
            path = path.relative_to(Path.cwd())
    return path.as_posix().removeprefix("/")
