"""Methods that tensors share with others, by name."""

from __future__ import annotations

from typing import Final

from overhead_lint.analysis.effects.effect import Mask, Result, Tells
from overhead_lint.analysis.effects.lookup import names_telling, names_where

__all__ = ["COMMON_METHODS"]

# Modules whose functions have names of methods where they give several tensors.
_SEVERAL: Final = ("torch", "torch.linalg", "torch.nn.functional")
_OTHER_RESULTS: Final = frozenset({Result.NUMBER, Result.OBJECT, Result.SIZES, Result.TENSORS})

COMMON_METHODS: Final = (
    names_telling(Tells.TENSOR | Tells.IN_FORWARD | Tells.RESULT)
    | names_where("torch.Tensor", lambda told: told.mask is Mask.KEPT)
    | frozenset(
        name for scope in _SEVERAL for name in names_where(scope, lambda told: told.returns is Result.TENSORS)
    )
    | names_where("torch.Tensor", lambda told: not told.is_attribute and told.returns in _OTHER_RESULTS)
    | frozenset(name for kind in (dict, list, set, str) for name in dir(kind))
)
"""Methods of tensors and of Python's containers, which say nothing of what they are called on."""
