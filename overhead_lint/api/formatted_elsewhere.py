"""Objects of other files' classes that a file makes texts of, as plain data."""

from __future__ import annotations

from typing import Final

from overhead_lint.tuples import NamedTuple

__all__ = ["NO_CALL", "FormattedElsewhere"]

NO_CALL: Final = (0, 0)


class FormattedElsewhere(NamedTuple):
    """A text that shows an object whose class stands in another file and formats its fields each time.

    Attributes:
        start: line and column (bytes of UTF-8) where the call or f-string that makes the text begins.
        end: where it ends.
        number: which of the values that it shows; of a helper's call which of its arguments. Below 0 for what
            a method is called on, or the helper has from elsewhere.
        cls: the class; the first of several.
        path: the file of the class, as its project names it.
        line: the line of the class.
        is_given: whether the place calls a helper in another file, which makes the text and gives it back, or
            looks something up by it.
        call: where the call begins that has a function of another file look something up by the text;
            `NO_CALL` if none does.
        key_path: the file of that function, as its project names it.
        key_line: the line where that does so.
        parameter: what that function calls the object, if its file makes the text; else "".
        has_own_str: whether a ``__str__`` that the class has or inherits makes the text, and not ``repr``.
    """

    start: tuple[int, int]
    end: tuple[int, int]
    number: int
    cls: str
    path: str
    line: int
    is_given: bool = False
    call: tuple[int, int] = NO_CALL
    key_path: str = ""
    key_line: int = 0
    parameter: str = ""
    has_own_str: bool = False
