"""What is kept between runs of files beside the code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from overhead_lint.support import blobs

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["KeptFiles"]

State = TypeVar("State")
"""Of one file: plain data, as `marshal` takes it."""


class KeptFiles(Generic[State]):
    """Holds the states of files, by their names.

    Args:
        file: where they are kept between runs; None to find out all anew.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._known: dict[str, State] | None = None
        self._is_new = False

    def before(self) -> dict[str, State]:
        """Return the states that were taken last, in this run or an earlier one; none if nothing is kept."""
        if self._known is not None:
            return self._known
        if self._file is None:
            return {}
        try:
            _, known = blobs.get(self._file)
            return {**known}
        except blobs.UNUSABLE:
            return {}

    def take(self, now: dict[str, State]) -> None:
        """Take the states of now."""
        self._is_new = self._is_new or now != self.before()
        self._known = now

    def save(self) -> None:
        """Keep the states for later runs, if they are others than before.

        Raises:
            OSError: they cannot be written.
        """
        if self._is_new and self._file is not None:
            blobs.put(self._file, (self._known,))
