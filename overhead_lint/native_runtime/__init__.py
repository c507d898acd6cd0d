"""The APIs of `overhead_runtime` over the compiled module ``contexts``: the same, for less.

One module a subject. Each makes, of the compiled module and of the Python form, the functions that take the
Python form's place. What is rare (arguments seen for the first time, function modes, wrong use, functions
to wrap) still goes through the Python form, and Dynamo traces that one.
"""

from __future__ import annotations

import functools
import importlib
import types
from collections.abc import Callable
from typing import Any

from overhead_lint.native import build

__all__ = ["find", "forms"]


def find() -> tuple[dict[str, Callable[..., Any]], str]:
    """The native functions by name, where the compiled module has been built before, and its path.

    Raises:
        NativeUnavailable: it has not, or cannot be used with this torch.
    """
    module = build.built("contexts")
    return forms(module), str(module.__file__)


def forms(module: Any) -> dict[str, Callable[..., Any]]:
    """The native functions by name.

    Args:
        module: the compiled module ``contexts``.

    Raises:
        NativeUnavailable: this torch lacks what they need.
    """
    return _forms(module)


@functools.cache
def _forms(module: Any) -> dict[str, Callable[..., Any]]:
    from overhead_lint.native_runtime import amp, constants, grad, keys, queries, ranges, tracing

    tracing.check()
    made: dict[str, Callable[..., Any]] = {}
    for subject in (amp, grad, ranges, keys, constants, queries):
        made |= subject.forms(module)
    for name, function in made.items():
        # Pickles hold this place, which has the Python form where nothing is compiled.
        function.__module__ = "overhead_runtime"
        if isinstance(function, types.FunctionType):
            function.__qualname__ = name
    tracing.start()
    return made


# The modules of this package import the runtime, which comes here to look for them: it goes first.
importlib.import_module("overhead_runtime")
