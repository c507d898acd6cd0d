"""Work on many items that processes share where that is worth it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["Share"]

Item = TypeVar("Item")
Result = TypeVar("Result")


class Share(NamedTuple):
    """Who shares work.

    Attributes:
        jobs: how many processes may.
        least: items that are worth starting processes for.
        batch: items that a process is given at once.
    """

    jobs: int
    least: int
    batch: int

    def results(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """Yield the results of a function for many items: of processes in the order in which they come.

        Args:
            work: what is to be done; its results have to be picklable.
            items: what it is done with.
        """
        processes = min(self.jobs, len(items) // self.batch)
        if processes > 1 and len(items) >= self.least and sys.platform != "win32":
            from overhead_lint.workspace.processes import shared  # costs start-up

            yield from shared(work, items, processes, self.batch)
        else:
            yield from map(work, items)
