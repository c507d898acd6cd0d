"""The functions of `overhead_runtime` in each form, so that one test runs over both."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest

from overhead_runtime import amp, constants, grad, keys, queries, ranges

__all__ = ["FORMS", "function", "native", "native_module"]

FORMS = ("python", "native")

_MODULES = {
    **dict.fromkeys(("autocast",), amp),
    **dict.fromkeys(("no_grad", "enable_grad", "inference_mode"), grad),
    **dict.fromkeys(("record", "nvtx_range"), ranges),
    **dict.fromkeys(("env_flag", "refresh_env_flags", "cached_signature", "device_properties"), queries),
    **dict.fromkeys(("const_tensor", "clear_const_tensors"), constants),
    "cached_hash": keys,
}


def function(name: str, form: str) -> Callable[..., Any]:
    """One function in one form; skips the test where the native one cannot be had.

    Args:
        name: of the function.
        form: one of `FORMS`.
    """
    made: Callable[..., Any] = native()[name] if form == "native" else getattr(_MODULES[name], name)
    return made


def native() -> dict[str, Callable[..., Any]]:
    """All native functions, compiled now if need be."""
    module = native_module()
    made: dict[str, Callable[..., Any]] = importlib.import_module("overhead_lint.native_runtime").forms(
        module
    )
    return made


def native_module() -> Any:
    """The compiled module; skips the test where it cannot be had."""
    try:
        core: Any = importlib.import_module("overhead_lint.native")
    except ImportError:
        pytest.skip("a copy of the runtime has no native functions")
    try:
        return core.load("contexts")
    except core.NativeUnavailable as error:
        pytest.skip(str(error))
