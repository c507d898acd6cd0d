"""Says where a step of a program ends, to whoever measures it."""

from __future__ import annotations

__all__ = ["step"]


def step() -> None:
    """Mark the end of a step: of training, of inference, of what the program does again and again.

    It does nothing: ``overhead-lint run`` sees its calls, but for those out of compiled code.
    """
