"""Settings in files of JSON and TOML, as leaves: constants, each with the keys that lead to it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["UNKNOWN", "Leaf", "json_leaves", "leaves_of", "toml_leaves"]

Leaf = tuple[tuple[str, ...], object]
"""The keys that lead to a value, and the value: a constant, or `UNKNOWN`."""

UNKNOWN: Final = object()
"""A value that is no constant, or that is only known at run time."""

_DEEPEST: Final = 32


def json_leaves(text: str) -> Iterator[Leaf]:
    """Yield the leaves of a JSON file; none where it is damaged, or no object."""
    import json  # costs start-up

    try:
        held = json.loads(text)
    except (ValueError, RecursionError):
        return
    yield from leaves_of(held)


def toml_leaves(text: str) -> Iterator[Leaf]:
    """Yield the leaves of a TOML file; none where it is damaged."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        held = tomllib.loads(text)
    except (ValueError, RecursionError):
        return
    yield from leaves_of(held)


def leaves_of(held: object, path: tuple[str, ...] = ()) -> Iterator[Leaf]:
    """Yield the leaves of what dictionaries and lists hold; keys that hold others are `UNKNOWN` themselves.

    Args:
        held: what a file holds.
        path: the keys that lead to it.
    """
    if isinstance(held, dict):
        for key, value in held.items():
            if isinstance(key, str) and len(path) < _DEEPEST:
                yield from _leaf((*path, key), value)
    elif isinstance(held, list):
        for value in held:
            if isinstance(value, dict):
                yield from leaves_of(value, path)


def _leaf(path: tuple[str, ...], value: Any) -> Iterator[Leaf]:
    if isinstance(value, (dict, list)):
        yield path, UNKNOWN
        yield from leaves_of(value, path)
    else:
        is_constant = value is None or isinstance(value, (bool, int, float, str))
        yield path, value if is_constant else UNKNOWN
