"""What the modules of a project can be asked for by name: plain data, taken from summaries."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["ClassSummary", "ModuleIndex", "module_of"]


class ClassSummary(NamedTuple):
    """A class, as other files need to know it."""

    name: str
    """Its name in paths: ``.Model``."""
    bases: tuple[str, ...]
    """Paths of its bases."""
    methods: tuple[str, ...]
    properties: tuple[str, ...]
    """Those of the methods that are read like attributes."""
    attributes: tuple[tuple[str, str], ...]
    """Attributes of its instances with the paths of what they are."""
    extending: tuple[str, ...] = ()
    """Those of the methods that may run what they override, by an attribute of their own name that is read in
    them; behind `overhead_lint.project.paths.SUPER` those that read it of ``super()`` alone."""


class ModuleIndex(NamedTuple):
    """What the modules of a project can be asked for by name.

    Attributes:
        name: dotted name of the module, as others import it.
        folder: dotted name of where it lies: a script finds its neighbours there.
        functions: for each function, by its name in paths, the path of what it returns.
        classes: by name in paths.
        names: paths of what the top level imports, and of its instances.
        stars: modules whose names it imports with a star.
        patches: attributes of other objects that functions are put in, with the paths of these.
        handed: functions handed to calls: path of the callee, place or keyword, path of the function.
        takes: parameters given by place of the functions that call one of them.
        gives: kinds of what functions give and of what attributes and constants hold, as
            `overhead_lint.project.gives.gives` names them; squeezed, since few are asked.
        passed: what calls pass to functions of other files; as `marshal` has it.
    """

    name: str
    folder: str
    functions: dict[str, str]
    classes: dict[str, ClassSummary]
    names: dict[str, str]
    stars: tuple[str, ...]
    patches: tuple[tuple[str, str], ...] = ()
    handed: tuple[tuple[str, str, str], ...] = ()
    takes: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    gives: bytes = b""
    passed: bytes = b""


def module_of(key: str) -> str:
    """Key of the module of a class's or function's key.

    It is empty or ends in a colon; names of classes and functions in paths have none.
    """
    return key[: key.find(":") + 1]
