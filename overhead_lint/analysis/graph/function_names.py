"""What functions are called in the graph, and how that is shown."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["ITEMS", "generator_of", "label"]

ITEMS: Final = "*"
"""Stands behind the name of a generator for what it does for each item, which is a function of its own, and
behind the path of one whose items are taken; see `overhead_lint.project.generators`."""
_NUMBER: Final = re.compile(r" \d+>")


def generator_of(name: str) -> str:
    """Return the name of a function, or key, by that of what it does for each item."""
    return name.removesuffix(ITEMS)


def label(name: str) -> str:
    """Return a function's name as it is shown: ``Model.forward`` for ``.Model.forward``."""
    shown = generator_of(name)[1:]
    return _NUMBER.sub(">", shown) if ">" in shown else shown
