"""What the project tells a file besides the heat of its functions, in the same table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from overhead_lint.rule import Warmth

__all__ = [
    "COMPILED",
    "KINDS",
    "SETTINGS",
    "TOLD",
    "TRACED",
    "kinds_told",
    "settings_told",
    "told_kinds",
    "told_settings",
    "where_traced",
]

COMPILED: Final = "!"
"""Stands among the names of functions for those, divided by ``|``, that other files have compiled."""

KINDS: Final = "?"
"""Stands among the names of functions for what paths into other files stand for."""

SETTINGS: Final = "="
"""Stands among the names of functions for global settings that other files make, and among the paths that a
file seeks for the wish to be told of them."""

TOLD: Final = (COMPILED, KINDS, SETTINGS)
"""What stands among the names of functions, and what rules look at a file again for."""

TRACED: Final = "@"
"""Stands among them for those, after what shows it, that users compile, though the project does not."""


def told_kinds(sought: Mapping[str, str], kinds: Mapping[str, str]) -> str:
    """What a file is to be told of kinds of values in other files; "" if it makes no difference to it.

    Args:
        sought: the paths that what rules saw depends on, with the letters of kinds that would change it.
        kinds: what the project knows of them, as `overhead_lint.project.what.encoded` gives it.
    """
    matters = any(not set(letters).isdisjoint(kinds.get(path, "")) for path, letters in sought.items())
    told = sorted(f"{path}\t{kinds[path]}" for path in sought if kinds.get(path)) if matters else ()
    return "\n".join(told)


def kinds_told(text: str) -> dict[str, str]:
    """Kinds by path, from what `told_kinds` gave."""
    return dict(line.split("\t") for line in text.split("\n")) if text else {}


def told_settings(settings: Iterable[tuple[str, str, str]]) -> str:
    """What a file is told of global settings that others make: names, values, places."""
    return "\n".join("\t".join(setting) for setting in settings)


def settings_told(text: str) -> tuple[tuple[str, str, str], ...]:
    """Names, values and places, from what `told_settings` gave."""
    lines = (line.split("\t") for line in text.split("\n")) if text else ()
    return tuple((name, value, place) for name, value, place in lines)


def where_traced(warmths: Mapping[str, Warmth]) -> tuple[str, frozenset[str]]:
    """What shows that users compile functions of a file, and the names of these."""
    told = warmths.get(TRACED)
    if told is None:
        return "", frozenset()
    why, *names = told.why.split("|")
    return why, frozenset(names)
