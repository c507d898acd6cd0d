"""Code that runs for what it is part of: layers, autograd functions, optimizers and hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.api.heat_reasons import IS_HOOK, OF_AUTOGRAD, OF_CALLS, OF_STEPS

if TYPE_CHECKING:
    from overhead_lint.rule import Warmth

__all__ = ["is_of_layer"]

_REASONS: Final = (OF_CALLS, OF_AUTOGRAD, OF_STEPS, IS_HOOK)


def is_of_layer(warmth: Warmth) -> bool:
    """Whether a place is hot since a layer, an autograd function, an optimizer's step or a hook leads to it.

    Loops over batches may report, copy and keep what they like.
    """
    return any(reason in warmth.why for reason in _REASONS)
