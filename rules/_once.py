"""Facts about a whole file, found out once for all of its places."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from overhead_lint.rule import Context

_T = TypeVar("_T")

__all__ = ["once"]


def once(find: Callable[[Context], _T]) -> Callable[[Context], _T]:
    """A function of a file that keeps what it found while rules look at the file."""
    known: WeakKeyDictionary[Context, _T] = WeakKeyDictionary()

    @functools.wraps(find)
    def found(ctx: Context) -> _T:
        if ctx not in known:
            known[ctx] = find(ctx)
        return known[ctx]

    return found
