"""Says where a step of a program ends, to whoever measures it."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["listeners", "step"]

listeners: list[Callable[[], None]] = []
"""Called at the end of each step, in the thread that ends it."""


def step() -> None:
    """Mark the end of a step: of training, of inference, of what the program does again and again.

    It does nothing unless somebody measures (``overhead-lint run``). Call it outside of compiled code.
    """
    for listener in listeners:
        listener()
