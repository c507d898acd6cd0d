"""Code that runs for what it is part of: layers, autograd functions, optimizers and hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.rule import ReasonKind

if TYPE_CHECKING:
    from overhead_lint.rule import Warmth

__all__ = ["is_of_layer"]

_KINDS: Final = (ReasonKind.MODULE, ReasonKind.AUTOGRAD, ReasonKind.OPTIMIZER, ReasonKind.HOOK)


def is_of_layer(warmth: Warmth) -> bool:
    """Whether a place is hot since a layer, an autograd function, an optimizer's step or a hook leads to it.

    Loops over batches may report, copy and keep what they like.
    """
    return warmth.kind in _KINDS
