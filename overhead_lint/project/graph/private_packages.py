"""Private packages of a project that nothing outside of them imports: archives of code that nobody runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

__all__ = ["is_private", "left_packages", "private_package"]


def private_package(name: str) -> str:
    """The outermost private package, or module, that holds a module, by dotted names; "" if none does.

    One at the top is what its project is called.
    """
    if "._" not in name:
        return ""
    head, *parts = name.split(".")
    for at, part in enumerate(parts, 1):
        if is_private(part):
            return ".".join([head, *parts[:at]])
    return ""


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


def is_private(part: str) -> bool:
    """Whether a part of a dotted name is private."""
    return part.startswith("_") and not part.startswith("__")
