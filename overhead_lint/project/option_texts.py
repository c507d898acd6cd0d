"""How options are written: in the reasons of places, in what files say of them, and in findings.

What they are, and what branches they shut, is in `overhead_lint.project.options`.
"""

from __future__ import annotations

import re
from typing import Final

from overhead_lint.rule import NOT_BY_DEFAULT

__all__ = [
    "ANY_WORD",
    "ATTRIBUTE",
    "NAMED",
    "OFF",
    "OPTION",
    "SAID",
    "SCALAR",
    "SETTING",
    "UNNAMED",
    "WORD",
    "but_unnamed",
    "is_switch",
    "is_word",
    "not_by_default",
    "numbered",
    "only_options",
    "options_in",
    "parts_of",
    "without_options",
]

OPTION: Final = "\t"
"""Stands in the reason of a place before each option that keeps it from running while it has its default."""

SETTING: Final = "="
"""Begins an option that is no parameter: what ``__init__`` reads from settings, with a default."""

OFF: Final = "?"
"""Stands before the number of an option that is off by default, and that others may pass."""

NAMED: Final = "!"
"""Stands before the number of one whose default is None, which is often data that is handed over."""

ATTRIBUTE: Final = "~"
"""Begins an option that is an attribute, whose default the project may tell: behind its name stand the kinds
of values, as `kind_of` writes them, that keep its place from running."""

SCALAR: Final = "#"
"""Ends the place of what ``__init__`` takes that is None by default, and else a flag, a number or a word."""

UNNAMED: Final = "-"
"""Begins what is no option but counts as one: that somebody names a function or class. It stands there as
functions do, with its module's plain name in the place of a parameter. Its number begins with it as well."""

WORD: Final = "'"
"""Begins the kind of a default that is a word."""

SAID: Final = '"'
"""Begins a word that some code gives to whatever has the name of an attribute."""

ANY_WORD: Final = "*"
"""The kind of all words but for those that follow."""

_WORDS: Final = re.compile(r"[\w .+/-]{0,32}")
_TAKING_DATA: Final = frozenset({"__call__", "forward"})


def options_in(why: str) -> list[str]:
    """The options that a reason names, each as ``.function:parameter:place:default``."""
    return why.split(OPTION)[1:] if OPTION in why else []


def only_options(why: str) -> str:
    """The options that a reason names, as they stand in it."""
    return why[why.find(OPTION) :] if OPTION in why else ""


def without_options(why: str) -> str:
    """A reason without the options that it names."""
    return why.partition(OPTION)[0]


def not_by_default(why: str) -> str:
    """What the options that a reason names say of its place, "" if it names none.

    ``, but not by default: Trainer(clip=None)`` for what runs only with another value of that parameter.
    """
    shown, ending = [], ""
    for option in options_in(why):
        function, name, _, default = parts_of(option)
        if option.startswith(UNNAMED):
            ending = but_unnamed(option)
            continue
        if option.startswith((SETTING, ATTRIBUTE)):
            shown.append(f"{function[1:]}.{name}={default}")
            continue
        called = function.removesuffix(".__init__").rpartition(".")[2]
        shown.append(f"{called}({name}={default})")
    return (f"{NOT_BY_DEFAULT}{', '.join(shown)}" if shown else "") + ending


def but_unnamed(option: str) -> str:
    """What is said of what hangs on a name that nobody says."""
    return f", but nothing in the project names {option.partition(':')[0][2:]}"


def is_switch(option: str) -> bool:
    """Whether an option turns something on: its default is a flag, a number or a word.

    What is None by default is often data that callers do hand over, unless it is annotated as one of these,
    and so is what a `forward` takes.
    """
    function, _, place, default = option.split(":", 3)
    is_plain = default != "None" or place.endswith(SCALAR)
    return is_plain and function.rpartition(".")[2] not in _TAKING_DATA


def is_word(text: str) -> bool:
    """Whether a text may be one of the words that an option has."""
    return _WORDS.fullmatch(text) is not None


def parts_of(option: str) -> tuple[str, str, str, str]:
    """The function, name, place and default of an option; what `is_switch` goes by is left out."""
    function, name, place, default = option.split(":", 3)
    return function, name, place.removesuffix(SCALAR), default


def numbered(why: str, numbers: dict[str, int]) -> str:
    """The options that a reason names by their numbers, as they stand behind one: texts of them are long.

    Args:
        why: the reason.
        numbers: of the file's options; takes new ones.
    """
    return "".join(
        f"{OPTION}{UNNAMED if option.startswith(UNNAMED) else ''}{numbers.setdefault(option, len(numbers))}"
        for option in options_in(why)
    )
