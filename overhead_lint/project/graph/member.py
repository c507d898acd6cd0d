"""The files of a project, as its graph is given them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, Protocol

from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.project.cross_file import Dependencies
    from overhead_lint.project.file_summary import CallSite, FileSummary, Passing
    from overhead_lint.rule import Warmth

__all__ = ["Content", "Member", "Override", "is_package"]

_PACKAGE: Final = "__init__.py:"


class Content(Protocol):
    """What a file of the project holds, given when it is asked for: of all files at once it would be much."""

    def summary(self) -> FileSummary:
        """What it holds, with or without the calls of its functions and what it says of options."""

    def calls(self) -> Iterable[tuple[str, tuple[CallSite, ...]]]:
        """The calls of each of its functions, by name in paths: most of what is known of a project."""

    def passing(self) -> Passing:
        """What it says of options."""

    def dependencies(self) -> Dependencies:
        """What it seeks of other files, since what rules saw in it depends on that."""

    def is_resolved(self) -> bool:
        """Whether what an earlier graph gave as `packed` still holds."""

    def resolved(self) -> tuple[Any, ...]:
        """What an earlier graph gave as `packed`; asked only if that holds."""


class Member(NamedTuple):
    """A file of the project.

    Attributes:
        path: the file as reasons name it.
        name: dotted name of its module, as others import it.
        folder: dotted name of where it lies; scripts import their neighbours from there.
        content: gives what it holds.
    """

    path: str
    name: str
    folder: str
    content: Content


Override = Callable[[Member, str], "Warmth | None"]
"""The heat that settings have for a function of a file, by its name in paths, with the reason."""


def is_package(key: str) -> bool:
    """Whether a file, by its key, is what a package runs when it is imported."""
    return key.endswith(_PACKAGE)
