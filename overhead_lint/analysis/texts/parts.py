"""What is said of texts: which objects they show, and what callers need to know of a function for that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.ir.records import NONE
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.analysis.values.symbols import ClassSymbol, FunctionSymbol

__all__ = ["HELD", "NOTHING", "Key", "KeyArgument", "Part", "Shown", "ShownPlace", "TextSummary"]

HELD: Final = -2
"""In the place of an argument's number: what a function does not get from its caller."""


class Shown(NamedTuple):
    """An object whose text an operation of a function makes, or has made.

    Attributes:
        at: the operation.
        number: which of the values that it shows, or which argument of the helper that it calls.
        value: the operation that gives the object; `NONE` where a helper has it from elsewhere.
        by_repr: whether the text is that of ``repr``; else ``str`` makes it.
        classes: what it may be, where a helper has it from elsewhere; none if only other files know.
    """

    at: int
    number: int
    value: int
    by_repr: bool
    classes: tuple[ClassSymbol, ...] = ()


class ShownPlace(NamedTuple):
    """A parameter that a function makes a text of.

    Attributes:
        place: its place.
        by_repr: whether the text is that of ``repr``.
        attributes: the way to what is shown of it; none if it is shown itself.
    """

    place: int
    by_repr: bool
    attributes: tuple[str, ...] = ()


class TextSummary(NamedTuple):
    """What callers need to know of a function.

    Attributes:
        passed: the places of parameters that it gives back as they are, alone or as a part.
        shown: the places of those whose text it gives back.
        classes: those of objects whose text it gives back and that no caller gives it.
        keys: the places of parameters that it looks something up by, each with the line.
        shown_keys: the places of those whose text it looks something up by, each with the line.
        made_keys: the places of those of them whose text its file makes.
        is_open: whether it gives back a text of something that other files know more of.
    """

    passed: frozenset[int] = frozenset()
    shown: frozenset[ShownPlace] = frozenset()
    classes: tuple[ClassSymbol, ...] = ()
    keys: tuple[tuple[int, int], ...] = ()
    shown_keys: tuple[tuple[ShownPlace, int], ...] = ()
    made_keys: frozenset[int] = frozenset()
    is_open: bool = False


class KeyArgument(NamedTuple):
    """What a call gives to a function of the project that looks something up by it.

    Attributes:
        value: the operation that gives it.
        number: which of the arguments it is.
        shown: how the function makes a text of it for that; None if it is the key, or a part of that.
        function: the function.
        line: where that does so.
        parameter: what the function calls it; "" where its file does not make the text.
    """

    value: int
    number: int
    shown: ShownPlace | None
    function: FunctionSymbol
    line: int
    parameter: str = ""


class Key(NamedTuple):
    """What a function looks something up by.

    Attributes:
        value: the operation that gives it.
        line: where that is.
        shown: how another function makes a text of it, which is the key; None if it is the key itself.
    """

    value: int
    line: int
    shown: ShownPlace | None = None


class Part(NamedTuple):
    """What a value is made of: an operation, and the one that makes its text with the place among its values.

    Attributes:
        value: the operation.
        made: the one that makes the text; `NONE` if the value itself is a part.
        number: which of the values that one shows.
        by_repr: whether it shows what ``repr`` gives.
    """

    value: int
    made: int = NONE
    number: int = 0
    by_repr: bool = False


NOTHING: Final = TextSummary()
"""Of a function that gives back no text, and looks nothing up by what it is given."""
