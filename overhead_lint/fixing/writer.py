"""Puts a fixed text back into its file, all of it or nothing; and shows it as a diff."""

from __future__ import annotations

import contextlib
import difflib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.edits.model import CannotFix
from overhead_lint.support import atomic

if TYPE_CHECKING:
    from overhead_lint.syntax.source import Source

__all__ = ["WriteError", "diff", "write", "write_all"]


# As git and patch read them; other bytes are told by three octal digits.
_ESCAPED: Final = {9: r"\t", 10: r"\n", 13: r"\r", 34: r"\"", 92: r"\\"}


class WriteError(OSError):
    """A file that could not be written; the message is one line and names it."""


def write(source: Source, after_text: str) -> None:
    """Replace a file's content in one step.

    `overhead_lint.support.atomic` says how; a reader sees the old file or the new one.

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
        if path.read_bytes() != source.data:
            raise CannotFix("the file was changed since it was read; run again")
        atomic.write(path, data)
    except OSError as error:
        reason = error.strerror or str(error)
        raise WriteError(f"{source.path}: not written: {reason}") from error


def write_all(changes: Sequence[tuple[Source, str]]) -> None:
    """Replace the contents of several files, or of none: if one cannot be written, the others are put back.

    Args:
        changes: each file as it was read, and its new text.

    Raises:
        CannotFix: as `write` does; no file is changed then.
        WriteError: likewise.
    """
    written: list[Source] = []
    try:
        for source, after_text in changes:
            write(source, after_text)
            written.append(source)
    except BaseException:  # Ctrl-C included
        for source in reversed(written):
            atomic.write(Path(os.path.realpath(source.path)), source.data)
        raise


def diff(source: Source, after_text: str) -> str:
    """A unified diff that ``patch -p1`` and ``git apply`` take; empty if nothing changed.

    Args:
        source: the file.
        after_text: its new text.
    """
    old, new = (_named(f"{side}/{_shown(source.path)}") for side in "ab")
    mark = "\ufeff" if source.bom else ""
    before_text = source.text
    if source.notebook is not None:  # what stands in the file
        before_text, after_text = source.notebook.json, source.notebook.encode(after_text)
    before, after = (_lines(mark + text) if text else [] for text in (before_text, after_text))
    pieces = []
    for line in difflib.unified_diff(before, after, old, new, lineterm="\n"):
        pieces.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(pieces)


def _lines(text: str) -> list[str]:
    """Lines as ``diff`` counts them: what ends in a line feed, and no more."""
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _named(path: str) -> str:
    """A path as the head of a diff has it: in quotes where it would end the line or be misread."""
    if path.isprintable() and not any(char in path for char in '"\\'):
        # Without the tab, patch takes what follows a space for a date.
        return f"{path}\t" if " " in path else path
    return '"' + "".join(_ESCAPED.get(byte) or _plain(byte) for byte in os.fsencode(path)) + '"'


def _plain(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def _shown(path: Path) -> str:
    """The path relative to the current folder, where it lies under it."""
    if path.is_absolute():
        with contextlib.suppress(ValueError):
            path = path.relative_to(Path.cwd())
    return path.as_posix().removeprefix("/")
