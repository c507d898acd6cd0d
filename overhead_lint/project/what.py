"""A kind together with what it holds, and how several of them combine."""

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
    "PLAIN",
    "TENSOR",
    "UNKNOWN",
    "What",
    "holding",
    "item",
    "join",
]


class What(NamedTuple):
    """What an expression is.

    Attributes:
        kind: its kind.
        element: for containers the kind of what they hold.
        parts: for tuples of known length what stands at each place.
        known: False while it depends on itself only, as in ``x = x + 1``: anything goes with it.
        mask: for tensors whether its elements are certainly booleans.
    """

    kind: Kind
    element: Kind = Kind.UNKNOWN
    parts: tuple[What, ...] = ()
    known: bool = True
    mask: bool = False


UNKNOWN: Final = What(Kind.UNKNOWN)
TENSOR: Final = What(Kind.TENSOR, Kind.TENSOR)
HOST: Final = What(Kind.HOST_TENSOR, Kind.HOST_TENSOR)
MODULE: Final = What(Kind.MODULE, Kind.MODULE)
NUMBER: Final = What(Kind.NUMBER)
ARRAY: Final = What(Kind.ARRAY, Kind.ARRAY)
OBJECT: Final = What(Kind.OBJECT)
NOTHING: Final = What(Kind.UNKNOWN, known=False)

PLAIN: Final = {
    Kind.UNKNOWN: UNKNOWN,
    Kind.TENSOR: TENSOR,
    Kind.HOST_TENSOR: HOST,
    Kind.MODULE: MODULE,
    Kind.NUMBER: NUMBER,
    Kind.ARRAY: ARRAY,
    Kind.OBJECT: OBJECT,
}
"""What is all that can be said of a thing of some kind."""


def holding(element: What) -> What:
    """A container of such things."""
    return What(Kind.OBJECT, element.kind)


def item(what: What, place: int | None = None) -> What:
    """What iterating, indexing or unpacking gives; at a place, if that is known."""
    if not what.known:
        return what
    if place is not None and -len(what.parts) <= place < len(what.parts):
        return what.parts[place]
    return PLAIN[what.element]


def join(found: Iterable[What]) -> What:
    """What something is that may be any of these: unknown unless they agree."""
    first: What | None = None
    others: list[What] = []
    for what in found:
        if what.known and what is not first:
            if first is None:
                first = what
            elif what != first:
                others.append(what)
    if first is None:
        return NOTHING
    if not others:
        return first
    known = [first, *others]
    if any(what.kind is not first.kind for what in others):
        return UNKNOWN
    elements = {what.element for what in known if what.element is not Kind.UNKNOWN}
    lengths = {len(what.parts) for what in known}
    parts = tuple(map(join, zip(*(what.parts for what in known), strict=True))) if len(lengths) == 1 else ()
    return What(first.kind, elements.pop() if len(elements) == 1 else Kind.UNKNOWN, parts)
