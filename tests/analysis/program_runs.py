"""Runs random programs, and notes what they show."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

__all__ = ["Run"]

_STEPS = 200


class _EndError(BaseException):
    """The program has run long enough."""


class _RaisedError(Exception):
    """What the programs raise and catch."""


class Run:
    """Runs a program, deciding by lot.

    Args:
        text: the program.
        seed: of the lot.
    """

    def __init__(self, text: str, seed: int) -> None:
        self._random = random.Random(seed)
        self._steps = 0
        self.seen: set[tuple[int, int]] = set()
        """Which binding each use saw."""
        self.order: list[int] = []
        """The uses, as they ran."""
        self.ended = False
        """Whether the program came to its end, or returned."""

        names = self._names()
        exec(compile(text, "<program>", "exec"), names)
        with suppress(_RaisedError, _EndError, UnboundLocalError, NameError):
            names["f"](0)
            self.ended = True

    def _names(self) -> dict[str, Any]:
        return {
            "C": self._choose,
            "D": self._bound,
            "E": _RaisedError,
            "S": self._step,
            "U": self._used,
            "W": _With,
        }

    def _step(self) -> None:
        self._steps += 1
        if self._steps > _STEPS:
            raise _EndError

    def _choose(self) -> bool:
        self._step()
        if self._random.random() < 0.1:
            raise _RaisedError
        return self._random.random() < 0.5

    def _bound(self, number: int) -> int:
        if self._random.random() < 0.1:
            raise _RaisedError
        return number

    def _used(self, use: int, seen: Any) -> int:
        self._step()
        self.order.append(use)
        if isinstance(seen, int):
            self.seen.add((use, seen))
        return 1


class _With:
    def __enter__(self) -> int:
        return 0

    def __exit__(self, *_: object) -> None:
        return None
