"""A logistic model: how likely something is, by the weights of what is known of it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["logistic"]


def logistic(bias: float, weights: Mapping[str, float], names: Iterable[str]) -> float:
    """Return a probability, from 0 to 1; names that have no weight say nothing."""
    score = bias + sum(weights.get(name, 0.0) for name in names)
    return 1.0 / (1.0 + math.exp(-score))
