"""Attribute changes that can all be taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["Patcher"]

_MISSING = object()


class Patcher:
    """Sets attributes and remembers what was there."""

    def __init__(self) -> None:
        self._changes: list[Callable[[], None]] = []

    def put(self, owner: Any, name: str, value: object) -> None:
        """Set ``owner.name``; `undo` restores it, or deletes it where there was none."""
        # vars() and not getattr(): a static method must be put back as one, an inherited name not at all.
        before = vars(owner).get(name, _MISSING)

        def put_back() -> None:
            if before is not _MISSING:
                setattr(owner, name, before)
            elif name in vars(owner):
                delattr(owner, name)

        self.on_undo(put_back)
        setattr(owner, name, value)

    def on_undo(self, action: Callable[[], None]) -> None:
        """Let `undo` do this as well."""
        self._changes.append(action)

    def undo(self) -> None:
        """Take all changes back, the last one first."""
        while self._changes:
            self._changes.pop()()
