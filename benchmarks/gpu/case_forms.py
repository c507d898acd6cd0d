"""Several forms of one program in one process, each with its own modules."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

__all__ = ["Form"]


class Form:
    """A folder of modules that are in place only while the form is active.

    Two forms have modules of the same names, and a program imports some of them late: in a function, the
    first time that it runs. So they are put into `sys.modules` before each use, and taken out after it.

    Args:
        name: the stage that it is.
        folder: the current directory while it runs.
        root: where its modules are imported from.
    """

    def __init__(self, name: str, folder: Path, root: Path) -> None:
        self.name, self.folder, self._root = name, folder.resolve(), str(root.resolve())
        self._modules: dict[str, ModuleType] = {}

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Have this form's modules in place, and its folder for the current directory."""
        before, path = Path.cwd(), list(sys.path)
        sys.path.insert(0, self._root)
        sys.modules.update(self._modules)
        importlib.invalidate_caches()
        os.chdir(self.folder)
        try:
            yield
        finally:
            os.chdir(before)
            # All of them first: the path of a package without a file is worked out from its parent's.
            own = {name: module for name, module in list(sys.modules.items()) if self._is_own(module)}
            sys.path[:] = path
            for name in own:
                del sys.modules[name]
            self._modules |= own

    def _is_own(self, module: ModuleType) -> bool:
        # Not by getattr(): some modules of torch have any attribute that they are asked for.
        names = vars(module)
        places = [names.get("__file__"), *(names.get("__path__") or ())]
        return any(
            isinstance(place, str) and Path(place).resolve().is_relative_to(self.folder) for place in places
        )
