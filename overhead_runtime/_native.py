"""Puts compiled functions in the place of this package's, where they were built before.

Nothing is compiled here, and no compiler is looked for: ``overhead-lint native build`` does that, ahead of
time. A copy in another package (``overhead-lint vendor``) stays as it is, pure Python.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

__all__ = ["form", "install", "replaced"]

_VARIABLE = "OVERHEAD_LINT_RUNTIME"
_form = "python"
_replaced: dict[str, Any] = {}


def form() -> str:
    """Tell which functions this package has.

    Returns:
        ``"native: "`` and the path of the compiled module, or ``"python: "`` and the reason.
    """
    return _form


def replaced() -> dict[str, Any]:
    """The functions of Python, by name, that compiled ones took the place of."""
    return dict(_replaced)


def install(names: dict[str, Any]) -> None:
    """Replace the functions that are there in a compiled form.

    Args:
        names: the globals of this package.

    Raises:
        ValueError: the environment variable ``OVERHEAD_LINT_RUNTIME`` is neither empty nor ``python``.
    """
    global _form
    wanted = os.environ.get(_VARIABLE, "")
    if wanted not in ("", "python"):
        raise ValueError(
            f"{_VARIABLE}={wanted!r}: set it to python, or unset it for native where it is built"
        )
    if wanted:
        _form = f"python: {_VARIABLE} says so"
        return
    if __package__ != "overhead_runtime":
        _form = "python: a copy in another package"
        return
    try:
        native: Any = importlib.import_module("overhead_lint.native")
        found, path = importlib.import_module("overhead_lint.native_runtime").find()
    except ImportError as error:
        _form = f"python: {error}"
        return
    except native.NativeUnavailable as error:
        _form = f"python: {error}"
        return
    _replaced.update({name: names[name] for name in found})
    names.update(found)
    _form = f"native: {path}"
