"""Errors of what the simulated device cannot do."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

__all__ = ["refusal"]


def refusal(what: str, instead: str = "") -> Callable[..., NoReturn]:
    """A function that raises for a feature which needs a real GPU.

    Args:
        what: the feature with its article, ``a memory pool``.
        instead: what does work here, if something does.
    """

    def refuse(*args: object, **kwargs: object) -> NoReturn:
        hint = f", or {instead}" if instead else ""
        raise NotImplementedError(f"simulated cuda: {what} is not simulated; it needs a real GPU{hint}")

    return refuse
