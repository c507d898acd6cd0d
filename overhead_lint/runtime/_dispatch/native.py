"""The native core of the dispatcher, where it can be had."""

from __future__ import annotations

import importlib
from typing import Any

from . import dynamo
from .dynamo import Unsupported

_given: set[int] = set()


def core() -> Any:
    """The extension module, built on first use.

    Raises:
        Unsupported: It is not installed (a vendored copy of the runtime has none), or cannot be built here.
    """
    try:
        native: Any = importlib.import_module("overhead_lint.native")
    except ImportError:
        raise Unsupported("overhead_lint.native is not installed") from None
    try:
        module = native.load("dispatch")
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
