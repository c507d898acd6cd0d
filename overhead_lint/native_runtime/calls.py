"""Calls of functions in another gradient mode, for functions that `no_grad` and the like wrap.

Wrapped functions that are pickled by value, as some libraries pickle those of `__main__`, refer to the names
here. So these are always there: in Python, until the compiled ones take their place.
"""

from __future__ import annotations

from typing import Any

import torch

from overhead_lint.native_runtime.tracing import trace_as

__all__ = ["use"]

# Dynamo traces these for the compiled ones; it cannot look into closures there.


def call_without_grad(func: Any, args: Any, kwargs: Any) -> Any:
    with torch.no_grad():
        return func(*args, **kwargs)


def call_with_grad(func: Any, args: Any, kwargs: Any) -> Any:
    with torch.enable_grad():
        return func(*args, **kwargs)


def call_in_inference_mode(func: Any, args: Any, kwargs: Any) -> Any:
    with torch.inference_mode(True):
        return func(*args, **kwargs)


def call_outside_inference_mode(func: Any, args: Any, kwargs: Any) -> Any:
    with torch.inference_mode(False):
        return func(*args, **kwargs)


_PYTHON = (call_without_grad, call_with_grad, call_in_inference_mode, call_outside_inference_mode)


def use(module: Any) -> None:
    """Put the compiled functions in the place of those of Python.

    Args:
        module: the compiled module ``contexts``.
    """
    for traced in _PYTHON:
        call = getattr(module, traced.__name__)
        trace_as(call, traced)
        call.__module__ = __name__
        globals()[traced.__name__] = call
