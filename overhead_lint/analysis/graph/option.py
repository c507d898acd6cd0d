"""Options: what users choose, and what is so as long as nobody does."""

from __future__ import annotations

import enum
from typing import Any, Final

from overhead_lint.tuples import NamedTuple

__all__ = [
    "ANSWER",
    "ARGUMENT",
    "ATTRIBUTE",
    "BY_KEYWORD",
    "ENTRY",
    "GLOBAL",
    "INSTANCE",
    "MANY",
    "MANY_ROUNDS",
    "NAME",
    "OF_DEFINITIONS",
    "OTHERWISE",
    "PASSED",
    "RUN_BY_INSTANCES",
    "SAID",
    "SETTING",
    "TOLD_ELSEWHERE",
    "UNSET",
    "VALUE",
    "WORD",
    "Default",
    "Option",
    "OptionKind",
    "PlainOption",
    "ValueKind",
    "is_switch",
    "read_options",
    "together",
]


class OptionKind(enum.IntEnum):
    """What an option is; caches keep the numbers."""

    NAME = 0
    """No option, but counts as one: that somebody names a function or class."""
    ARGUMENT = 1
    """A parameter with a constant for its default."""
    SETTING = 2
    """What ``__init__`` reads from settings, with a default."""
    ATTRIBUTE = 3
    """An attribute of an object, whose default the project may tell."""
    ENTRY = 4
    """An entry of settings by its key, whose value the settings files of the project may tell."""
    INSTANCE = 5
    """No option, but counts as one: that somebody makes an object of a class."""
    ANSWER = 6
    """No option, but counts as one: that a function which is asked, of whatever file, says yes."""
    PASSED = 7
    """A parameter by what all calls pass for it, whatever its default is."""
    GLOBAL = 8
    """A name of a file's top level that is given one constant there, and nothing else."""

    @property
    def label(self) -> str:
        """The kind as reports name it."""
        return self.name.lower()


# As `marshal` takes them; to ask an enumeration for a member takes long, too (Python 3.11).
NAME: Final = int(OptionKind.NAME)
ARGUMENT: Final = int(OptionKind.ARGUMENT)
SETTING: Final = int(OptionKind.SETTING)
ATTRIBUTE: Final = int(OptionKind.ATTRIBUTE)
ENTRY: Final = int(OptionKind.ENTRY)
INSTANCE: Final = int(OptionKind.INSTANCE)
ANSWER: Final = int(OptionKind.ANSWER)
PASSED: Final = int(OptionKind.PASSED)
GLOBAL: Final = int(OptionKind.GLOBAL)

TOLD_ELSEWHERE: Final = frozenset({ATTRIBUTE, ENTRY, PASSED})
"""Kinds of options whose defaults do not stand where they are asked about."""
OF_DEFINITIONS: Final = frozenset({ANSWER, INSTANCE, NAME})
"""Kinds of what is no option, and counts as one for a function or class."""

BY_KEYWORD: Final = -1
"""The place of an argument that is passed by its name alone."""
RUN_BY_INSTANCES: Final = frozenset({"__call__", "forward"})
"""Methods that run where an object is called, by whatever name that has."""


class ValueKind(enum.IntEnum):
    """Kinds of what an attribute may be by default; caches keep the numbers."""

    WORD = 0
    ZERO = 1
    FALSE = 2
    NONE = 3
    TRUE = 4
    UNSET = 5
    """None where that is the default of a setting, and no data is kept there."""
    VALUE = 6
    """Another constant."""
    OTHERWISE = 7
    """Something else."""
    SAID = 8
    """A word that some code gives to whatever has the name."""
    ONE = 9
    """The number: one part of what may be many is often as good as nothing."""
    MANY = 10
    """A number from `MANY_ROUNDS` on, which is the word."""
    LESS_THAN_NONE = 11
    """The number -1, by which options are off that nought would not turn off."""


WORD: Final = int(ValueKind.WORD)
UNSET: Final = int(ValueKind.UNSET)
VALUE: Final = int(ValueKind.VALUE)
OTHERWISE: Final = int(ValueKind.OTHERWISE)
SAID: Final = int(ValueKind.SAID)
MANY: Final = int(ValueKind.MANY)

MANY_ROUNDS: Final = 5
"""What comes once in so many steps, or in more, does not come in every step."""


class Default(NamedTuple):
    """What an attribute is by default.

    Attributes:
        kind: a `ValueKind`.
        word: the word that it is, or the number that is `MANY`; "" for other kinds.
    """

    kind: int
    word: str = ""


class Option(NamedTuple):
    """An option; as a plain tuple it is what `marshal` takes.

    Attributes:
        kind: an `OptionKind`.
        owner: what has it: a function by its name in paths, the parameter that settings are passed by, the
            dotted object of an attribute or entry; the module of what somebody has to name.
        name: of the parameter, the setting, the attribute, the entry, the function, class or global.
        default: as Python writes it; "" for what is told elsewhere, and no project was asked about.
        place: of a parameter, from 0; `BY_KEYWORD` for others.
        is_scalar: whether what is None by default is else a flag, a number or a word.
        shut_by: kinds of defaults told elsewhere that keep a place from running, each a `ValueKind`.
        words: words that do so as well; of what somebody has to name what else of its file names it, of which
            this is true as well, outermost first.
        by_other_words: whether all words do so but for `words`.
        is_shipped: whether settings files that ship with the project have the default, and no code does.
        of_class: the plain name of the class whose attribute it is; "" where nothing tells it.
        otherwise: the default of a parameter whose value calls tell, as Python writes it; "" for none.
        bounds_rounds: whether it keeps a loop at one round, and nothing from running: ``range(parts)``.
        beside: others that have to have their defaults as well, as plain tuples: ``if deep or wide:``.
    """

    kind: int
    owner: str
    name: str
    default: str = ""
    place: int = BY_KEYWORD
    is_scalar: bool = False
    shut_by: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    by_other_words: bool = False
    is_shipped: bool = False
    of_class: str = ""
    otherwise: str = ""
    bounds_rounds: bool = False
    beside: tuple[tuple[Any, ...], ...] = ()


PlainOption = tuple[Any, ...]
"""An `Option` as a plain tuple, which is equal to it."""


def together(option: Option) -> tuple[Option, ...]:
    """Return an option and those beside it, each alone."""
    return (option._replace(beside=()), *read_options(option.beside)) if option.beside else (option,)


def read_options(plain: tuple[PlainOption, ...]) -> tuple[Option, ...]:
    """Return options that were kept as plain tuples."""
    return tuple([Option(*one) for one in plain]) if plain else ()


def is_switch(option: Option) -> bool:
    """Whether an option turns something on: its default is a flag, a number or a word.

    What is None by default is often data that callers do hand over, unless it is annotated as one of these,
    and so is what a `forward` takes.
    """
    is_plain = option.default != "None" or option.is_scalar or option.kind == GLOBAL
    return is_plain and option.owner.rpartition(".")[2] not in RUN_BY_INSTANCES
