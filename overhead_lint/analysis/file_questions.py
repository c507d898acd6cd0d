"""What files ask one another about what they compile and make texts of: values to compare."""

from __future__ import annotations

import enum
from typing import Final

from overhead_lint.tuples import NamedTuple

__all__ = ["CLASSES", "LAYERS", "About", "PlainQuestion", "Question"]

PlainQuestion = tuple[int, str, int, str]
"""A `Question` as a plain tuple, as caches keep it; it equals the question."""


class About(enum.IntEnum):
    """What a question is about; caches keep the numbers."""

    LAYERS = 0
    """Lists of modules that code goes over which is compiled."""
    CLASSES = 1
    """Classes whose text formats their fields."""
    TEXT = 2
    """A function that may give back a text."""
    KEY = 3
    """A function that looks something up by an argument."""
    TEXT_KEY = 4
    """A function that looks something up by the text of an argument."""
    OBJECT = 5
    """A function or class that may give an object of a class whose text formats its fields."""


class Question(NamedTuple):
    """What a file asks of others, and what another may tell it: it does where both are equal.

    Attributes:
        about: what it is about.
        function: the name that a function is called by; "" if it is about none.
        place: which argument of it, from 0; -1 where that is given by name, or is not asked for.
        keyword: the name of the argument; "" where that is given by place.
    """

    about: About
    function: str = ""
    place: int = -1
    keyword: str = ""

    def plain(self) -> PlainQuestion:
        """Return it as caches keep it."""
        return int(self.about), self.function, self.place, self.keyword


LAYERS: Final = Question(About.LAYERS)
CLASSES: Final = Question(About.CLASSES)
