"""Finds modules by where they lie, for imports from a folder above that Python looks for modules in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overhead_lint.project.module_index import Module

__all__ = ["Places", "name_below"]


class Places:
    """Where modules lie, as dotted names from the project's folder.

    A module of a folder without ``__init__.py`` is named from there: ``src.package.module``. Others import it
    as ``package.module``, since ``src`` is a folder that Python looks for modules in. Any folder above a file
    may be one, but for packages.

    Args:
        modules: the modules by key.

    Attributes:
        from_root: where the project's folder is a package itself, keys of the modules by their names from
            within it: programs run there, and import ``package.module``, not ``checkout.package.module``.
    """

    def __init__(self, modules: Mapping[str, Module]) -> None:
        self.from_root: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        self._above: dict[str, set[str]] = defaultdict(set)
        packages: set[str] = set()
        folders: set[str] = set()
        at_root = {module.name for module in modules.values() if not module.folder}
        for key, module in modules.items():
            folder, name = module.folder, module.name
            below = name_below(name, folder)
            if below and name[: -len(below) - 1] in at_root:
                self.from_root.setdefault(below, key)
                name = below
            if not folder:
                continue  # it lies in the project's folder, and is known by its name
            is_whole = is_package(folder, name)
            if is_whole:
                packages.add(folder)
            place = folder if is_whole else f"{folder}.{name.rpartition('.')[2]}"
            self._keys.setdefault(place, key)
            folders.add(folder)
        for folder in folders:
            above = ""
            for part in folder.split("."):
                if above and above not in packages:
                    self._above[part].add(above)
                above = f"{above}.{part}" if above else part

    def find(self, first: str, dotted: str, folder: str) -> str | None:
        """Key of the module that a file of a folder means by a dotted name; None if there is none.

        Args:
            first: first part of the name.
            dotted: the name, of two parts at least.
            folder: dotted name of the folder.
        """
        above = [one for one in self._above.get(first, ()) if f"{folder}.".startswith(f"{one}.")]
        for one in sorted(above, key=len, reverse=True):
            key = self._keys.get(f"{one}.{dotted}")
            if key is not None:
                return key
        return self._keys.get(dotted)  # a package below a folder without `__init__.py` is named by both


def is_package(folder: str, name: str) -> bool:
    """Whether a module is the ``__init__.py`` of the folder that it lies in, both as dotted names."""
    return f".{folder}".endswith(f".{name}")


def name_below(name: str, folder: str) -> str:
    """What a module's name is without what stands above the project's folder in it; "" if nothing does.

    Args:
        name: dotted name of the module.
        folder: dotted name of where it lies, from the project's folder.
    """
    if not folder:
        return name.rpartition(".")[2] if "." in name else ""
    before, found, after = f"{name}.".partition(f".{folder}.")
    return f"{folder}.{after}".rstrip(".") if before and found else ""
