"""What a library offers to be called in its users' steps, as values."""

from __future__ import annotations

import enum
from typing import Final

from overhead_lint.tuples import NamedTuple

__all__ = ["NOTHING_OFFERED", "Offer", "OfferKind", "OfferedBy"]


class OfferKind(enum.IntEnum):
    """What a function is that users call; caches keep the numbers."""

    NONE = 0
    """None that is known."""
    OPERATOR = 1
    """It takes tensors and gives tensors."""
    LOSS = 2
    """A loss by its name."""
    STEP = 3
    """A step by its name."""
    LOSS_CLASS = 4
    """A loss by the name of its class."""
    COLLATE = 5
    """It puts batches together."""
    STAND_IN = 6
    """It stands for a function of PyTorch that has its name."""
    OPTIMIZER_STEP = 7
    """It takes a step of an optimizer each time, which counts whoever calls it."""


class OfferedBy(enum.IntEnum):
    """Who has to offer a function, so that users call it; caches keep the numbers."""

    ANYBODY = 0
    """Nobody has to."""
    HANDING_OVER = 1
    """The project, by handing it over: its name is private."""
    PACKAGE = 2
    """A package, in its ``__init__.py``."""


class Offer(NamedTuple):
    """What a library offers.

    Attributes:
        kind: an `OfferKind`.
        by: an `OfferedBy`.
    """

    kind: int
    by: int = int(OfferedBy.ANYBODY)


NOTHING_OFFERED: Final = Offer(int(OfferKind.NONE))
