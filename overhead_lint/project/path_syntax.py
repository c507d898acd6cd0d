"""How paths are spelled, which the project graph can follow from file to file.

A path is a dotted name followed by steps::

    .Trainer            a definition of this file          pkg.mod.Trainer   one of another
    .Trainer()          what calling it gives: an instance
    .Trainer(~)         an instance of it, or of a class derived from it
    .Trainer(~).model   an attribute of the instance
    .build(cfg)[]       is written .build()[]: an item of what the call gives
    .Layer()#           a container of instances
    ^.Trainer.step      the method of a base of Trainer, as super() finds it
    *build              a name that only a star import can have brought
    =callback           what is handed over for a parameter of this name
    .Adam()|.Lion()     one or the other: of what a function returns, or an attribute holds, alone
"""

from __future__ import annotations

import builtins
import sys
from typing import Final

from overhead_lint.analysis.remembered import remembered
from overhead_lint.analysis.values.elsewhere import CALLED as INSTANCE
from overhead_lint.analysis.values.elsewhere import INSTANCE_OF as ANY_INSTANCE
from overhead_lint.analysis.values.elsewhere import STARRED

__all__ = [
    "ALTERNATIVE",
    "ANY_INSTANCE",
    "BUILTINS",
    "DECORATED",
    "INSTANCE",
    "ITEM",
    "MANY",
    "PARAMETER",
    "STARRED",
    "SUPER",
    "is_outside",
]

ITEM: Final = "[]"
MANY: Final = "#"
SUPER: Final = "^"
PARAMETER: Final = "="
ALTERNATIVE: Final = "|"
DECORATED: Final = "*decorated"
"""Stands among the parameters of a decorator for what it decorates, and has compiled."""


# Distributions whose code is never part of a project that uses them: their names lead nowhere.
_OUTSIDE: Final = frozenset(sys.stdlib_module_names) | frozenset(
    """builtins numpy torch torchvision torchaudio scipy pandas PIL cv2 tqdm yaml matplotlib triton jax
    tensorflow einops wandb pytest sklearn requests packaging omegaconf""".split()  # noqa: SIM905
)
BUILTINS: Final = frozenset(dir(builtins))
"""Names that are bound in any file."""


@remembered(4096)
def is_outside(path: str) -> bool:
    """Whether a path leads into a package that is certainly not part of the project."""
    first = path.partition(".")[0]
    return first in _OUTSIDE or ("(" in first and first.partition("(")[0] in _OUTSIDE)
