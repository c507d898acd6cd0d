"""A kind together with what it holds, and how several of them combine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Final

from overhead_lint.project.kinds.kind_members import (
    KIND_ARRAY,
    KIND_HOST_TENSOR,
    KIND_MODULE,
    KIND_NUMBER,
    KIND_OBJECT,
    KIND_TENSOR,
    KIND_UNKNOWN,
)
from overhead_lint.rule import Kind  # noqa: TC001  (the compiled form asks for classes of fields)
from overhead_lint.tuples import NamedTuple

__all__ = [
    "ARRAY",
    "DERIVED",
    "HOST",
    "MODULE",
    "NUMBER",
    "OBJECT",
    "PLAIN",
    "TENSOR",
    "TENSORS_AND_MODULES",
    "UNKNOWN",
    "AbstractValue",
    "decoded",
    "encoded",
    "holding",
    "holds",
    "item",
    "join",
    "mapping",
    "with_parts",
]


TENSORS_AND_MODULES: Final = frozenset({KIND_HOST_TENSOR, KIND_MODULE, KIND_TENSOR})


class AbstractValue(NamedTuple):
    """What an expression is.

    Attributes:
        kind: its kind.
        element: for containers the kind of what they hold.
        parts: for tuples of known length what stands at each place, for mappings what under each key.
        mask: for tensors whether its elements are certainly booleans.
        of: for something unknown that other files may know what it is, as `encoded` says it: paths and kinds.
        keys: for mappings the keys that are known, for named tuples the names, in the order of the parts.
        mapping: whether it certainly is a mapping: going over it gives keys, which are no tensors.
    """

    kind: Kind
    element: Kind = KIND_UNKNOWN
    parts: tuple[AbstractValue, ...] = ()
    mask: bool = False
    of: str = ""
    keys: tuple[str, ...] = ()
    mapping: bool = False


UNKNOWN: Final = AbstractValue(KIND_UNKNOWN)
TENSOR: Final = AbstractValue(KIND_TENSOR, KIND_TENSOR)
HOST: Final = AbstractValue(KIND_HOST_TENSOR, KIND_HOST_TENSOR)
MODULE: Final = AbstractValue(KIND_MODULE, KIND_MODULE)
NUMBER: Final = AbstractValue(KIND_NUMBER)
ARRAY: Final = AbstractValue(KIND_ARRAY, KIND_ARRAY)
OBJECT: Final = AbstractValue(KIND_OBJECT)
DERIVED: Final = AbstractValue(KIND_UNKNOWN, of="?")
"""Something unknown that would be known if other files told more, in a way that only this file can tell."""
_MOST_NESTED: Final = 3
"""Containers in each other of which parts are told, the outermost left out."""

PLAIN: Final = {
    KIND_UNKNOWN: UNKNOWN,
    KIND_TENSOR: TENSOR,
    KIND_HOST_TENSOR: HOST,
    KIND_MODULE: MODULE,
    KIND_NUMBER: NUMBER,
    KIND_ARRAY: ARRAY,
    KIND_OBJECT: OBJECT,
}
"""What is all that can be said of a thing of some kind."""


def holding(element: AbstractValue) -> AbstractValue:
    """A container of such things."""
    return AbstractValue(KIND_OBJECT, element.kind)


def with_parts(
    what: AbstractValue, parts: Iterable[AbstractValue], keys: tuple[str, ...] = ()
) -> AbstractValue:
    """A container with what stands at each place, or under each key; of what is nested too deep nothing more.

    Functions that give pairs of what others give would hold twice as much each otherwise.
    """
    return what._replace(parts=tuple(_cut(part, _MOST_NESTED) for part in parts), keys=keys)


def _cut(what: AbstractValue, depth: int) -> AbstractValue:
    """What something is, with no more than so many containers in each other."""
    if not what.parts:
        return what
    if not depth:
        return what._replace(parts=(), keys=())
    return what._replace(parts=tuple(_cut(part, depth - 1) for part in what.parts))


def item(what: AbstractValue, place: int | None = None) -> AbstractValue:
    """What iterating, indexing or unpacking gives; at a place, if that is known."""
    if what.of:
        return DERIVED
    if place is not None and not what.mapping and -len(what.parts) <= place < len(what.parts):
        return what.parts[place]
    return PLAIN[what.element]


def mapping(element: AbstractValue) -> AbstractValue:
    """A mapping with such values."""
    return AbstractValue(KIND_OBJECT, element.kind, mapping=True)


def holds(what: AbstractValue, kinds: AbstractSet[Kind]) -> bool:
    """Whether something is of one of some kinds, or holds what is."""
    return not kinds.isdisjoint((what.kind, what.element)) or any(holds(part, kinds) for part in what.parts)


def join(found: Iterable[AbstractValue]) -> AbstractValue:
    """What something is that may be any of these: unknown unless they agree."""
    known = list(dict.fromkeys(found))
    if len(known) < 2:
        return known[0] if known else UNKNOWN
    first, *others = known
    if first.kind is KIND_UNKNOWN or any(what.kind is not first.kind for what in others):
        return _either(known)
    elements = {what.element for what in known if what.element is not KIND_UNKNOWN}
    element = elements.pop() if len(elements) == 1 else KIND_UNKNOWN
    is_mapping = all(what.mapping for what in known)
    if any(len(what.parts) != len(first.parts) or what.keys != first.keys for what in others):
        return AbstractValue(first.kind, element, mapping=is_mapping)
    parts = tuple(map(join, zip(*(what.parts for what in known), strict=True)))
    return AbstractValue(first.kind, element, parts, keys=first.keys, mapping=is_mapping)


# More ways than these to come about, and it is nothing that one could tell others.
_MOST_WAYS: Final = 4


def _either(found: list[AbstractValue]) -> AbstractValue:
    """Something that may be any of these, which are not of one kind: unknown, but other files may know."""
    if not all(what.of for what in found if what.kind is KIND_UNKNOWN):
        return UNKNOWN
    if DERIVED in found:
        return DERIVED
    ways = dict.fromkeys(way for what in found for way in encoded(what).split("|"))
    return UNKNOWN if len(ways) > _MOST_WAYS else UNKNOWN._replace(of="|".join(ways))


_LETTERS: Final = {
    KIND_UNKNOWN: "?",
    KIND_TENSOR: "t",
    KIND_HOST_TENSOR: "h",
    KIND_MODULE: "m",
    KIND_NUMBER: "n",
    KIND_ARRAY: "a",
    KIND_OBJECT: "o",
}
_KINDS: Final = {letter: kind for kind, letter in _LETTERS.items()}
_KEYED: Final = re.compile(r"(?:(\w+):)?(.*)", re.DOTALL)


def encoded(what: AbstractValue) -> str:
    """What something is, as a short text to be kept; "" if nothing is known of it.

    A letter for the kind, ``!`` for a mask, in braces what stands at each place or after each ``key:``, with
    a dot before them for a named tuple, in angle brackets what a container holds, in square ones what a
    mapping does. What depends on other files is said by ``=`` and a path, and ways to come about are divided
    by ``|``.
    """
    if what.kind is KIND_UNKNOWN:
        return what.of if what is not DERIVED else ""
    if what.parts:
        keys = [f"{key}:" for key in what.keys] or [""] * len(what.parts)
        held = zip(keys, what.parts, strict=True)
        parts = ";".join(f"{key}{encoded(part) or _LETTERS[KIND_UNKNOWN]}" for key, part in held)
        if "|" not in parts:
            named = "." if what.keys and not what.mapping else ""
            return f"{_LETTERS[what.kind]}{named}{{{parts}}}"
    if what.mapping:
        return f"o[{_LETTERS[what.element]}]"
    if what.kind is KIND_OBJECT and what.element is not KIND_UNKNOWN:
        return f"o<{_LETTERS[what.element]}>"
    return _LETTERS[what.kind] + ("!" if what.mask else "")


def decoded(text: str, told: Callable[[str], AbstractValue]) -> AbstractValue:
    """What `encoded` was given.

    Args:
        text: what it gave.
        told: says what a path stands for.
    """
    return join(_decoded(way, told) for way in text.split("|")) if text else UNKNOWN


def _decoded(text: str, told: Callable[[str], AbstractValue]) -> AbstractValue:
    if text.startswith("="):
        return told(text[1:])
    kind = _KINDS[text[0]]
    named = text[1:3] == ".{"
    if named or text[1:2] == "{":
        held = [_KEYED.match(part) for part in _parts(text[2 + named : -1])]
        parts = tuple(_decoded(part[2], told) for part in held if part is not None)
        keys = tuple(part[1] for part in held if part is not None and part[1])
        return with_parts(holding(join(parts))._replace(mapping=bool(keys) and not named), parts, keys)
    if text[1:2] in {"<", "["}:
        return AbstractValue(kind, _KINDS[text[2]], mapping=text[1] == "[")
    return PLAIN[kind]._replace(mask=True) if text.endswith("!") else PLAIN[kind]


def _parts(text: str) -> Iterator[str]:
    """The parts of a text that semicolons divide, those within braces left alone."""
    depth = start = 0
    for at, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if letter == ";" and not depth:
            yield text[start:at]
            start = at + 1
    yield text[start:]
