"""One line on a terminal that says how far a command is."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable

    Tell = Callable[[str, int, int], None]
    """Takes what is being done, how much of it is, and how much there is; 0 where nobody knows."""

__all__ = ["Progress", "is_watched"]

_LEAST: Final = 0.5
"""Seconds that a line stays, and that pass before there is one: most commands are done by then."""


class Progress:
    """Writes the line to stderr, over the one before."""

    def __init__(self) -> None:
        self._begun = self._shown = time.monotonic()
        self._doing = ""
        self._width = 0

    def tell(self, doing: str, done: int = 0, of: int = 0) -> None:
        """Say what is being done, if it is another thing than before, or if it is time to.

        Args:
            doing: what.
            done: how much of it is done.
            of: how much there is; 0 where nobody knows.
        """
        now = time.monotonic()
        is_new = doing != self._doing and now - self._begun >= _LEAST
        if is_new or self.is_due(now):
            self._doing = doing
            self.show(f"{doing}: {done:,} of {of:,}" if of else doing, now)

    def is_due(self, now: float) -> bool:
        """Whether the line has stood for long enough."""
        return now - self._shown >= _LEAST

    def show(self, text: str, now: float) -> None:
        """Write the line, with the seconds that have passed."""
        self._shown = now
        line = f"overhead-lint: {text}, {now - self._begun:.0f} s"
        sys.stderr.write(f"\r{line:<{self._width}}")
        sys.stderr.flush()
        self._width = len(line)

    def clear(self) -> None:
        """Take the line away."""
        if self._width:
            sys.stderr.write(f"\r{'':<{self._width}}\r")
            sys.stderr.flush()
            self._width = 0


def is_watched() -> bool:
    """Whether somebody looks on who can be told how far a command is."""
    stderr: TextIO | None = sys.stderr  # None without a console
    return stderr is not None and stderr.isatty()
