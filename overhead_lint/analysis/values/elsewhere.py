"""What files that are not solved together with others know of them: values by paths."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.values.lattice import (
    ANYTHING,
    KINDS,
    MODULE,
    OBJECT,
    UNKNOWN,
    Value,
    join,
)
from overhead_lint.analysis.values.reference import Reference

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = [
    "CALLED",
    "INSTANCE_OF",
    "PARAMETER_OF",
    "STARRED",
    "Elsewhere",
    "Others",
    "elsewhere_among",
    "with_presumed",
]

CALLED: Final = "()"
"""Follows the path of something, for what calling it gives."""
INSTANCE_OF: Final = "(~)"
"""Follows the path of a class, for an object of it or of a class that derives from it."""
PARAMETER_OF: Final = "@"
"""What the path of a parameter begins with: ``@.collate:batch:0``, by its function, name and place."""
STARRED: Final = "*"
"""What the path of a name begins with that only an import of all names can have brought."""
_OBJECTS: Final = MODULE | OBJECT
_LONGEST: Final = 160
_MOST_STEPS: Final = 8


class Elsewhere(Reference):
    """Something that another file of the project knows more of.

    Attributes:
        path: how it is found from the file that is solved.
        is_part: whether it is only a part of what is found so, or made of that.
    """

    __slots__ = ("is_part", "path")

    def __init__(self, path: str, *, is_part: bool = False) -> None:
        super().__init__(f"={path} of" if is_part else f"={path}")
        self.path = path
        self.is_part = is_part

    @property
    def is_object(self) -> bool:
        """Whether it is an object of a class of the project, by an annotation or what is called."""
        cls, _, called = self.path.rpartition(".")[2].partition("(")
        return bool(called) and (self.path.endswith(INSTANCE_OF) or cls.lstrip("_")[:1].isupper())


class Others:
    """What is known of the files that are not solved.

    Args:
        leads_on: whether other files of the project may say what a path stands for.
        told: what paths are known to stand for.
        aliases: the APIs of libraries that names of other files are known to be, by the names' paths.

    Attributes:
        leads_on: see there.
        aliases: see there.
    """

    def __init__(
        self,
        leads_on: Callable[[str], bool],
        told: Mapping[str, Value],
        aliases: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.leads_on = leads_on
        self.aliases = aliases
        self._told = told
        self._values: dict[str, Value] = {}
        self._parts: dict[str, Value] = {}

    def has(self, path: str) -> bool:
        """Whether what looks like an API, by its name, may be of the project after all."""
        return not path.startswith("builtins") and self.leads_on(path)

    def value(self, path: str) -> Value:
        """Return what a path stands for: what is told of it, or something of which others know more."""
        found = self._values.get(path)
        if found is None:
            found = self._values[path] = self._value(path)
        return found

    def part(self, whole: Elsewhere) -> Value:
        """Return what something holds of which other files know more: they know what that is, too."""
        found = self._parts.get(whole.path)
        if found is None:
            one = whole if whole.is_part else Elsewhere(whole.path, is_part=True)
            found = self._parts[whole.path] = Value(UNKNOWN, (one,))
        return found

    def step(self, holder: Elsewhere, step: str) -> Value:
        """Return what is found a step further on from something that another file defines."""
        return self.part(holder) if holder.is_part else self.value(f"{holder.path}{step}")

    def _value(self, path: str) -> Value:
        told = self._told.get(path)
        if told is not None and (told.references or not told.bits & KINDS & (UNKNOWN | _OBJECTS)):
            return told
        steps = path.count(CALLED) + path.count(INSTANCE_OF)
        if len(path) > _LONGEST or steps > _MOST_STEPS or not self.leads_on(path):
            return told or ANYTHING
        return Value(told.bits if told is not None else UNKNOWN, (Elsewhere(path),))


def with_presumed(value: Value, found: Value, presumed: Value) -> Value:
    """Return what is made of something unknown: what other files tell, or its name where they tell nothing.

    Args:
        value: what it is made of.
        found: what its references tell.
        presumed: what the name of an attribute or method tells.
    """
    if not elsewhere_among(value):
        return join(found, presumed)
    if presumed.bits & UNKNOWN:
        return found  # others know whose it is
    return presumed if found.bits & UNKNOWN else found


def elsewhere_among(value: Value) -> list[Elsewhere]:
    """Return what other files know more of among what a value refers to."""
    return [one for one in value.references if isinstance(one, Elsewhere)]
