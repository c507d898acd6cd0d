"""Has functions of torch warn at the line of the user's that led to them, past lines of this package."""

from __future__ import annotations

import sys
import types
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["Warned", "warn_at_caller", "warning_at_caller"]

_NAME = "warnings"


class Warned(NamedTuple):
    """What a function gave to ``warnings.warn``, where it named its caller's line."""

    message: Any
    category: Any


def warn_at_caller(warned: Warned, between: set[int]) -> None:
    """Warn at the line that led here.

    Args:
        warned: what to say.
        between: the identities of code whose frames may lie between that line and this function.
    """
    warnings.warn(warned.message, warned.category, _depth(sys._getframe(1), between) + 2)


def _depth(frame: types.FrameType | None, between: set[int]) -> int:
    """Count the frames from one on that lie between: by identity, since a code is hashed by all it holds."""
    count = 0
    while frame is not None and id(frame.f_code) in between:
        count += 1
        frame = frame.f_back
    return count


class _Warnings:
    """Stands for the module `warnings` in one function."""

    def __init__(self, between: set[int], hear: Callable[[Warned], None]) -> None:
        self._between = between
        self._hear = hear

    def __getattr__(self, name: str) -> Any:
        return getattr(warnings, name)

    def warn(self, message: Any, category: Any = None, stacklevel: int = 1, **more: Any) -> None:
        if stacklevel == 2 and not more:
            self._hear(Warned(message, category))
        stacklevel += _depth(sys._getframe(1).f_back, self._between)
        warnings.warn(message, category, stacklevel + 1, **more)


def warning_at_caller(
    function: Callable[..., Any], between: set[int], hear: Callable[[Warned], None]
) -> Callable[..., Any]:
    """Make a copy of a function that counts some frames out of the ``stacklevel`` of its warnings.

    Warnings that all come at one line are shown once in all, and name a place that nobody can change.

    Args:
        function: it warns by ``warnings.warn`` at the line of its caller.
        between: the identities of code whose frames may lie between it and the line to name; more is added.
        hear: is told each warning at its caller's line before it is given.

    Returns:
        The copy; the function itself if it is not written so.
    """
    plain = isinstance(function, types.FunctionType) and not function.__closure__
    if not plain or function.__globals__.get(_NAME) is not warnings:
        return function
    names = function.__globals__
    own = {**names, _NAME: _Warnings(between, hear)}
    made = types.FunctionType(function.__code__, own, function.__name__, function.__defaults__)
    made.__kwdefaults__ = function.__kwdefaults__
    read = [name for name in function.__code__.co_names if name in names and name != _NAME]

    def call(*args: Any, **kwargs: Any) -> Any:
        for name in read:  # Somebody may have replaced one since.
            own[name] = names[name]
        return made(*args, **kwargs)

    between.add(id(call.__code__))
    return call
