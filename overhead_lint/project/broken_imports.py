"""Modules that cannot be imported: they ask another of their project for a name that it does not have."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.project.graph.broken_imports import ANYTHING

if TYPE_CHECKING:
    from collections.abc import Container

    from overhead_lint.project.file_paths import FilePaths

__all__ = ["defined", "wanted"]


# Calls by which a module may define names that stand nowhere in it.
_DEFINING: Final = ("exec", "globals", "locals", "setattr", "vars")


def wanted(facts: FilePaths) -> tuple[tuple[str, str], ...]:
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


def defined(facts: FilePaths, known: Container[str]) -> tuple[str, ...]:
    """Names that a file's top level has; `ANYTHING` if it may have others.

    Args:
        facts: the file.
        known: names in paths of its functions and classes, which are left out.
    """
    if "." not in facts.module:
        return ()  # see `wanted`
    names = facts.scan.scopes[facts.scan.tree].names
    by_name = facts.call_index.by_name
    if facts.names.stars or "__getattr__" in names or any(name in by_name for name in _DEFINING):
        return (ANYTHING,)
    if "sys" in names and any(
        node.__class__ is ast.Attribute and node.attr == "modules"
        for node in facts.scan.by_class.get(ast.Attribute, ())
    ):
        return (ANYTHING,)
    return tuple(name for name in names if f".{name}" not in known)
