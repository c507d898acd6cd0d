"""Modules that cannot be imported: they ask another of their project for a name that it does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from overhead_lint.project.file_summary import FileSummary

__all__ = ["ANYTHING", "Imports"]

ANYTHING: Final = "*"
"""Stands for the names of a module that may have more than those that can be seen."""


class Imports:
    """Gathers what the modules of a project take from each other."""

    def __init__(self) -> None:
        self._wants: dict[str, tuple[tuple[str, str], ...]] = {}
        self._defines: dict[str, set[str]] = {}

    def add(self, module: str, summary: FileSummary, is_package: bool) -> None:
        """Add a module, by its dotted name.

        What a package has, files of another kind may give it. Where it cannot be imported itself, nothing
        below it can: then something else defines the name.
        """
        if summary.wants and not is_package:
            self._wants[module] = summary.wants
        names = self._defines.setdefault(module, set())
        names.update(summary.defines)
        names.update(function.name[1:] for function in summary.functions)
        names.update(cls.name[1:] for cls in summary.classes)
        if is_package:
            names.add(ANYTHING)

    def broken(self) -> dict[str, str]:
        """Modules that cannot be imported, by dotted names, with what they ask for in vain."""
        found = {}
        for module, wants in self._wants.items():
            for asked, names in wants:
                known = self._defines.get(asked)
                if known is None or ANYTHING in known or asked == module:
                    continue
                lacking = {*names.split(" ")} - known
                if lacking:
                    found[module] = f"{asked} has no {min(lacking)}"
                    break
        return found
