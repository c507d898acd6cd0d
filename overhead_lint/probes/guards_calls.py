"""Profile functions for the one call after a lookup of Dynamo's cache: which frame it is, how long it runs.

`guards_dynamo` arms them, since its hook on lookups is not told the frame.
"""

from __future__ import annotations

import sys
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.probes.code_names import qualified_name
from overhead_lint.probes.guards_api import locals_of
from overhead_lint.probes.guards_failure import failed_guard_of
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Sequence

    from overhead_lint.probes import profile_slot
    from overhead_lint.probes.guards_api import Api
    from overhead_lint.probes.guards_listener import Listener

__all__ = ["AfterMiss", "Arrival", "Departure", "Lookups"]

# Finalizers may run between a hit and the compiled code; past this many calls something else is wrong.
_MOST_CALLS_BEFORE_THE_FRAME: Final = 64


class Lookups(NamedTuple):
    """What is known of the code that a lookup found.

    Attributes:
        api: Dynamo's.
        original: gives the code that some was compiled of; None if it is not compiled.
        guards_of: gives the guards of compiled code, by the code it was compiled of and itself.
        callers: gives those who are told of calls.
    """

    api: Api
    original: Callable[[types.CodeType], types.CodeType | None]
    guards_of: Callable[[types.CodeType, types.CodeType], Any]
    callers: Callable[[], Sequence[Listener]]


class Arrival:
    """Profile function for one call: the compiled code that a cache hit is about to start."""

    __slots__ = ("calls", "lookups", "set_profile")

    def __init__(self, lookups: Lookups, set_profile: profile_slot.SetGuest) -> None:
        self.lookups = lookups
        self.set_profile = set_profile
        self.calls = 0

    def __call__(self, frame: types.FrameType, event: str, arg: object) -> None:
        if event != "call":
            return
        lookups, new = self.lookups, frame.f_code
        code = lookups.original(new)
        if code is None:
            self.calls += 1
            if self.calls >= _MOST_CALLS_BEFORE_THE_FRAME:
                self.set_profile(None)
                for listener in lookups.callers():
                    listener.lost("the compiled code did not start after a cache hit")
            return
        self.set_profile(None)
        interested = [listener for listener in lookups.callers() if listener.wants(new)]
        if interested:
            guards = lookups.guards_of(code, new)
            tell = []
            for listener in interested:
                if guards is None:
                    listener.lost(f"no cache entry holds the compiled code of {code.co_name}")
                elif (wants := listener.entered(code, new, guards, frame)) is not None:
                    tell.append(wants)
            if tell and self.set_profile is sys.setprofile:
                sys.setprofile(Departure(frame, tell))


class AfterMiss:
    """Profile function for one call: Dynamo's own, to compile, or the user's function, run eagerly."""

    __slots__ = ("lookups", "set_profile")

    def __init__(self, lookups: Lookups, set_profile: profile_slot.SetGuest) -> None:
        self.lookups = lookups
        self.set_profile = set_profile

    def __call__(self, frame: types.FrameType, event: str, arg: object) -> None:
        if event != "call":
            return
        self.set_profile(None)
        code = frame.f_code
        if code.co_filename.startswith(self.lookups.api.torch_root):
            return
        entries = self.lookups.api.entries(code)
        if entries:
            failed = failed_guard_of(entries[0].guard_manager, locals_of(frame))
            for listener in self.lookups.callers():
                listener.ran_eagerly(qualified_name(code), failed)


class Departure:
    """Profile function that waits for the end of one frame, and tells how long it ran.

    A lookup on the way, of compiled code that is called from it, takes its place; then nobody is told.
    """

    __slots__ = ("frame", "start", "tell")

    def __init__(self, frame: types.FrameType, tell: list[Callable[[float], None]]) -> None:
        self.frame = frame
        self.tell = tell
        self.start = perf_counter()

    def __call__(self, frame: types.FrameType, event: str, arg: object) -> None:
        if event == "return" and frame is self.frame:
            seconds = perf_counter() - self.start
            sys.setprofile(None)
            for tell in self.tell:
                tell(seconds)
