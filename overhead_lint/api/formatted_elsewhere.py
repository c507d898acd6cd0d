"""Objects of other files' classes that a file makes texts of, as plain data."""

from __future__ import annotations

from overhead_lint.tuples import NamedTuple

__all__ = ["FormattedElsewhere"]


class FormattedElsewhere(NamedTuple):
    """A text that shows an object whose class stands in another file and formats its fields each time.

    Attributes:
        start: line and column (bytes of UTF-8) where the call or f-string that makes the text begins.
        end: where it ends.
        number: which of the values that it shows; of a helper's call which of its arguments.
        cls: the class; the first of several.
        path: the file of the class, as its project names it.
        line: the line of the class.
        is_given: whether the place calls a helper in another file, which makes the text and gives it back.
    """

    start: tuple[int, int]
    end: tuple[int, int]
    number: int
    cls: str
    path: str
    line: int
    is_given: bool = False
