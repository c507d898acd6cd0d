"""Modules that cannot be imported: they ask another of their project for a name that it does not have."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Container

    from overhead_lint.project.facts import FileFacts
    from overhead_lint.project.file_summary import FileSummary

__all__ = ["ANYTHING", "Imports", "defined", "wanted"]

ANYTHING: Final = "*"
"""Stands for the names of a module that may have more than those that can be seen."""

# Calls by which a module may define names that stand nowhere in it.
_DEFINING: Final = ("exec", "globals", "locals", "setattr", "vars")


def wanted(facts: FileFacts) -> tuple[tuple[str, str], ...]:
    """Modules of its own package that a file takes names from whenever it is imported, with these names.

    What stands in a branch, or behind ``try``, it may do without.
    """
    top = facts.module.partition(".")[0]
    found: dict[str, dict[str, None]] = {}
    for statement in facts.scan.tree.body:
        if statement.__class__ is not ast.ImportFrom:
            continue
        module = facts.names.absolute(statement)
        if module.startswith(f"{top}."):
            names = found.setdefault(module, {})
            names.update((alias.name, None) for alias in statement.names if alias.name != ANYTHING)
    return tuple((module, " ".join(names)) for module, names in found.items() if names)


def defined(facts: FileFacts, known: Container[str]) -> tuple[str, ...]:
    """Names that a file's top level has; `ANYTHING` if it may have others.

    Args:
        facts: the file.
        known: names in paths of its functions and classes, which are left out.
    """
    if "." not in facts.module:
        return ()  # see `wanted`
    names = facts.scan.scopes[facts.scan.tree].names
    by_name = facts.call_index.by_name
    if facts.paths.stars or "__getattr__" in names or any(name in by_name for name in _DEFINING):
        return (ANYTHING,)
    if "sys" in names and any(
        node.__class__ is ast.Attribute and node.attr == "modules"
        for node in facts.scan.by_class.get(ast.Attribute, ())
    ):
        return (ANYTHING,)
    return tuple(name for name in names if f".{name}" not in known)


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
