"""Transforms of pictures, which a data set runs, most often on the host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["is_transform"]

_TRANSFORMS: Final = "torchvision.transforms."


def is_transform(bases: Iterable[str]) -> bool:
    """Whether a class is a kind of a transform of torchvision."""
    return any(base.startswith(_TRANSFORMS) for base in bases)
