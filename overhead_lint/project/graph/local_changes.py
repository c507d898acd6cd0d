"""Files that changed without leading heat elsewhere: all else that the project's graph says holds then.

They may have gained or lost functions that run nothing but each other, and that nobody else runs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from overhead_lint.analysis.graph.frequency import SAME
from overhead_lint.analysis.graph.function_names import generator_of
from overhead_lint.analysis.graph.offer import OfferedBy
from overhead_lint.analysis.values.elsewhere import PARAMETER_OF
from overhead_lint.project.cross_file import NO_DEPENDENCIES, Dependencies
from overhead_lint.project.file_summary import CallSite, FileSummary, FunctionSummary, Passing, read
from overhead_lint.project.graph.graph import Graph, traits_of
from overhead_lint.project.graph.member import Member
from overhead_lint.project.graph.resolved import mentions
from overhead_lint.project.marked_names import mark
from overhead_lint.project.packed_warmths import Packed, packed_warmth
from overhead_lint.project.via import Via
from overhead_lint.tuples import NamedTuple

__all__ = ["KeptFile", "unmoved_heat", "updated_edges"]

Plain = tuple[Any, ...]
Warmths = Mapping[str, Packed]

_TOP: Final = FunctionSummary("")
_BY_NAME: Final = frozenset({int(Via.CALL), int(Via.NAME)})


class KeptFile(NamedTuple):
    """What a file says to the project's graph, as it is kept.

    Attributes:
        summary: as `overhead_lint.project.file_summary.written` gives it.
        calls: as `overhead_lint.project.file_summary.written_calls` gives them.
        dependencies: what it seeks of other files.
    """

    summary: Plain
    calls: Plain
    dependencies: Dependencies


def updated_edges(before: KeptFile, now: KeptFile, edges: Plain, module: str) -> Plain | None:
    """What a graph would give of a file as it is now, if that can be said without one.

    It is known that the file defines what it did but for functions that no other file mentions.

    Args:
        before: what the file said before.
        now: what it says now.
        edges: what `Graph.packed` gave of it before.
        module: the file's key in the graph.

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
        [[path for path in paths if not path.startswith(passed)] for paths in said.dependencies[:2]]
        for said in (before, now)
    )
    calls = [one for one in now.calls if one[0] not in fresh]
    if ([one for one in before.calls if one[0] not in gone], asked) != (calls, asks):
        return None
    if before.dependencies.settings != now.dependencies.settings:
        return None
    if any(one.offered_by == OfferedBy.PACKAGE for name in fresh for one in new[name]):
        return None  # whether a package offers them is not asked here
    plain = {generator_of(name.rpartition(".")[2]) for name in gone | fresh}
    if mentions(plain, [repr((calls, asks)).encode()]):
        return None
    modules = edges[1] if module in edges[1] else (*edges[1], module)
    sites = _among(fresh, now.calls, modules.index(module))
    if sites is None:
        return None
    packed = {one[0]: one for one in edges[0]}
    found = []
    for name in dict.fromkeys(("", *new)):
        known = packed.get(name)
        traits = tuple(traits_of(new[name][-1])) if known is None else ()
        found.append(known if known is not None else (name, traits, sites.get(name, ())))
    return (tuple(found), modules, *edges[2:])


def _among(functions: Collection[str], calls: Plain, home: int) -> dict[str, Plain] | None:
    """The places from which functions run each other, as `Graph.packed` gives them.

    Args:
        functions: their names in paths.
        calls: of all functions of their file.
        home: the number of the file's module among those that are packed.

    Returns:
        For each function its places; None if one may run something else of the project.
    """
    found: dict[str, Plain] = {}
    for name, sites in calls:
        if name in functions:
            if not all(target in functions and via in _BY_NAME for target, via, *_ in sites):
                return None
            found[name] = tuple(
                (((home, target),), via, frequency, *reason)
                for target, via, frequency, *reason in sites
                if target != name or frequency != SAME
            )
    return found


def unmoved_heat(before: Plain, now: Plain, summary: Plain, warmths: Warmths, module: str) -> Warmths | None:
    """The heat of the functions of a file, if calls lead where they did.

    Args:
        before: what `Graph.packed` gave of it.
        now: what it gives now.
        summary: what the file says now, as `overhead_lint.project.file_summary.written` gives it.
        warmths: the heat of its functions before.
        module: the file's key in the graph.

    Returns:
        Their heat now; None if heat may flow otherwise.
    """
    old, new = _followed(before), _followed(now)
    apart = old.keys() ^ new.keys()
    if before[2:] != now[2:]:
        return None
    if [one for one in old.items() if one[0] in new] != [one for one in new.items() if one[0] in old]:
        return None
    for name in apart:
        _, sites = (old if name in old else new)[name]
        if any(home != module or target not in apart for targets, *_ in sites for home, target in targets):
            return None
    fresh = [one for name, functions in _by_name(summary).items() if name in apart for one in functions]
    if any(one.hot or one.hot_loop or one.compiler for one in fresh):
        return None
    kept = {name: warmth for name, warmth in warmths.items() if name not in apart}
    return {**kept, **_alone(fresh, new, module)} if fresh else kept


def _followed(edges: Plain) -> dict[str, Plain]:
    """For each function of a file what it is, and its places with the modules that they lead to by name."""
    functions, modules, *_ = edges
    return {
        name: (
            traits,
            tuple(
                (tuple((modules[home], target) for home, target in targets), *rest)
                for targets, *rest in sites
            ),
        )
        for name, traits, sites in functions
    }


def _by_name(summary: Plain) -> dict[str, list[FunctionSummary]]:
    """The functions of a file; a name may be defined again."""
    found: dict[str, list[FunctionSummary]] = {}
    for function in read(summary).functions:
        found.setdefault(function.name, []).append(function)
    return found


def _alone(functions: Iterable[FunctionSummary], followed: Mapping[str, Plain], module: str) -> Warmths:
    """The heat of functions of a module that run nothing but each other."""
    functions = tuple(functions)
    kept: list[Plain] = [("", tuple(traits_of(_TOP)), ())]
    for name in dict.fromkeys(one.name for one in functions):
        traits, sites = followed[name]
        plain = ((tuple((0, target) for _, target in targets), *rest) for targets, *rest in sites)
        kept.append((name, traits, tuple(plain)))
    content = _Content((_TOP, *functions), (tuple(kept), (module,), ((), ())))
    graph = Graph({module: Member(mark(module.removesuffix(":")), "", "", content)})
    return {name: packed_warmth(*warmth) for name, warmth in graph.warmths(module).items() if name}


class _Content:
    """A file that holds functions, and nothing else.

    Args:
        functions: they and the file's top level.
        packed: what `Graph.packed` would give of it.
    """

    def __init__(self, functions: tuple[FunctionSummary, ...], packed: Plain) -> None:
        self._functions = functions
        self._packed = packed

    def summary(self) -> FileSummary:
        """What it holds."""
        return FileSummary(self._functions)

    def calls(self) -> Iterable[tuple[str, tuple[CallSite, ...]]]:
        """Never asked."""
        return ()

    def passing(self) -> Passing:
        """Nothing."""
        return Passing()

    def dependencies(self) -> Dependencies:
        """Nothing."""
        return NO_DEPENDENCIES

    def is_resolved(self) -> bool:
        """It is."""
        return True

    def resolved(self) -> Plain:
        """What is known of it."""
        return self._packed
