"""Tells Dynamo which Python function to trace in the place of a compiled one.

torch's own registration imports torch._dynamo, which takes a second or two. So it waits until somebody else
imports that.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import torch

from overhead_lint.native.toolchain import NativeUnavailable

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
    if _is_half_imported():
        raise NativeUnavailable(
            "torch._dynamo is just being imported: import overhead_lint.runtime before it"
        )


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
    elif not any(isinstance(finder, _Watch) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Watch())


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
                f"overhead_lint.runtime: {compiled.__name__} cannot be told to Dynamo ({error}); "
                "set OVERHEAD_LINT_RUNTIME=python",
                stacklevel=2,
            )


def _is_half_imported() -> bool:
    spec = getattr(sys.modules.get(_DYNAMO), "__spec__", None)
    return bool(getattr(spec, "_initializing", False))


class _Watch(importlib.abc.MetaPathFinder):
    """Waits until Dynamo is imported, and finds nothing else. A mere look for it changes nothing."""

    def __init__(self) -> None:
        self._looking = threading.local()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _DYNAMO or getattr(self._looking, "now", False):
            return None
        self._looking.now = True  # The look below comes here, too.
        try:
            spec = importlib.util.find_spec(fullname)
        finally:
            self._looking.now = False
        if spec is not None and spec.loader is not None:
            spec.loader = _Then(spec.loader, self)
        return spec


class _Then(importlib.abc.Loader):
    """Loads a module as its own loader does, leaves that one in place, and registers."""

    def __init__(self, loader: importlib.abc.Loader, watch: _Watch) -> None:
        self.loader = loader
        self.watch = watch

    def __getattr__(self, name: str) -> Any:
        """What the loader has besides, such as its ``get_source``."""
        return getattr(self.__dict__["loader"], name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self.loader
        if module.__spec__ is not None:
            module.__spec__.loader = self.loader
        self.loader.exec_module(module)
        if self.watch in sys.meta_path:
            sys.meta_path.remove(self.watch)
        _register()
