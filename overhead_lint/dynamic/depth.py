"""How deep a program may call: as deep as under ``python``, though functions of this tool are below it."""

from __future__ import annotations

import functools
import sys
import types
from typing import Final

from overhead_lint.dynamic.untraced import untraced

__all__ = ["allow_as_python_does"]

_LARGEST: Final = 2**31 - 1
"""What Python takes for a limit."""
_COUNTS_EXEC: Final = sys.version_info < (3, 12)
"""Whether calls of functions that are written in C count, too."""


def allow_as_python_does(*, by_runpy: bool) -> None:
    """Raise the limit by what is below the caller, and have `sys` tell and set it as without that.

    To be called by the function that runs the program. What is raised stays: what the program leaves
    behind, its ``atexit`` functions for one, goes on telling and setting the limit.

    Args:
        by_runpy: the interpreter would run the program by `runpy`.
    """
    below = _frames(sys._getframe(1)) + _COUNTS_EXEC
    if by_runpy:
        below -= 2 + _COUNTS_EXEC
    get, put = sys.getrecursionlimit, sys.setrecursionlimit
    asked = actual = get()

    @untraced
    @functools.wraps(get)
    def getrecursionlimit() -> int:
        limit = get()
        return asked if limit == actual else limit  # somebody may have kept the original

    @untraced
    @functools.wraps(put)
    def setrecursionlimit(limit: int, /) -> None:
        nonlocal asked, actual
        more = min(limit + below, _LARGEST) if isinstance(limit, int) and 0 < limit <= _LARGEST else limit
        put(more)
        asked, actual = limit, more

    setrecursionlimit(asked)
    vars(sys).update(getrecursionlimit=getrecursionlimit, setrecursionlimit=setrecursionlimit)


def _frames(frame: types.FrameType | None) -> int:
    """How many calls a frame is in, those of ``exec`` among them where they count."""
    count = 0
    while frame is not None:
        below = frame.f_back
        count += 1 + (_COUNTS_EXEC and below is not None and frame.f_code.co_name == "<module>")
        frame = below
    return count
