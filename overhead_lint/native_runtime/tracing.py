"""Tells Dynamo which Python function to trace in the place of a compiled one.

torch's own registration imports torch._dynamo, which takes a second or two. So it waits until somebody else
imports that.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

import torch

from overhead_lint.native.toolchain import NativeUnavailable
from overhead_lint.support.after_import import after_import, is_half_imported

__all__ = ["check", "start", "trace_as"]

_DYNAMO = "torch._dynamo"
_waiting: list[tuple[Callable[..., Any], Callable[..., Any]]] = []


def check() -> None:
    """Make sure that compiled functions can be told to Dynamo.

    Raises:
        NativeUnavailable: this torch has no way to, or its Dynamo is just being imported.
    """
    if not hasattr(torch.compiler, "substitute_in_graph"):
        raise NativeUnavailable("this torch has no torch.compiler.substitute_in_graph: update torch")
    if is_half_imported(_DYNAMO):
        raise NativeUnavailable("torch._dynamo is just being imported: import overhead_runtime before it")


def trace_as(compiled: Callable[..., Any], traced: Callable[..., Any]) -> None:
    """Name the function that stands for a compiled one in graphs.

    Args:
        compiled: a function of an extension module.
        traced: a Python function with the same arguments and meaning.
    """
    _waiting.append((compiled, traced))


def start() -> None:
    """Register what was named: now if Dynamo is there, else as soon as it is imported."""
    if _DYNAMO in sys.modules:
        _register()
    else:
        after_import(_DYNAMO, _register)


def _register() -> None:
    while _waiting:
        compiled, traced = _waiting.pop()
        try:
            torch.compiler.substitute_in_graph(compiled)(traced)
        except (
            AttributeError,
            ImportError,
            TypeError,
            ValueError,
        ) as error:  # What a change in torch may raise.
            # The import of Dynamo must not fail by it; graphs break at the function, and results stay right.
            warnings.warn(
                f"overhead_runtime: {compiled.__name__} cannot be told to Dynamo ({error}); "
                "set OVERHEAD_LINT_RUNTIME=python",
                stacklevel=2,
            )
