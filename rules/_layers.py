"""Code that runs for what it is part of: layers, autograd functions, optimizers and hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from overhead_lint.rule import Warmth

__all__ = ["is_of_layer"]

_REASONS: Final = (
    "runs on every call of the module",
    "runs on every use of the autograd function",
    "runs on every step",
    "is a hook registered",
)


def is_of_layer(warmth: Warmth) -> bool:
    """Whether a place is hot since a layer, an autograd function, an optimizer's step or a hook leads to it.

    Loops over batches may report, copy and keep what they like.
    """
    return any(reason in warmth.why for reason in _REASONS)
