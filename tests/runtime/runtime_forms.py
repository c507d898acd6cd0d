"""The functions of `overhead_lint.runtime` in each form, so that one test runs over both."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest

from overhead_lint.runtime import amp, grad

__all__ = ["FORMS", "function"]

FORMS = ("python", "native")

_MODULES = {"autocast": amp, "no_grad": grad, "enable_grad": grad, "inference_mode": grad}


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
    try:
        core: Any = importlib.import_module("overhead_lint.native")
        forms = importlib.import_module("overhead_lint.native_runtime").forms
    except ImportError:
        pytest.skip("a copy of the runtime has no native functions")
    try:
        made: dict[str, Callable[..., Any]] = forms(core.load("contexts"))
    except core.NativeUnavailable as error:
        pytest.skip(str(error))
    return made
