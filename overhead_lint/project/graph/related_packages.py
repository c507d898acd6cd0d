"""Which top-level packages of a run have to do with each other: only these share names of methods."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overhead_lint.project.module_index import Module

__all__ = ["Related"]


class Related:
    """Tells which modules may know each other's classes.

    Args:
        modules: the modules by key.
        related: for packages those that have to do with them, if that was found out before.
    """

    def __init__(self, modules: Mapping[str, Module], related: dict[str, set[str]] | None = None) -> None:
        firsts = {key: module.name.partition(".")[0] for key, module in modules.items()}
        packages = {firsts[key] for key, module in modules.items() if "." in module.name}
        self._packages = {key: first if first in packages else "" for key, first in firsts.items()}
        self._related: dict[str, set[str]] = defaultdict(set, related or {})
        for key, module in modules.items() if related is None else ():
            package = self._packages[key]
            for imported in {name.partition(".")[0] for name in (*module.names.values(), *module.stars)}:
                if imported in packages:
                    self._related[package].add(imported)
                    self._related[imported].add(package)

    def packages(self) -> dict[str, set[str]]:
        """For packages those that have to do with them."""
        return dict(self._related)

    def package(self, module: str) -> str:
        """The top-level package that a module lies in; "" for one that lies in none."""
        return self._packages[module]

    def are(self, module: str, other: str) -> bool:
        """Whether two modules are of one package, or of two of which one imports the other.

        Files that lie in the project's folder itself are scripts, which have to do with all of it.
        """
        package, its = self._packages[module], self._packages[other]
        return package == its or not package or not its or its in self._related[package]
