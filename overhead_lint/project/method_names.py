"""What the names of methods say of what they are called on."""

from __future__ import annotations

from typing import Final

from overhead_lint.analysis.effects.effect import Tells
from overhead_lint.analysis.effects.lookup import names_telling
from overhead_lint.analysis.words import words

__all__ = ["tells", "tells_its_method"]

_OF_TORCH: Final = names_telling(Tells.TORCH)


def tells_its_method(name: str) -> bool:
    """Whether a method's name is so special that the project's one method of that name is meant."""
    return len(words(name)) > 1 and not name.startswith("__") and name not in _OF_TORCH


# Shorter names of parameters (`f`, `func`), and these, say nothing of what is handed over.
_TELLING: Final = 6
_SAYS_NOTHING: Final = frozenset({"function", "target", "default", "factory", "default_factory"})


def tells(name: str) -> bool:
    """Whether a parameter's name says what it is called with, wherever it stands."""
    return len(name) >= _TELLING and name not in _SAYS_NOTHING
