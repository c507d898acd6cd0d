"""What the watch on Dynamo tells about compiled frames, and to whom."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

__all__ = ["Break", "Compilation", "EagerCall", "GivenUp", "Listener"]


class Break(NamedTuple):
    """A place where a compiled frame hands back to Python."""

    path: str
    line: int
    function: str
    reason: str


class GivenUp(NamedTuple):
    """A frame that Dynamo could not compile at all, and so runs eagerly."""

    path: str
    line: int
    function: str
    reason: str


class Compilation(NamedTuple):
    """One frame compiled."""

    code: types.CodeType
    """The user's code object."""
    new: types.CodeType
    """What Dynamo made of it."""
    recompiled: bool
    """Entries existed already, and the guards of all of them had failed."""
    reason: str
    """Dynamo's account of the first guard that failed; "" for a first compilation."""
    now: str = ""
    """What was there in its place: a value, or the fields of the global state that changed."""


class EagerCall(NamedTuple):
    """A call whose guards failed, and that was not compiled again: past the limit, or by a stance."""

    path: str
    """The user line that made the call."""
    line: int
    function: str = ""
    """The function that ran as plain Python; "" where that could not be seen."""
    failed: str = ""
    """The guard of its latest entry that failed, and what was there instead."""


class Listener(Protocol):
    """Told about compiled frames while a block runs, on the thread that ran them."""

    def compiled(self, compilation: Compilation) -> None:
        """A frame was compiled."""

    def guarded(self, code: types.CodeType, new: types.CodeType, guards: Any, f_locals: Any) -> None:
        """The guards of a frame just compiled are there; its inputs are alive during this call only."""

    def wants(self, new: types.CodeType) -> bool:
        """Whether `entered` is to be called for this compiled code (it costs a frame's locals)."""

    def entered(
        self, code: types.CodeType, new: types.CodeType, guards: Any, frame: types.FrameType
    ) -> Callable[[float], None] | None:
        """A cache entry serves a call, in this frame. Inputs are alive during this call only.

        Returns:
            What is to be told how many seconds the frame ran; None if nobody wants to know.
        """

    def missed(self, path: str, line: int) -> None:
        """The guards of all entries failed for a call made at this user line."""

    def ran_eagerly(self, function: str, failed: str) -> None:
        """The call that missed last on this thread runs as plain Python; the guard that failed."""

    def lost(self, why: str) -> None:
        """A call was served, but by which entry could not be found out."""

    def deaf(self, why: str) -> None:
        """Calls were perhaps made that nobody was told of."""
