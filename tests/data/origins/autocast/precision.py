"""Which layers run in eight bits, and how they are scaled."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Recipe:
    """How the scales of eight-bit tensors are chosen."""

    margin: int = 0
    history: int = 16


class State:
    """What blocks turn on and off."""

    enabled = False
    calibrating = False
    recipe: Recipe | None = None
    depth = 0
    entries = 0

    @classmethod
    def kept(cls) -> tuple[bool, bool, Recipe | None]:
        return (cls.enabled, cls.calibrating, cls.recipe)

    @classmethod
    def put_back(cls, kept: tuple[bool, bool, Recipe | None]) -> None:
        (cls.enabled, cls.calibrating, cls.recipe) = kept

    @classmethod
    def enter(cls, enabled: bool, calibrating: bool, recipe: Recipe | None) -> None:
        cls.enabled = enabled
        cls.calibrating = calibrating
        cls.recipe = recipe or Recipe()
        cls.depth += 1
        cls.entries += 1

    @classmethod
    def leave(cls, enabled: bool) -> None:
        cls.depth -= 1

    @classmethod
    @contextmanager
    def calibration(cls) -> Iterator[None]:
        """Collect maxima, and scale nothing."""
        # Nested blocks come back to what was asked outside.
        before = cls.calibrating
        cls.calibrating = True
        try:
            yield
        finally:
            cls.calibrating = before


def check(recipe: Recipe | None) -> None:
    """Refuse a recipe that no kernel knows."""
    if recipe is not None and recipe.history < 1:
        raise ValueError("a recipe needs a history")


@contextmanager
def eight_bits(
    enabled: bool = True,
    calibrating: bool = False,
    recipe: Recipe | None = None,
) -> Iterator[None]:
    """Old name of `scaled`."""
    warnings.warn("eight_bits is deprecated: use scaled", category=DeprecationWarning, stacklevel=2)
    with scaled(enabled=enabled, calibrating=calibrating, recipe=recipe):
        yield


@contextmanager
def scaled(
    enabled: bool = True,
    calibrating: bool = False,
    recipe: Recipe | None = None,
) -> Iterator[None]:
    """Run the layers of a block in eight bits.

    Blocks may be nested: what was in force around one is in force again after it.
    """

    if enabled:
        check(recipe)

    # Keep the state, so that it is put back however the block ends.
    kept = State.kept()
    State.enter(
        enabled=enabled,
        calibrating=calibrating,
        recipe=recipe,
    )
    try:
        yield
    finally:
        State.put_back(kept)
        # The last block to end reduces the maxima.
        State.leave(enabled)
