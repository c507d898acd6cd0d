"""The standard streams: what is done where they lead nowhere, or to a disk that is full."""

from __future__ import annotations

import contextlib
import os
import sys

from overhead_lint.errors import on_one_line

__all__ = ["complain", "open_closed", "print_anything", "unwritable"]


def complain(text: str) -> None:
    """Say why the command ends, where anything can be said: stderr itself may be what is full."""
    with contextlib.suppress(OSError):
        print(f"overhead-lint: {on_one_line(text)}", file=sys.stderr)


def unwritable(error: OSError) -> int:
    """Say that stdout takes nothing, unless its reader went away (`| head`); the exit status.

    What is left in its buffer goes nowhere, so that the flush at exit cannot fail.
    """
    if not isinstance(error, BrokenPipeError):
        complain(f"output cannot be written: {error.strerror or error}")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 2


def open_closed() -> None:
    """Let what was closed (``>&-``) lead nowhere: Python has None in its place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))


def print_anything() -> None:
    """Let names and source lines through that the terminal's encoding lacks, escaped."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
