"""Names that packages offer to whoever imports them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overhead_lint.project.file_summary import FileSummary

__all__ = ["Offers"]


class Offers:
    """Gathers the names that packages offer to whoever imports them: what their ``__init__.py`` import.

    Attributes:
        names: plain names of all that is offered.
        stars: modules whose names packages import with a star.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.stars: set[str] = set()

    def add(self, summary: FileSummary) -> None:
        """Add the ``__init__.py`` of a package."""
        self.names.update(path.rpartition(".")[2] for _, path in summary.names)
        self.stars.update(summary.stars)

    def add_all(self, summary: FileSummary) -> None:
        """Add a file all of whose names a package imports."""
        names = [*(function.name for function in summary.functions), *(cls.name for cls in summary.classes)]
        self.names.update(name[1:] for name in names if name and "." not in name[1:] and name[1:2] != "_")
