"""The native core of the dispatcher, where it can be had."""

from __future__ import annotations

import functools
import importlib
import logging
import os
from typing import Any

from . import dynamo
from .unsupported import Unsupported

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
        if hasattr(module, "trust_watchers"):
            _notices_writes(module)  # where writes are told of, "full" looks less often, too
    return module


def _tell_once(why: str) -> None:
    # A log line, since a warning could be turned into an error in the middle of a compiled call.
    if not _told:
        _told.append(why)
        _log.warning("overhead_runtime.compile dispatches calls in Python: %s", why)


def flat_state() -> Any:
    """The native class that compares states.

    Raises:
        Unsupported: There is no native core, or this interpreter does not show every change of a dict.
    """
    module = core()
    if not hasattr(module, "FlatState"):
        raise Unsupported("a free-threaded Python does not show changes of dicts in time")
    if not _notices_writes(module):
        raise Unsupported("this Python does not show every write to an object")
    return module.FlatState


@functools.cache
def _notices_writes(module: Any) -> bool:
    # `places` imports what is only needed for "token".
    from .noticing import notices_writes

    return notices_writes(module)
