"""What functions of a project are, and where they lead, in words."""

from __future__ import annotations

from typing import Final

from overhead_lint.tuples import NamedTuple

__all__ = ["ITEMS", "Site", "Traits", "generator_of", "named", "unnamed"]

ITEMS: Final = "*"
"""Stands behind the name of a generator for what it does for each item, which is a function of its own, and
behind the path of one whose items are taken; see `overhead_lint.project.generators`."""

_OWN: Final = "\1"
"""Stands in reasons for the name of the function that they are of."""


class Traits(NamedTuple):
    """What a function is, of what `overhead_lint.project.file_summary` has; most are like many others.

    Reasons that begin with the function's name have none, as `unnamed` gives them.
    """

    hot: str
    kind: int  # of `hot`; of `cold` where the settings or the project say so
    cold: str
    tensors: bool
    offered: str
    collates: bool
    hot_loop: str
    compiler: str
    once: bool
    naming: int


def unnamed(why: str, shown: str) -> str:
    """A reason without the name of the function that it begins with: the same for all like it.

    Args:
        why: the reason; may be empty.
        shown: the function as it is shown.
    """
    return _OWN + why[len(shown) :] if shown and why.startswith(f"{shown} ") else why


def named(why: str, shown: str) -> str:
    """A reason with the name that `unnamed` left out."""
    return shown + why[1:] if why.startswith(_OWN) else why


def generator_of(name: str) -> str:
    """The name of a function, or key, by that of what it does for each item."""
    return name.removesuffix(ITEMS)


class Site(NamedTuple):
    """A place in a function from which others may be run; see `overhead_lint.project.file_summary`."""

    targets: tuple[str, ...]
    via: int
    place: int
    why: str
    kind: int = 0
    options: tuple[int, ...] = ()
    is_sure: bool = False
