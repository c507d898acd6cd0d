"""What an operation gives while options have their defaults, and what several of these give together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.graph.option import TOLD_ELSEWHERE
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.analysis.graph.option import Option

__all__ = ["MADE", "NO_OPTIONS", "Known", "both", "each", "is_same"]

MADE: Final = object()
"""What a call gives that makes something: it is there, and what else it is nobody knows."""
NO_OPTIONS: Final[frozenset[Option]] = frozenset()


class Known(NamedTuple):
    """What an operation gives while options have their defaults."""

    value: Any
    options: frozenset[Option]
    is_joint: bool = False
    """Whether all of these have to have their defaults, where else one is enough."""


def each(value: Any, parts: Sequence[Known]) -> Known:
    """What is so as long as each of some parts is what it is: ``fp16 or bf16``.

    What is tried for all that is told elsewhere at once is then so of each of them by itself.
    """
    options = frozenset().union(*(one.options for one in parts))
    return Known(value, options, len(options) > 1)


def both(value: Any, parts: Sequence[Known]) -> Known | None:
    """What is made of all of some parts; None if more than one of them has a default told elsewhere."""
    known = each(value, parts)
    return None if known.is_joint and any(one.kind in TOLD_ELSEWHERE for one in known.options) else known


def is_same(one: object, other: object) -> bool:
    """Whether two values are the same constant, or the same stand-in."""
    return one is other or (one.__class__ is other.__class__ and one == other)
