"""From summaries of files to the heat of their functions.

A summary is plain data, so that it can be kept between runs; any number of them make one graph.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from overhead_lint.project.placement import Place, Placement
from overhead_lint.rule import Heat, Warmth

__all__ = ["CallSite", "ClassSummary", "FileSummary", "FunctionSummary", "heat_of"]

_LONGEST_CHAIN: Final = 6


class CallSite(NamedTuple):
    """A place in a function from which another may be run."""

    target: str
    """Qualified name of a function, class or method."""
    virtual: bool
    """Whether an override in a subclass may run in its stead."""
    placement: Placement


class FunctionSummary(NamedTuple):
    """A function or method, or a file's top level."""

    name: str
    """Qualified name."""
    label: str
    """The name as shown in reasons."""
    hot: str
    """Why it runs in every step for what it is, or ""."""
    cold: str
    """Why it never does, whoever calls it, or ""."""
    tensors: bool
    """Whether it works with tensors."""
    hot_loop: str
    """The hot loop in it that makes the rest of it cold, or ""."""
    calls: tuple[CallSite, ...]


class ClassSummary(NamedTuple):
    """A class with the qualified names of its bases and the plain names of its methods."""

    name: str
    bases: tuple[str, ...]
    methods: tuple[str, ...]


class FileSummary(NamedTuple):
    """What the graph needs of one file."""

    functions: tuple[FunctionSummary, ...]
    classes: tuple[ClassSummary, ...]


class _Graph:
    """Functions with resolved calls between them."""

    def __init__(self, summaries: Iterable[FileSummary]) -> None:
        files = list(summaries)
        self.functions = {function.name: function for file in files for function in file.functions}
        self._classes = {cls.name: cls for file in files for cls in file.classes}
        self._subclasses: dict[str, list[str]] = defaultdict(list)
        for cls in self._classes.values():
            for base in cls.bases:
                self._subclasses[base].append(cls.name)
        self.sites = {
            name: [
                (target, site.placement)
                for site in function.calls
                for target in self._resolve(site)
                if target != name or site.placement.place is not Place.FLOW
            ]
            for name, function in self.functions.items()
        }

    def _resolve(self, site: CallSite) -> set[str]:
        """The functions that a call site may run."""
        if site.target in self.functions:
            found = {site.target}
        elif site.target in self._classes:
            found = set(self._method(site.target, "__init__"))
        else:
            found = set()
        cls, _, method = site.target.rpartition(".")
        if not found and cls in self._classes:
            found.update(self._method(cls, method))
            if not found and method == "__call__":
                found.update(self._method(cls, "forward"))
        if site.virtual:
            found.update(self._overrides(cls, method))
        return found

    def _method(self, cls: str, method: str, seen: frozenset[str] = frozenset()) -> Iterator[str]:
        """The definition of a method that a class has or inherits."""
        summary = self._classes.get(cls)
        if summary is None or cls in seen:
            return
        if method in summary.methods:
            yield f"{cls}.{method}"
            return
        for base in summary.bases:
            inherited = list(self._method(base, method, seen | {cls}))
            if inherited:
                yield from inherited
                return

    def _overrides(self, cls: str, method: str) -> Iterator[str]:
        stack, seen = [cls], {cls}
        while stack:
            for sub in self._subclasses.get(stack.pop(), ()):
                if sub not in seen:
                    seen.add(sub)
                    stack.append(sub)
                    if method in self._classes[sub].methods:
                        yield f"{sub}.{method}"


class _Reached(NamedTuple):
    heat: Heat
    chain: tuple[str, ...]


def heat_of(summaries: Iterable[FileSummary]) -> dict[str, Warmth]:
    """Heat of each function at its top level, with the reason; functions left out are cold.

    Heat starts at hot loops and at functions that are hot for what they are, and flows along
    calls; then what works with tensors and has no known caller is presumed hot.
    """
    graph = _Graph(summaries)
    reached: dict[str, _Reached] = {}
    _spread(graph, reached, list(_from_loops(graph)))
    hot = [
        (name, _Reached(Heat.STEP, (function.hot,)))
        for name, function in graph.functions.items()
        if function.hot
    ]
    _spread(graph, reached, hot)
    _spread(graph, reached, list(_presumed(graph)))
    return {name: Warmth(found.heat, _chain(found.chain)) for name, found in reached.items()}


def _from_loops(graph: _Graph) -> Iterator[tuple[str, _Reached]]:
    """What is called from hot loops."""
    for name, function in graph.functions.items():
        if function.cold:
            continue
        for target, placement in graph.sites[name]:
            if placement.place in (Place.HOT, Place.HOT_REPEATED):
                heat = Heat.STEP if placement.place is Place.HOT else Heat.LOOP
                chain = (placement.why, graph.functions[target].label)
                yield target, _Reached(heat, chain)


def _spread(graph: _Graph, reached: dict[str, _Reached], start: list[tuple[str, _Reached]]) -> None:
    """Let heat flow from functions along their calls, wherever it makes something hotter."""
    queue = deque(start)
    while queue:
        name, found = queue.popleft()
        function = graph.functions[name]
        known = reached.get(name)
        if function.cold or (known is not None and known.heat >= found.heat):
            continue
        reached[name] = found
        for target, placement in graph.sites[name]:
            if placement.place is Place.GATED or placement.place >= Place.HOT:
                continue  # a hot loop's calls were there from the start
            heat = found.heat
            if heat is Heat.STEP and placement.place is Place.REPEATED:
                heat = Heat.LOOP
            queue.append((target, _Reached(heat, (*found.chain, graph.functions[target].label))))


def _presumed(graph: _Graph) -> Iterator[tuple[str, _Reached]]:
    """Functions that work with tensors, themselves or through what they call, and that nobody calls."""
    called = {target for name, sites in graph.sites.items() for target, _ in sites if target != name}
    tensors = {name for name, function in graph.functions.items() if function.tensors}
    callers: dict[str, list[str]] = defaultdict(list)
    for name, sites in graph.sites.items():
        for target, _ in sites:
            callers[target].append(name)
    stack = list(tensors)
    while stack:
        for caller in callers.get(stack.pop(), ()):
            if caller not in tensors:
                tensors.add(caller)
                stack.append(caller)
    for name, function in graph.functions.items():
        entry = name.rpartition(".")[2] in ("", "__init__", "main")
        plain = not entry and not function.hot_loop
        if plain and name in tensors and name not in called:
            why = f"{function.label} works with tensors and no caller of it is known"
            yield name, _Reached(Heat.PRESUMED, (why,))


def _chain(links: tuple[str, ...]) -> str:
    if len(links) > _LONGEST_CHAIN:
        links = (*links[:2], "...", *links[-(_LONGEST_CHAIN - 3) :])
    return " -> ".join(links)
