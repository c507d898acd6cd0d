"""Runs the command line with another order of work: ``python shuffled.py SEED WORK ARGUMENT...``.

WORK is ``files``, or ``heat`` to shuffle what heat begins from, too. What the linter does in an order of its
own choosing belongs into `shuffle`, so that `test_order` sees that the order makes no difference.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from overhead_lint.cli import main as command_line
from overhead_lint.discovery import walking
from overhead_lint.engine.linter import Linter
from overhead_lint.project.graph.heat_flow import HeatFlow
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.workspace import Workspace


class Listing:
    """A folder's entries in another order, as `os.scandir` gives them."""

    def __init__(self, chance: random.Random, folder: str) -> None:
        with os.scandir(folder) as inside:
            self._entries = list(inside)
        chance.shuffle(self._entries)

    def __enter__(self) -> Iterator[os.DirEntry[str]]:
        return iter(self._entries)

    def __exit__(self, *raised: object) -> None:
        pass


class Module:
    """`os` for the module that lists folders."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def scandir(self, folder: str) -> Listing:
        """The entries of a folder."""
        return Listing(self._chance, folder)


def shuffle(seed: int, *, heat: bool) -> None:
    """Have files be listed, taken and looked into, rules run, and heat flow in another order."""
    chance = random.Random(seed)
    walking.os = Module(chance)  # type: ignore[assignment, attr-defined]

    def shuffled(items: Any) -> list[Any]:
        return chance.sample(found := list(items), len(found))

    def patch(owner: type, name: str, change: Callable[[Sequence[Any]], Sequence[Any]]) -> None:
        method = getattr(owner, name)
        setattr(owner, name, lambda self, *given, **named: method(self, *change(given), **named))

    patch(Workspace, "__init__", lambda given: [given[0], shuffled(given[1]), *given[2:]])
    patch(Examiner, "all", lambda given: [shuffled(given[0]), *given[1:]])
    patch(Linter, "__init__", lambda given: [shuffled(given[0]), *given[1:]])
    if heat:
        patch(HeatFlow, "_spread", lambda given: [*given[:2], shuffled(given[2])])


if __name__ == "__main__":
    shuffle(int(sys.argv[1]), heat=sys.argv[2] == "heat")
    sys.exit(command_line.main(sys.argv[3:]))
