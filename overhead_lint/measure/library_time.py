"""Which line in a library the host time of a line of the program goes to; part of evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from overhead_lint.support.versioned_json import exactly, number

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["LibraryPlace", "LibraryTime", "averages", "parse"]


class LibraryPlace(NamedTuple):
    """A line of the program, and the line in a library that runs for it.

    Attributes:
        path: of the program's line; "" where none of the program runs.
        line: of that file.
        library_path: "" where the program's line itself runs.
        library_line: of that file.
        function: the library's, with its classes where Python knows them.
    """

    path: str
    line: int
    library_path: str
    library_line: int
    function: str


@dataclass(frozen=True, slots=True)
class LibraryTime:
    """What a line in a library took of a step for a line of the program.

    Attributes:
        path: as in the evidence; "" where no line of the program ran.
        line: of that file.
        library_path: as in the evidence; "" for what the program's line did itself.
        library_line: of that file.
        function: the library's, with its classes where Python knows them.
        seconds: a step, on average; all of them add up to those of the step.
    """

    path: str
    line: int
    library_path: str
    library_line: int
    function: str
    seconds: float

    def with_paths(self, shown: Callable[[str], str]) -> LibraryTime:
        """Return the same with other paths."""
        path = shown(self.path) if self.path else ""
        library_path = shown(self.library_path) if self.library_path else ""
        return replace(self, path=path, library_path=library_path)


def averages(steps: Sequence[Mapping[LibraryPlace, int]]) -> tuple[LibraryTime, ...]:
    """Return the seconds a step of each place, most first.

    Args:
        steps: nanoseconds of each step.
    """
    total: Counter[LibraryPlace] = Counter()
    for one in steps:
        total.update(one)
    found = [LibraryTime(*place, taken * 1e-9 / len(steps)) for place, taken in total.items()]
    return tuple(
        sorted(found, key=lambda one: (-one.seconds, one.path, one.line, one.library_path, one.library_line))
    )


def parse(content: Sequence[Mapping[str, Any]]) -> tuple[LibraryTime, ...]:
    """Return what was written as JSON.

    Raises:
        KeyError, TypeError, ValueError: the content is damaged.
    """
    return tuple(
        LibraryTime(
            exactly(str, one["path"]),
            exactly(int, one["line"]),
            exactly(str, one["library_path"]),
            exactly(int, one["library_line"]),
            exactly(str, one["function"]),
            number(one["seconds"]),
        )
        for one in content
    )
