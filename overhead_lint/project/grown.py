"""A file that has only gained or lost functions that run nothing and that nobody runs: heat stays as it was.

All else that the project's graph says holds then, and it need not be built to say what the new ones are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from overhead_lint.project.graph import Graph, Member, traits_of
from overhead_lint.project.passed_on import PARAMETER_OF
from overhead_lint.project.resolved import mentions
from overhead_lint.project.shared import Shared
from overhead_lint.project.summary import CallSite, FileSummary, FunctionSummary, read

__all__ = ["Said", "grown"]

Plain = tuple[Any, ...]
Warmths = dict[str, tuple[int, str]]

_TOP: Final = FunctionSummary("", "", "", False, "", "", "", (), "", ())


class Said(NamedTuple):
    """What a file says to the project's graph, as it is kept.

    Attributes:
        summary: as `overhead_lint.project.summary.written` gives it.
        calls: as `overhead_lint.project.summary.written_calls` gives them.
        sought: paths into other files, with the kinds that matter.
    """

    summary: Plain
    calls: Plain
    sought: Mapping[str, str]


def grown(
    before: Said, now: Said, edges: Plain, warmths: Mapping[str, tuple[int, str]]
) -> tuple[Plain, Warmths] | None:
    """What a graph would give of a file as it is now, from what one gave of it before.

    It is known that the file defines what it did but for functions that no other file mentions.

    Args:
        before: what the file said before.
        now: what it says now.
        edges: what `Graph.packed` gave of it.
        warmths: the heat of its functions.

    Returns:
        The same as of now; None if it has to be found out by a graph of the whole project.
    """
    old, new = _by_name(before.summary), _by_name(now.summary)
    gone, fresh = old.keys() - new.keys(), new.keys() - old.keys()
    if [one for one in old.items() if one[0] in new] != [one for one in new.items() if one[0] in old]:
        return None
    # What calls pass to them is asked for in vain.
    passed = tuple(f"{PARAMETER_OF}{name}:" for name in gone | fresh)
    asked, asks = (
        {path: kinds for path, kinds in said.sought.items() if not path.startswith(passed)}
        for said in (before, now)
    )
    if (before.calls, asked) != (now.calls, asks):
        return None
    plain = {name.rpartition(".")[2] for name in gone | fresh}
    if mentions(plain, [repr((now.calls, asks)).encode()]):
        return None
    functions = [one for name in fresh for one in new[name]]
    if any(one.hot or one.hot_loop or one.compiler for one in functions):
        return None
    packed = {one[0]: one for one in edges[0]}
    traits = {one.name: tuple(traits_of(one, Shared())) for one in functions}
    names = dict.fromkeys(("", *new))
    found = tuple(packed[name] if name in packed else (name, traits[name], ()) for name in names)
    kept = {name: warmth for name, warmth in warmths.items() if name not in gone}
    return (found, *edges[1:]), {**kept, **_alone(functions)}


def _by_name(summary: Plain) -> dict[str, list[FunctionSummary]]:
    """The functions of a file; a name may be defined again."""
    found: dict[str, list[FunctionSummary]] = {}
    for function in read(summary).functions:
        found.setdefault(function.name, []).append(function)
    return found


def _alone(functions: Iterable[FunctionSummary]) -> Warmths:
    """The heat of functions that stand for themselves."""
    graph = Graph({":": Member("", "", "", _Content((_TOP, *functions)))})
    return {name: (int(heat), why) for name, (heat, why) in graph.warmths(":").items() if name}


class _Content:
    """A file that holds functions, and nothing else."""

    def __init__(self, functions: tuple[FunctionSummary, ...]) -> None:
        self._functions = functions

    def summary(self) -> FileSummary:
        """What it holds."""
        return FileSummary(self._functions, (), (), (), (), (), (), (), (), "")

    def calls(self) -> Iterable[tuple[str, tuple[CallSite, ...]]]:
        """None."""
        return ()

    def sought(self) -> Mapping[str, str]:
        """Nothing."""
        return {}

    def is_resolved(self) -> bool:
        """Nobody knows of it."""
        return False

    def resolved(self) -> Plain:
        """Never asked."""
        return ()
