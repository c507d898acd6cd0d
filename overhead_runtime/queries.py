"""Answers that hardly ever change: `env_flag`, `cached_signature`, `device_properties`."""

from __future__ import annotations

import functools
import inspect
import os
import types
import weakref
from collections.abc import Callable
from typing import Any

import torch

__all__ = ["cached_signature", "device_properties", "env_flag", "kept_properties", "refresh_env_flags"]

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"", "0", "false", "no", "off"})


@functools.cache
def env_flag(name: str, default: bool = False) -> bool:
    """Read a switch from the environment, once.

    Args:
        name: of the variable.
        default: what to answer where it is not set.

    Returns:
        True for 1, true, yes, on; False for 0, false, no, off and the empty string; in any case of letters.
        Later changes of the environment are not seen until `refresh_env_flags`.

    Raises:
        TypeError: `name` is not a str, as `os.environ` raises.
        ValueError: the variable holds something else; it is named.
    """
    text = os.environ.get(name)
    if text is None:
        return default
    word = text.strip().lower()
    if word not in _TRUE and word not in _FALSE:
        raise ValueError(f"env_flag: {name}={text!r} is neither true (1, yes, on) nor false (0, no, off)")
    return word in _TRUE


def refresh_env_flags() -> None:
    """Forget what `env_flag` read: after the environment was changed, or patched in a test."""
    env_flag.cache_clear()


class _Seen:
    """A signature, and what it was made of."""

    __slots__ = ("annotations", "code", "defaults", "function", "keyword_defaults", "signature")

    def __init__(self, function: types.FunctionType, forget: Callable[[Any], None]) -> None:
        self.function: Any = weakref.ref(function, forget)
        self.code = function.__code__
        self.defaults = function.__defaults__
        self.keyword_defaults = function.__kwdefaults__
        self.annotations = function.__annotations__
        self.signature = inspect.signature(function)


_signatures: dict[int, _Seen] = {}


def cached_signature(func: Callable[..., Any]) -> inspect.Signature:
    """Give ``inspect.signature(func)``, made once for a plain Python function.

    Made anew when the function's code, defaults or annotations are replaced, or it gets a ``__signature__``
    or ``__wrapped__``. Annotations and keyword defaults changed in place are not seen. Callables that
    are no plain functions (methods, classes, partials, builtins) are asked each time, as in stock.

    Args:
        func: any callable.

    Returns:
        The signature; the same object for the same function.

    Raises:
        TypeError: `func` is not callable, as stock.
        ValueError: it has no signature, as stock.
    """
    seen = _signatures.get(id(func))
    function: Any = func
    if (
        seen is not None
        and seen.function() is function
        and function.__code__ is seen.code
        and function.__defaults__ is seen.defaults
        and function.__kwdefaults__ is seen.keyword_defaults
        and function.__annotations__ is seen.annotations
        and not _speaks_for_itself(function)
    ):
        return seen.signature
    if type(func) is not types.FunctionType or _speaks_for_itself(func):
        return inspect.signature(func)
    key = id(func)

    def forget(dead: weakref.ref[Any]) -> None:
        known = _signatures.get(key)
        if known is not None and known.function is dead:
            del _signatures[key]

    made = _signatures[key] = _Seen(func, forget)
    return made.signature


def _speaks_for_itself(function: types.FunctionType) -> bool:
    attributes = function.__dict__
    return bool(attributes) and ("__wrapped__" in attributes or "__signature__" in attributes)


kept_properties: dict[Any, Any] = {}
"""Device properties by device index, or by a device that names one."""


def device_properties(device: int | str | torch.device | None = None) -> Any:
    """Give ``torch.cuda.get_device_properties(device)``, asked for once for each device.

    Args:
        device: index or device; the current one if None, which follows ``torch.cuda.set_device``.

    Returns:
        The properties, as stock gives them. In a forked process torch is asked, and refuses as in stock.

    Raises:
        AssertionError: no such device, or torch has no CUDA, as stock.
        ValueError: not a CUDA device, as stock.
    """
    if not torch.cuda.is_initialized():
        return torch.cuda.get_device_properties(device)
    key = torch.cuda.current_device() if device is None else device
    if key.__class__ not in (int, str, torch.device):
        return torch.cuda.get_device_properties(device)
    known = kept_properties.get(key)
    if known is not None:
        return known
    found = torch.cuda.get_device_properties(device)
    if isinstance(key, int) or torch.device(key).index is not None:  # Else it means the current one.
        kept_properties[key] = found
    return found
