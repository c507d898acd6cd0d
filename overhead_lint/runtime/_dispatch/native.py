"""The native core of the dispatcher, where it can be had."""

from __future__ import annotations

import importlib
import os
import warnings
from typing import Any

from . import dynamo
from .dynamo import Unsupported

_given: set[int] = set()


def core() -> Any:
    """The extension module, built on first use.

    Raises:
        Unsupported: It cannot be built here, ``OVERHEAD_LINT_RUNTIME=python`` is set, or this is a copy in
            another package, which is pure Python.
    """
    if __package__ != "overhead_lint.runtime._dispatch":
        raise Unsupported("a copy of the runtime in another package is pure Python")
    if os.environ.get("OVERHEAD_LINT_RUNTIME", ""):
        raise Unsupported("OVERHEAD_LINT_RUNTIME=python keeps the runtime to Python")
    try:
        native: Any = importlib.import_module("overhead_lint.native")
    except ImportError:
        raise Unsupported("overhead_lint.native is not installed") from None
    try:
        module = native.load("dispatch")
    except native.BuildFailed as error:
        # `load` raises this once; a missing compiler is nothing to warn of, an error of the compiler is.
        warnings.warn(f"{error}; compiled calls are dispatched in Python", RuntimeWarning, stacklevel=2)
        raise Unsupported(str(error)) from None
    except native.NativeUnavailable as error:
        raise Unsupported(str(error)) from None
    if id(module) not in _given:
        module.use_dynamo(*dynamo.for_native())
        _given.add(id(module))
    return module


def flat_state() -> Any:
    """The native class that compares states.

    Raises:
        Unsupported: There is no native core, or this interpreter does not number changes of dicts.
    """
    found = getattr(core(), "FlatState", None)
    if found is None:
        raise Unsupported("this Python does not number changes of dicts (CPython 3.10 and 3.11 do)")
    return found
