"""Sees the code of files before it runs, and modules after they were imported.

Loaders, specs and modules stay what they are, and no frame of ours is on the stack while a module of
the program runs: tracebacks look as always.
"""

from __future__ import annotations

import contextlib
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from typing import Any

from overhead_lint.dynamic import shadowed
from overhead_lint.dynamic.untraced import untraced

__all__ = ["after_import", "imported", "watch_code"]


def imported(name: str) -> types.ModuleType | None:
    """A module whose import has ended; None also while it goes on, and where something else has its name."""
    module = sys.modules.get(name)
    spec = getattr(module, "__spec__", None)
    return None if spec is None or getattr(spec, "_initializing", False) else module


@contextlib.contextmanager
def watch_code(watch: Callable[[str, types.CodeType], types.CodeType]) -> Iterator[None]:
    """Let `watch` see, and replace, the code of each source file that is imported in the block.

    Args:
        watch: given the path and the code; called by each import, so it had better be quick.
    """
    loaders: Any = SourceFileLoader
    original = loaders.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> types.CodeType | None:
        code = original(self, fullname)
        return watch(self.path, code) if code is not None else None

    _pass_for_importlib(get_code)
    untraced(get_code)
    loaders.get_code = get_code
    try:
        yield
    finally:
        if SourceFileLoader.__dict__.get("get_code") is get_code:
            loaders.get_code = original


def _pass_for_importlib(function: Any) -> None:
    """Let a function be a part of it in tracebacks.

    Of a file that cannot be compiled, or whose code raises, the interpreter shows nothing that importlib has
    on the stack, where that is in one piece.
    """
    code = function.__code__
    function.__code__ = code.replace(co_filename=SourceFileLoader.exec_module.__code__.co_filename)


@contextlib.contextmanager
def after_import(hooks: Mapping[str, Callable[[types.ModuleType], None]]) -> Iterator[None]:
    """Call a hook with each module that it names: at once where it is imported, else right after that.

    Args:
        hooks: what to call, by the module's full name.
    """
    for name in hooks:
        if name in sys.modules:
            hooks[name](sys.modules[name])
    finder = _Finder({name: hook for name, hook in hooks.items() if name not in sys.modules})
    finders: list[Any] = sys.meta_path
    finders.insert(0, finder)
    try:
        yield
    finally:
        if finder in finders:
            finders.remove(finder)


@untraced
def _tell(hook: Callable[[types.ModuleType], None], module: types.ModuleType) -> None:
    with shadowed.ours():
        hook(module)


class _Finder:
    """Finds the modules that have hooks, as `PathFinder` does, and no others."""

    def __init__(self, hooks: dict[str, Callable[[types.ModuleType], None]]) -> None:
        self._hooks = hooks

    @untraced
    def find_spec(
        self, name: str, path: list[str] | None = None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        hook = self._hooks.pop(name, None)
        if hook is None:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            loader: Any = spec.loader
            execute = loader.exec_module

            def exec_module(module: types.ModuleType) -> None:
                del loader.exec_module
                execute(module)
                _tell(hook, module)

            _pass_for_importlib(exec_module)
            loader.exec_module = exec_module
        return spec
