"""What functions gave is remembered from file to file, since files repeat each other, and then let go of."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["forget", "remembered"]

F = TypeVar("F", bound="Callable[..., Any]")

_FORGETTING: Final[list[Callable[[], None]]] = []


def remembered(most: int) -> Callable[[F], F]:
    """What makes a function remember what it gave.

    Args:
        most: for how many arguments.
    """

    def remembering(function: F) -> F:
        known: Any = lru_cache(most)(function)
        _FORGETTING.append(known.cache_clear)
        return known  # type: ignore[no-any-return]

    return remembering


def forget() -> None:
    """Forget what functions gave: here and there among all else, it keeps memory from being used again."""
    for one in _FORGETTING:
        one()
