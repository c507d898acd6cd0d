"""One object for all that are equal: thousands of files say the same of their functions and classes."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, TypeVar

__all__ = ["Interner"]

T = TypeVar("T", bound=Hashable)


class Interner:
    """Objects that stand in for those that are equal to them."""

    def __init__(self) -> None:
        self._known: dict[Any, Any] = {}

    def one(self, value: T) -> T:
        """The first object given that is equal to this one."""
        return self._known.setdefault(value, value)  # type: ignore[no-any-return]

    def texts(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """A tuple of texts, or of such tuples, with all of them shared."""
        known = self._known.get(values)
        if known is None:
            made = tuple([self.texts(one) if one.__class__ is tuple else self.one(one) for one in values])
            known = self._known[made] = made
        return known
