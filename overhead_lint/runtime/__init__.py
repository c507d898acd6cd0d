"""The runtime by its first name: all of `overhead_runtime`, the same objects.

It is a distribution of its own, ``overhead-runtime``, so that a program which uses it need not install a
linter. Modules of this package by their old names, which pickles hold, are those of that one.
"""

from __future__ import annotations

import importlib
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

import overhead_runtime
from overhead_runtime import *  # noqa: F403
from overhead_runtime import __all__ as __all__


class _OldNames(MetaPathFinder, Loader):
    """Finds modules under ``overhead_lint.runtime`` in `overhead_runtime`."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        if not fullname.startswith(f"{__name__}."):
            return None
        real = overhead_runtime.__name__ + fullname.removeprefix(__name__)
        try:
            module = importlib.import_module(real)
        except ModuleNotFoundError as error:
            if error.name != real:
                raise
            return None
        return ModuleSpec(fullname, self, loader_state=(module, module.__spec__))

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module: ModuleType = spec.loader_state[0]
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is left to run; the module keeps the spec that it has by its own name."""
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state[1]


# First, since the packages there have paths in which another finder would look for a second copy.
sys.meta_path.insert(0, _OldNames())


class _Package(ModuleType):
    """Keeps the function ``compile`` where the module of that name is imported, and would replace it."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (isinstance(value, ModuleType) and name in __all__):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
