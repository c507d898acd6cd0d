"""Attribute changes that can all be taken back."""

from __future__ import annotations

from typing import Any

__all__ = ["Patcher"]

_MISSING = object()


class Patcher:
    """Sets attributes and remembers what was there."""

    def __init__(self) -> None:
        self._changes: list[tuple[Any, str, object]] = []

    def put(self, owner: Any, name: str, value: object) -> None:
        """Set ``owner.name``; `undo` restores it, or deletes it where there was none."""
        # vars() and not getattr(): a static method must be put back as one, an inherited name not at all.
        self._changes.append((owner, name, vars(owner).get(name, _MISSING)))
        setattr(owner, name, value)

    def undo(self) -> None:
        """Take all changes back, the last one first."""
        while self._changes:
            owner, name, before = self._changes.pop()
            if before is not _MISSING:
                setattr(owner, name, before)
            elif name in vars(owner):
                delattr(owner, name)
