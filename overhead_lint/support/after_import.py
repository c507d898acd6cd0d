"""Calls something as soon as somebody has imported a module, which may take seconds to import or never be.

Imports neither torch nor anything else of this project.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import sys
import threading
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

__all__ = ["after_import", "is_half_imported"]


def after_import(name: str, call: Callable[[], None]) -> None:
    """Call a function once, when the next import of a module has run the module's code.

    The thread that imports it calls, and still holds the lock of that import. Asking again for what is still
    awaited changes nothing, but mends what emptied ``sys.meta_path`` meanwhile.

    Args:
        name: of a module that is not imported yet.
        call: raises nothing: it would come out of somebody's ``import``.
    """
    calls = _FINDER.awaited.setdefault(name, [])
    if call not in calls:
        calls.append(call)
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)


def is_half_imported(name: str) -> bool:
    """Whether a module is being imported and its code still runs, as far as can be known."""
    module = sys.modules.get(name)
    initializing = getattr(getattr(module, "__spec__", None), "_initializing", False)
    return bool(initializing) and _FINDER.have_run.get(name) is not module


class _Finder(importlib.abc.MetaPathFinder):
    """Waits for some modules, and finds nothing else. A mere look for one of them changes nothing."""

    def __init__(self) -> None:
        self.awaited: dict[str, list[Callable[[], None]]] = {}
        self.have_run: dict[str, ModuleType] = {}
        """Modules that were awaited, and whose code has run; Python says later that they are imported."""
        self._looking = threading.local()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self.awaited or getattr(self._looking, "now", False):
            return None
        self._looking.now = True  # The look below comes here, too.
        try:
            spec = importlib.util.find_spec(fullname)
        finally:
            self._looking.now = False
        if spec is not None and spec.loader is not None:
            spec.loader = _Then(spec.loader, self)
        return spec

    def imported(self, module: ModuleType) -> None:
        """The code of a module has run."""
        self.have_run[module.__name__] = module
        calls = self.awaited.pop(module.__name__, [])
        if not self.awaited and self in sys.meta_path:
            sys.meta_path.remove(self)
        for call in calls:
            call()


_FINDER: Final = _Finder()


class _Then(importlib.abc.Loader):
    """Loads a module as its own loader does, leaves that one in place, and tells the finder."""

    def __init__(self, loader: importlib.abc.Loader, finder: _Finder) -> None:
        self.loader = loader
        self.finder = finder

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
        self.finder.imported(module)
