"""`no_grad`, `enable_grad`, `inference_mode`: torch's, as blocks and decorators, for less."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import torch

from ._stand_in import StandIn

__all__ = [
    "EnableGrad",
    "InferenceMode",
    "NoGrad",
    "enable_grad",
    "inference_mode",
    "is_left_to_stock",
    "no_grad",
]

F = TypeVar("F", bound=Callable[..., Any])

_is_compiling = torch.compiler.is_dynamo_compiling
_is_grad_enabled = torch.is_grad_enabled
_new = object.__new__


def _set_through_stock(mode: bool) -> None:
    torch.set_grad_enabled(mode)


# The stock blocks come down to this call, by way of a class. It tells function modes by itself.
_set_grad_enabled: Callable[[bool], Any] = getattr(torch._C, "_set_grad_enabled", _set_through_stock)

_InferenceGuard: Any = getattr(torch._C, "_InferenceMode", None)


class _Nested:
    """A block of a gradient mode that may be entered again while it is active."""

    # What to restore: the mode at entry, and the same for the entry around it. As in stock, `prev` is what
    # the last exit restored, for one that has no entry of its own.
    __slots__ = ("_outer", "prev")
    _outer: tuple[bool, Any] | None

    def __init__(self) -> None:  # by `clone`
        super().__init__()
        self._outer = None

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        if self._outer is not None:
            self.prev, self._outer = self._outer
        _set_grad_enabled(self.prev)


class _NoGrad(_Nested, torch.no_grad):
    """A `torch.no_grad` that may be entered again while it is active."""

    __slots__ = ()

    def __enter__(self) -> None:
        self._outer = (_is_grad_enabled(), self._outer)
        _set_grad_enabled(False)

    def __call__(self, orig_func: F) -> F:
        return cast("F", _decorate(orig_func, torch.no_grad))


class _EnableGrad(_Nested, torch.enable_grad):
    """A `torch.enable_grad` that may be entered again while it is active."""

    __slots__ = ()

    def __enter__(self) -> None:
        self._outer = (_is_grad_enabled(), self._outer)
        _set_grad_enabled(True)

    def __call__(self, orig_func: F) -> F:
        return cast("F", _decorate(orig_func, torch.enable_grad))


class _InferenceMode(torch.inference_mode):
    """A `torch.inference_mode` that may be entered again while it is active."""

    __slots__ = ("_inference_mode_context", "_outer", "mode")
    _outer: tuple[Any, Any] | None

    def __init__(self, mode: bool = True) -> None:  # by `clone`
        super().__init__(mode)
        self._outer = None

    def __enter__(self) -> None:
        guard = _InferenceGuard(self.mode)
        guard.__enter__()
        self._outer = (guard, self._outer)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        if self._outer is not None:
            self._inference_mode_context, self._outer = self._outer
        # As in stock, an exit without an entry of its own ends again what is over.
        self._inference_mode_context.__exit__(exc_type, exc_value, traceback)

    def __call__(self, orig_func: F) -> F:
        return cast("F", _decorate(orig_func, torch.inference_mode, self.mode))

    def __reduce__(self) -> tuple[Any, ...]:
        return inference_mode, (self.mode,)  # A copy is not inside the block that its original is in.


def _decorate(func: Any, stock: Any, *args: Any) -> Any:
    """Wrap a plain function; everything else is as stock wraps it."""
    if _is_compiling() or is_left_to_stock(func):
        return stock(*args)(func)
    if stock is torch.inference_mode:
        return _in_inference_mode(func, *args)
    mode = stock is torch.enable_grad

    @functools.wraps(func)
    def in_grad_mode(*args: Any, **kwargs: Any) -> Any:
        if _is_compiling():
            with stock():
                return func(*args, **kwargs)
        previous = _is_grad_enabled()
        _set_grad_enabled(mode)
        try:
            return func(*args, **kwargs)
        finally:
            _set_grad_enabled(previous)

    return in_grad_mode


def _in_inference_mode(func: Any, mode: bool) -> Any:
    @functools.wraps(func)
    def in_inference_mode(*args: Any, **kwargs: Any) -> Any:
        if _is_compiling():
            with torch.inference_mode(mode):
                return func(*args, **kwargs)
        with _InferenceGuard(mode):
            return func(*args, **kwargs)

    return in_inference_mode


def is_left_to_stock(func: Any) -> bool:
    """Whether stock wraps something in a way of its own, or refuses it: it is no plain function."""
    return (
        not callable(func)
        or inspect.isclass(func)
        or inspect.isgeneratorfunction(func)
        or inspect.iscoroutinefunction(func)
        or inspect.isasyncgenfunction(func)
    )


class NoGrad(StandIn):
    """What `no_grad` is."""

    def __call__(self, orig_func: Any = None) -> Any:
        """Build a block, or wrap a function, in which gradients are not recorded: `torch.no_grad`.

        Args:
            orig_func: function to wrap, for use as ``@no_grad`` without parentheses.

        Returns:
            A context manager and decorator that is a `torch.no_grad`; the wrapped function if one is given.
            Generators, coroutines and classes are wrapped as stock does. While compiling, the stock class's.
        """
        if orig_func is not None:
            return _decorate(orig_func, torch.no_grad)
        if _is_compiling():
            return torch.no_grad()
        made = _new(_NoGrad)
        made._outer = None
        made.prev = False
        return made


class EnableGrad(StandIn):
    """What `enable_grad` is."""

    def __call__(self, orig_func: Any = None) -> Any:
        """Build a block, or wrap a function, in which gradients are recorded: `torch.enable_grad`.

        Args:
            orig_func: as for `no_grad`.

        Returns:
            As for `no_grad`; a `torch.enable_grad`.
        """
        if orig_func is not None:
            return _decorate(orig_func, torch.enable_grad)
        if _is_compiling():
            return torch.enable_grad()
        made = _new(_EnableGrad)
        made._outer = None
        return made


class InferenceMode(StandIn):
    """What `inference_mode` is."""

    def __call__(self, mode: Any = True) -> Any:
        """Build a block, or wrap a function, in inference mode: `torch.inference_mode`.

        Args:
            mode: whether to enable it; or a function to wrap, for use as ``@inference_mode``.

        Returns:
            As for `no_grad`; a `torch.inference_mode`.
        """
        if _is_compiling() or _InferenceGuard is None:
            return torch.inference_mode(mode)
        if mode.__class__ is not bool:
            return _decorate(mode, torch.inference_mode, True)
        made = _new(_InferenceMode)
        made.mode = mode
        made._outer = None
        return made


if TYPE_CHECKING:
    enable_grad, inference_mode, no_grad = torch.enable_grad, torch.inference_mode, torch.no_grad
else:
    no_grad = NoGrad(torch.no_grad)
    enable_grad = EnableGrad(torch.enable_grad)
    inference_mode = InferenceMode(torch.inference_mode)
