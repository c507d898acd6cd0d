"""Has functions of torch warn at the line of the user's that led to them, past lines of this package."""

from __future__ import annotations

import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

__all__ = ["warning_at_caller"]

_NAME = "warnings"


class _Warnings:
    """Stands for the module `warnings` in one function."""

    def __init__(self, between: set[types.CodeType]) -> None:
        self._between = between

    def __getattr__(self, name: str) -> Any:
        return getattr(warnings, name)

    def warn(self, message: Any, category: Any = None, stacklevel: int = 1, **more: Any) -> None:
        frame = sys._getframe(1).f_back
        while frame is not None and frame.f_code in self._between:
            stacklevel += 1
            frame = frame.f_back
        warnings.warn(message, category, stacklevel + 1, **more)


def warning_at_caller(function: Callable[..., Any], between: set[types.CodeType]) -> Callable[..., Any]:
    """Make a copy of a function that counts some frames out of the ``stacklevel`` of its warnings.

    Warnings that all come at one line are shown once in all, and name a place that nobody can change.

    Args:
        function: it warns by ``warnings.warn`` at the line of its caller.
        between: the code of frames that may lie between it and the line to name; more is added.

    Returns:
        The copy; the function itself if it is not written so.
    """
    plain = isinstance(function, types.FunctionType) and not function.__closure__
    if not plain or function.__globals__.get(_NAME) is not warnings:
        return function
    names = function.__globals__
    own = {**names, _NAME: _Warnings(between)}
    made = types.FunctionType(function.__code__, own, function.__name__, function.__defaults__)
    made.__kwdefaults__ = function.__kwdefaults__
    read = [name for name in function.__code__.co_names if name in names and name != _NAME]

    def call(*args: Any, **kwargs: Any) -> Any:
        for name in read:  # Somebody may have replaced one since.
            own[name] = names[name]
        return made(*args, **kwargs)

    between.add(call.__code__)
    return call
