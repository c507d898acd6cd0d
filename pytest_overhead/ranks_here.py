"""What this rank tells the others of one ``torchrun`` by, if there are others."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_overhead.rank_store import RankStore

__all__ = ["patience", "store_of_ranks"]

LONGEST_PATIENCE = 10**6
"""Seconds: torch's store takes no time without end."""


def store_of_ranks(config: pytest.Config) -> RankStore | None:
    """What this rank tells the others by; None where torchrun has not started several.

    Raises:
        pytest.UsageError: the ini file has no time to wait for them.
    """
    if "WORLD_SIZE" not in os.environ or hasattr(config, "workerinput"):
        return None
    from pytest_overhead.rank_store import RankStore, place_of

    place = place_of(os.environ)
    return RankStore(place, patience(config)) if place is not None and place.gathered else None


def patience(config: pytest.Config) -> float:
    """How many seconds a rank waits for the others.

    Raises:
        pytest.UsageError: the ini file has no such number.
    """
    written = config.getini("overhead_rank_timeout")
    try:
        seconds = float(written)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= LONGEST_PATIENCE:  # whom "nan" let wait would wait for ever
        why = f"overhead_rank_timeout: {written!r}: write a number of seconds, {LONGEST_PATIENCE} at most"
        raise pytest.UsageError(f"{config.inipath}: {why}")
    return seconds
