"""A file of a project, as all that is known of it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.discovery.files import Target

__all__ = ["File"]


class File(NamedTuple):
    """A file of the project.

    Attributes:
        name: its path below the root, or in full; the key of all that is known about it.
        target: where it lies, and why it may be cold.
        checked: whether its findings are wanted.
    """

    name: str
    target: Target
    checked: bool
