"""What the calls of files pass, and the names they use, as the project's graph takes it."""

from __future__ import annotations

import enum
from typing import Any, Final

__all__ = ["ANYTHING", "BY_PATH", "CALLED", "MANY", "PlainArgument", "Receiver", "Role", "Slot"]


class Role(enum.IntEnum):
    """What a file does with names, beside calling them; caches keep the numbers."""

    HANDED = 0
    """What it hands over, or makes by its name in a text."""
    STORED = 1
    """Attributes that it sets on others than ``self``, or to a constant that is true: names, or as arguments
    those that it sets under options, which their options keep it from."""
    TURNED_OFF = 2
    """Attributes that it sets on others to a constant that is false."""
    NAMED = 3
    """What it names without calling it, and without saying whose it is."""
    ALL_OF = 4
    """Plain names of modules of which it imports all, or that it hands over."""
    CALLED_AT_HOME = 5
    """Names that it defines or imports, and calls: it names no other file's by that but what it imports."""
    HANDED_AT_HOME = 6
    """Those of them that it hands over."""
    SELDOM = 7
    """Its functions that hardly ever say yes: ``return step % every == 0``."""
    ANSWERING = 8
    """Its other functions that give something."""
    TAKEN = 9
    """What it imports and does not call or hand over, but for asking whether objects are of that."""
    SHIPPED = 10
    """What settings files that ship with the project name."""
    IMPORTED = 11
    """What it imports, each with the module that it says: as an argument, by slot and constant."""
    UNUSED = 12
    """The same of what it does not use itself."""
    COPIED = 13
    """Classes that only copies of other libraries define."""


class Slot(enum.IntEnum):
    """What is told of a call but for arguments of known places and keywords; below all places."""

    MANY = -1
    """What a call passes by place and nobody can tell."""
    ANYTHING = -2
    """What a call passes by keyword and nobody can tell."""
    CALLED = -3
    """No argument: that there is a call."""
    SHAPE = -4
    """No argument: which arguments a call passes; the constant has their number and their names."""
    MAKING = -5
    """No argument: that a call makes an object of a class, but for options with their defaults."""


PlainArgument = tuple[Any, ...]
"""What a call passes, as `marshal` takes it: slot, constant and options.

The slot is a place, from 0, a keyword or a `Slot`. The constant is as Python writes it, "" where it is not
known; of `Slot.SHAPE` see there. It is that while the options of the caller, as plain tuples, have their
defaults; with `Slot.MAKING` each of them keeps the call from running.
"""
ANYTHING: Final[PlainArgument] = (int(Slot.ANYTHING), "", ())
CALLED: Final[PlainArgument] = (int(Slot.CALLED), "", ())
MANY: Final[PlainArgument] = (int(Slot.MANY), "", ())
Receiver = str | int
"""What something is told of: the plain name of what is called, or the number of a `Role`."""
BY_PATH: Final = frozenset(
    "get_obj_from_str import_string instantiate instantiate_class instantiate_from_config".split()  # noqa: SIM905
)
"""Calls by which a project makes, or runs, what a configuration names."""
