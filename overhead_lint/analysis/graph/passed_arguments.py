"""What the calls of files pass, and the names they use, as the project's graph takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.analysis.graph.option import PlainOption

__all__ = [
    "ALL_OF",
    "ANSWERING",
    "ANYTHING",
    "BY_PATH",
    "CALLED",
    "CALLED_AT_HOME",
    "HANDED",
    "HANDED_AT_HOME",
    "MAKING",
    "MANY",
    "NAMED",
    "SELDOM",
    "SHAPE",
    "STORED",
    "TURNED_OFF",
    "Argument",
    "PlainArgument",
]

HANDED: Final = "&"
"""Stands for the name of what is called, before what a file hands over, or makes by its name in a text."""
STORED: Final = "."
"""Stands there before attributes that a file sets on others than ``self``, or to a constant that is true."""
TURNED_OFF: Final = "-"
"""Stands there before attributes that it sets on others to a constant that is false."""
MANY: Final = "*"
"""The slot of what a call passes by place and nobody can tell."""
ANYTHING: Final = "**"
"""The slot of what a call passes by keyword and nobody can tell."""
CALLED: Final = ""
"""The slot of no argument: that there is a call."""
SHAPE: Final = "#"
"""The slot of no argument: which arguments a call passes; the constant has their number and their names."""

MAKING: Final = "="
"""The slot of no argument: that a call makes an object of a class, but for options with their defaults."""


class Argument(NamedTuple):
    """What a call passes; as a plain tuple it is what `marshal` takes.

    Attributes:
        slot: the place, from 0, or the keyword, or `MANY`, `ANYTHING`, `CALLED`, `SHAPE` or `MAKING`.
        constant: what it is, as Python writes it; "" where that is not known; of `SHAPE` see there.
        options: options of the caller, as plain tuples, while which have their defaults it is that; with
            `MAKING` each of them keeps the call from running.
    """

    slot: int | str
    constant: str = ""
    options: tuple[PlainOption, ...] = ()


PlainArgument = tuple[Any, ...]
"""An `Argument` as a plain tuple; a name behind what stands for names of what is called."""
NAMED: Final = "$"
"""Stands for the name of what is called, before what a file names without calling it; see `named_in`."""
ALL_OF: Final = "*"
"""Stands there before plain names of modules of which a file imports all, or that it hands over."""
CALLED_AT_HOME: Final = "@"
"""Stands there before names of its own top level that a file calls: it names no other file's by that."""
SELDOM: Final = "?"
"""Stands there before names of its functions that hardly ever say yes: ``return step % every == 0``."""
ANSWERING: Final = "!"
"""Stands there before names of its other functions that give something."""
HANDED_AT_HOME: Final = "@&"
"""Stands there before those of them that it hands over."""
BY_PATH: Final = frozenset(
    "get_obj_from_str import_string instantiate instantiate_class instantiate_from_config".split()  # noqa: SIM905
)
"""Calls by which a project makes, or runs, what a configuration names."""
