"""A kind together with the kind of what it holds, and how two of them combine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from overhead_lint.rule import Kind

__all__ = [
    "ARRAY",
    "HOST",
    "MODULE",
    "NOTHING",
    "NUMBER",
    "OBJECT",
    "TENSOR",
    "UNKNOWN",
    "What",
    "holding",
    "join",
]


class What(NamedTuple):
    """What an expression is.

    Attributes:
        kind: its kind.
        element: the kind of what iterating or indexing it gives.
        known: False while it depends on itself only, as in ``x = x + 1``: anything goes with it.
    """

    kind: Kind
    element: Kind = Kind.UNKNOWN
    known: bool = True


UNKNOWN: Final = What(Kind.UNKNOWN)
TENSOR: Final = What(Kind.TENSOR, Kind.TENSOR)
HOST: Final = What(Kind.HOST_TENSOR, Kind.HOST_TENSOR)
MODULE: Final = What(Kind.MODULE)
NUMBER: Final = What(Kind.NUMBER)
ARRAY: Final = What(Kind.ARRAY, Kind.ARRAY)
OBJECT: Final = What(Kind.OBJECT)
NOTHING: Final = What(Kind.UNKNOWN, known=False)


def holding(element: Kind) -> What:
    """A container of things of one kind."""
    return What(Kind.OBJECT, element)


def join(found: Iterable[What]) -> What:
    """What something is that may be any of these: unknown unless they agree."""
    known = {what for what in found if what.known}
    if not known:
        return NOTHING
    if len(known) == 1:
        return known.pop()
    kinds = {what.kind for what in known}
    elements = {what.element for what in known if what.element is not Kind.UNKNOWN}
    if len(kinds) != 1:
        return UNKNOWN
    return What(kinds.pop(), elements.pop() if len(elements) == 1 else Kind.UNKNOWN)
