"""What paths lead to, and the steps that paths are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from overhead_lint.project.path_syntax import ANY_INSTANCE, INSTANCE, ITEM, MANY, STARRED, SUPER
from overhead_lint.tuples import NamedTuple

__all__ = ["MARKS", "Entity", "each_of", "either", "last_step", "steps_of"]

_STEP: Final = re.compile(r"\(\)|\(~\)|\[\]|#|\.?[^.()\[\]#]+")
_ROOTS: Final = frozenset({"", SUPER, STARRED})

MARKS: Final = frozenset({INSTANCE, ANY_INSTANCE, ITEM, MANY})
"""The steps that are no names."""


class Entity(NamedTuple):
    """What a path leads to.

    Attributes:
        what: ``module``, ``class``, ``instance``, ``function``, ``property``, ``many``, ``look-up`` (of
            an item of what holds many) or ``outside``.
        key: the module's, class's or function's key; a dotted name for ``outside``.
        family: for an instance, and what is found on it: the class whose heirs may stand in; or "".
        inner: for ``many`` and ``look-up``, what is held.
        others: what it may be as well, by other branches of a choice; these have none themselves.
    """

    what: str
    key: str
    family: str = ""
    inner: Entity | None = None
    others: tuple[Entity, ...] = ()


def each_of(entity: Entity) -> tuple[Entity, ...]:
    """What a path leads to, and what it may be as well."""
    return (entity._replace(others=()), *entity.others) if entity.others else (entity,)


def either(found: Iterable[Entity | None]) -> Entity | None:
    """What may be any of some; the first stands for all where only one is asked for."""
    each = [one for entity in found if entity is not None for one in each_of(entity)]
    if len(each) < 2:
        return each[0] if each else None
    first, *others = dict.fromkeys(each)
    return first._replace(others=tuple(others)) if others else first


def steps_of(path: str) -> list[str]:
    """The steps of a path, its root left out; names with the dot before them."""
    return _STEP.findall(path.lstrip(SUPER + STARRED))


def last_step(path: str) -> tuple[str, str]:
    """A path without its last step, and that step, without the dot of an attribute."""
    step = _STEP.findall(path)[-1]
    before = path[: len(path) - len(step)]
    return ("", path) if before in _ROOTS else (before, step.lstrip("."))
