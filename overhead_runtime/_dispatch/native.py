"""The native core of the dispatcher, where it can be had."""

from __future__ import annotations

import importlib
import logging
import os
from typing import Any

from . import dynamo
from .dynamo import Unsupported

_log = logging.getLogger(__name__)
_given: set[int] = set()
_told: list[str] = []


def core() -> Any:
    """The extension module, where it was built before. Nothing is compiled here.

    Raises:
        Unsupported: It was not built for this torch, ``OVERHEAD_LINT_RUNTIME=python`` is set, or this is a
            copy in another package, which is pure Python.
    """
    if __package__ != "overhead_runtime._dispatch":
        raise Unsupported("a copy of the runtime in another package is pure Python")
    if os.environ.get("OVERHEAD_LINT_RUNTIME", ""):
        raise Unsupported("OVERHEAD_LINT_RUNTIME=python keeps the runtime to Python")
    try:
        native: Any = importlib.import_module("overhead_lint.native.build")
    except ImportError:
        raise Unsupported("overhead_lint.native is not installed") from None
    try:
        module = native.built("dispatch")
    except native.NativeUnavailable as error:
        _tell_once(str(error))
        raise Unsupported(str(error)) from None
    if id(module) not in _given:
        module.use_dynamo(*dynamo.for_native())
        _given.add(id(module))
    return module


def _tell_once(why: str) -> None:
    # A log line, since a warning could be turned into an error in the middle of a compiled call.
    if not _told:
        _told.append(why)
        _log.warning("overhead_runtime.compile dispatches calls in Python: %s", why)


def flat_state() -> Any:
    """The native class that compares states.

    Raises:
        Unsupported: There is no native core, or this interpreter does not number changes of dicts.
    """
    found = getattr(core(), "FlatState", None)
    if found is None:
        raise Unsupported("this Python does not number changes of dicts (CPython 3.10 and 3.11 do)")
    return found
