"""What a project knows of the options that its files ask about: nobody passes them, or they are off."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final

from overhead_lint.analysis.graph.option import TOLD_ELSEWHERE, Option, PlainOption, read_options
from overhead_lint.rule import Heat

__all__ = [
    "LEFT_AT_TIMES",
    "LEFT_OFF",
    "LEFT_ONE_ROUND",
    "LEFT_OR_DATA",
    "LEFT_UNNAMED",
    "LEFT_UNPASSED",
    "Left",
    "LeftAs",
    "Standings",
    "off",
    "standings",
    "told_of_options",
]


class LeftAs(enum.IntEnum):
    """How an option is left; caches keep the numbers."""

    UNPASSED = 0
    """Nobody passes it."""
    OFF = 1
    """It is off by default, and may be passed."""
    OR_DATA = 2
    """It is an attribute that is off by default where it holds no data."""
    UNNAMED = 3
    """Nothing names the function or class that somebody has to name."""
    ONE_ROUND = 4
    """It keeps a loop at one round, as far as anybody knows."""
    AT_TIMES = 5
    """It is off by default, and on at times: a mode of a program, or functions that have to say yes."""


LEFT_UNPASSED: Final = int(LeftAs.UNPASSED)
LEFT_OFF: Final = int(LeftAs.OFF)
LEFT_OR_DATA: Final = int(LeftAs.OR_DATA)
LEFT_UNNAMED: Final = int(LeftAs.UNNAMED)
LEFT_ONE_ROUND: Final = int(LeftAs.ONE_ROUND)
LEFT_AT_TIMES: Final = int(LeftAs.AT_TIMES)

Left = Mapping[int, tuple[int, PlainOption]]
"""Options of a file by their numbers, each with how it is left; attributes have their defaults."""
Standings = Mapping[int, int]
"""How options of a file are left, by their numbers."""

_AT_MOST: Final = {LEFT_UNPASSED: Heat.COLD, LEFT_OR_DATA: Heat.STEP, LEFT_ONE_ROUND: Heat.STEP}


def standings(left: Left) -> dict[int, int]:
    """Return how options are left, without the options."""
    return {number: known for number, (known, _) in left.items()}


def off(left: Left) -> dict[int, Option]:
    """Return the options that are off by default, hardly ever on, or names that nothing says, by numbers."""
    return {number: Option(*plain) for number, (known, plain) in left.items() if known in _OFF}


def told_of_options(left: Left) -> tuple[tuple[PlainOption, int, PlainOption], ...]:
    """Return what a file is told of options, each as it asks about it, with what an `OptionTold` has."""
    told = {}
    for known, plain in left.values():
        told[tuple(_as_asked(Option(*plain)))] = int(_AT_MOST.get(known, Heat.PRESUMED)), plain
    return tuple(sorted((asked, *its) for asked, its in told.items()))


def _as_asked(option: Option) -> Option:
    """Return an option as its file asks about it, which does not know what is told elsewhere."""
    if option.beside:
        option = option._replace(beside=tuple([tuple(_as_asked(one)) for one in read_options(option.beside)]))
    return option._replace(default="", is_shipped=False) if option.kind in TOLD_ELSEWHERE else option


_OFF: Final = frozenset({LEFT_OFF, LEFT_AT_TIMES, LEFT_UNNAMED})
