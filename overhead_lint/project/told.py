"""What the project tells a file besides the heat of its functions, in the same table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from overhead_lint.rule import Warmth

__all__ = ["COMPILED", "KINDS", "TRACED", "kinds_told", "told_kinds", "where_traced"]

COMPILED: Final = "!"
"""Stands among the names of functions for those, divided by ``|``, that other files have compiled."""

KINDS: Final = "?"
"""Stands among the names of functions for what paths into other files stand for."""


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


def where_traced(warmths: Mapping[str, Warmth]) -> tuple[str, frozenset[str]]:
    """What shows that users compile functions of a file, and the names of these."""
    told = warmths.get(TRACED)
    if told is None:
        return "", frozenset()
    why, *names = told.why.split("|")
    return why, frozenset(names)
