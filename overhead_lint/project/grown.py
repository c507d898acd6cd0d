"""Files that changed without leading heat elsewhere: all else that the project's graph says holds then.

They may have gained or lost functions that run nothing and that nobody runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from overhead_lint.project.graph import Graph, Member, traits_of
from overhead_lint.project.passed_on import PARAMETER_OF
from overhead_lint.project.resolved import mentions
from overhead_lint.project.shared import Shared
from overhead_lint.project.summary import CallSite, FileSummary, FunctionSummary, read

__all__ = ["Said", "grown", "unmoved"]

Plain = tuple[Any, ...]
Warmths = Mapping[str, tuple[int, str]]

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


def grown(before: Said, now: Said, edges: Plain) -> Plain | None:
    """What a graph would give of a file as it is now, if that can be said without one.

    It is known that the file defines what it did but for functions that no other file mentions.

    Args:
        before: what the file said before.
        now: what it says now.
        edges: what `Graph.packed` gave of it before.

    Returns:
        What it would give; None if it has to be found out by a graph of the whole project.
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
    packed = {one[0]: one for one in edges[0]}
    found = []
    for name in dict.fromkeys(("", *new)):
        known = packed.get(name)
        found.append(known if known is not None else (name, tuple(traits_of(new[name][-1], Shared())), ()))
    return (tuple(found), *edges[1:])


def unmoved(before: Plain, now: Plain, summary: Plain, warmths: Warmths) -> Warmths | None:
    """The heat of the functions of a file, if calls lead where they did.

    Args:
        before: what `Graph.packed` gave of it.
        now: what it gives now.
        summary: what the file says now, as `overhead_lint.project.summary.written` gives it.
        warmths: the heat of its functions before.

    Returns:
        Their heat now; None if heat may flow otherwise.
    """
    old, new = ({one[0]: one for one in edges[0]} for edges in (before, now))
    apart = old.keys() ^ new.keys()
    if before[1:] != now[1:] or any(sites for name, _, sites in (*before[0], *now[0]) if name in apart):
        return None
    if [one for one in before[0] if one[0] in new] != [one for one in now[0] if one[0] in old]:
        return None
    fresh = [one for name, functions in _by_name(summary).items() if name in apart for one in functions]
    if any(one.hot or one.hot_loop or one.compiler for one in fresh):
        return None
    kept = {name: warmth for name, warmth in warmths.items() if name not in apart}
    return {**kept, **_alone(fresh)} if fresh else kept


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
