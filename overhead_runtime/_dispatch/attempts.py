"""Tells that Dynamo has left a frame alone for good, by the frames that it turned to since.

Dynamo says nowhere that it skips a frame. But it counts the frames of the process that it turns to, until
it is reset. While the count stands still, no entry can have appeared.
"""

from __future__ import annotations

import types
from typing import Any

from torch._dynamo import convert_frame, utils

_utils = vars(utils)
_COUNT = "curr_frame"
# The code of all frames that Dynamo turned to; a reset empties it. The count alone would not show a reset
# after which as many frames were turned to as before.
_noted: Any = getattr(convert_frame, "input_codes", None)

# Calls in a row that no entry served and in which Dynamo turned to no frame at all.
_PATIENCE = 3


def _nothing() -> None:
    pass


class Lull:
    """Calls of one frame that no entry served and for which Dynamo did nothing."""

    __slots__ = ("_calls", "_count", "_mark")

    def __init__(self) -> None:
        self._calls = 0
        self._count: int | None = None
        # Stands among the codes that were turned to until a reset takes it out.
        self._mark: types.CodeType = _nothing.__code__.replace()

    def note_miss(self) -> bool:
        """Take note of a call that stock has just served without an entry known here.

        Returns:
            Whether entries may have appeared or gone since the last such call.
        """
        if self._lasts():
            self._calls += 1
            return False
        self._calls = 0
        self._begin()
        return True

    def is_settled(self) -> bool:
        """Whether such calls have become the rule, and Dynamo has turned to nothing since."""
        return self._calls >= _PATIENCE and self._lasts()

    def _begin(self) -> None:
        self._count = _utils.get(_COUNT)
        if hasattr(_noted, "add"):
            _noted.add(self._mark)
        else:
            self._count = None

    def _lasts(self) -> bool:
        known = self._count
        return known is not None and _utils[_COUNT] == known and self._mark in _noted
