"""Private packages of a project that nothing outside of them imports: archives of code that nobody runs."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from overhead_lint.project.facts import FileFacts

__all__ = ["left_packages", "private_imports", "private_package"]


def private_package(name: str) -> str:
    """The outermost private package, or module, that holds a module, by dotted names; "" if none does.

    One at the top is what its project is called.
    """
    if "._" not in name:
        return ""
    head, *parts = name.split(".")
    for at, part in enumerate(parts, 1):
        if _is_private(part):
            return ".".join([head, *parts[:at]])
    return ""


def private_imports(facts: FileFacts) -> tuple[str, ...]:
    """Plain names of the private packages and modules that a file imports anything of, or names in texts."""
    by_class = facts.scan.by_class
    found: dict[str, None] = {}
    for text in facts.scan.of_class(ast.Constant):
        value = text.value
        if value.__class__ is str and (value[:1] == "_" or "._" in value) and " " not in value:
            found.update(dict.fromkeys(filter(_is_private, value.split("."))))
    for node in (*by_class.get(ast.Import, ()), *by_class.get(ast.ImportFrom, ())):
        assert isinstance(node, (ast.Import, ast.ImportFrom))
        names = [alias.name for alias in node.names]
        if node.__class__ is ast.ImportFrom and node.module:
            names.append(node.module)
        for name in names:
            found.update(dict.fromkeys(filter(_is_private, name.split("."))))
    return tuple(found)


def left_packages(modules: Collection[str], imports: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """The private packages of which no module outside of them imports anything, by dotted names.

    Names decide: what is imported of a package of the same name elsewhere may be of this one. Of packages
    nothing is said whose surroundings are not known.

    Args:
        modules: dotted names of all modules of the project.
        imports: what modules import, by their names, as `private_imports` gives it.
    """
    packages = {private_package(name) for name in modules if private_package(name) not in ("", name)}
    left = set()
    for package in packages:
        around, _, plain = package.rpartition(".")
        if around in modules and not any(
            plain in imported for name, imported in imports.items() if private_package(name) != package
        ):
            left.add(package)
    return frozenset(left)


def _is_private(part: str) -> bool:
    return part.startswith("_") and not part.startswith("__")
