"""`record`, `nvtx_range`, `NULL_CONTEXT`: ranges that cost next to nothing while nobody looks."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

import torch
from torch.autograd import profiler as _profiler
from torch.cuda import nvtx as _nvtx

__all__ = ["NULL_CONTEXT", "nvtx_range", "record"]

F = TypeVar("F", bound=Callable[..., Any])

NULL_CONTEXT = contextlib.nullcontext()
"""Does nothing; for ``with x if condition else NULL_CONTEXT``. One for all: it has no state."""

_is_compiling = torch.compiler.is_dynamo_compiling


# Set by every profiler that torch starts. Where it is missing, ranges are recorded as in stock.
_HAS_FLAG = hasattr(_profiler, "_is_profiler_enabled")


class record:  # noqa: N801 - used like the function that it replaces
    """A named range in profiles: `torch.profiler.record_function`, skipped while no profiler runs.

    Looks at each entry whether a profiler runs (`torch.profiler.profile`, `torch.autograd.profiler.profile`,
    `emit_nvtx`, `emit_itt`), so a range that was built before, or a decorated function, is recorded too. May
    be entered again while active.

    Args:
        name: of the range; or a function without arguments that gives it, called when it is needed.
        args: as for `record_function`.
    """

    __slots__ = ("_inner", "args", "name")
    _inner: tuple[Any, Any] | None

    def __init__(self, name: str | Callable[[], str], args: str | None = None) -> None:
        self.name = name
        self.args = args
        self._inner = None

    def __enter__(self) -> record:
        # Compiled code has no such ranges, in stock neither; a look at the flag would be guarded.
        if _is_compiling() or (_HAS_FLAG and not _profiler._is_profiler_enabled):
            if self._inner is not None:
                self._inner = (None, self._inner)
            return self
        name = self.name
        stock: Any = torch.profiler.record_function(name() if callable(name) else name, self.args)
        stock.__enter__()
        self._inner = (stock, self._inner)
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        inner = self._inner
        if inner is None:
            return
        stock, self._inner = inner
        if stock is not None:
            stock.__exit__(exc_type, exc_value, traceback)

    def __call__(self, func: F) -> F:
        name, args = self.name, self.args

        @functools.wraps(func)
        def in_range(*positional: Any, **keywords: Any) -> Any:
            with record(name, args):
                return func(*positional, **keywords)

        return cast("F", in_range)


class _Range:
    """What `nvtx_range` builds."""

    __slots__ = ("_args", "_kwargs", "_msg")
    _args: tuple[Any, ...]
    _kwargs: dict[str, Any]
    _msg: Any

    def __enter__(self) -> None:
        msg = self._msg
        if self._args or self._kwargs or msg.__class__ is not str or "{" in msg or "}" in msg:
            lazy = callable(msg) and not hasattr(msg, "format")  # stock formats whatever can be
            msg = (msg() if lazy else msg).format(*self._args, **self._kwargs)
        _nvtx.range_push(msg)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        _nvtx.range_pop()

    def __call__(self, func: F) -> F:
        @functools.wraps(func)
        def in_range(*args: Any, **kwargs: Any) -> Any:
            with self:  # It holds no state of an entry.
                return func(*args, **kwargs)

        return cast("F", in_range)


def nvtx_range(msg: str | Callable[[], str], *args: Any, **kwargs: Any) -> Any:
    """Push an NVTX range at entry and pop it at exit: `torch.cuda.nvtx.range`, without its generator.

    Args:
        msg: the range's message; or a function without arguments that gives it. What has a ``format`` is a
            message, also where it can be called.
        *args: for ``msg.format``.
        **kwargs: for ``msg.format``.

    Returns:
        A context manager and decorator, which may be entered again while active. While compiling, stock's.

    Raises:
        RuntimeError: at entry, torch has no NVTX functions.
    """
    if _is_compiling():
        return _nvtx.range(msg, *args, **kwargs)
    self = object.__new__(_Range)
    self._msg = msg
    self._args = args
    self._kwargs = kwargs
    return self
