"""From summaries of files to the heat of their functions."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from overhead_lint.project.edges import Via
from overhead_lint.project.kind_paths import KindPaths
from overhead_lint.project.module_index import ModuleIndex
from overhead_lint.project.placement import Place
from overhead_lint.project.resolver import Resolver
from overhead_lint.project.seeds import cold_by_class, hot_by_class
from overhead_lint.project.spread import Link, Reached, Site, Spread
from overhead_lint.project.told import COMPILED, KINDS, told_kinds
from overhead_lint.rule import Heat, Warmth

if TYPE_CHECKING:
    from overhead_lint.project.summary import CallSite, FileSummary, FunctionSummary

__all__ = ["SET_COLD", "Graph", "Link", "Member", "Override", "label"]

SET_COLD: Final = "cold by the settings"
"""What the reasons of functions that settings make cold begin with: hot loops in them count for nothing."""

_NOTHING: Final = "nothing shows that it runs in a step"
_LONGEST_CHAIN: Final = 6
_NUMBER: Final = re.compile(r" \d+>")


class Member(NamedTuple):
    """A file of the project.

    Attributes:
        path: the file as reasons name it.
        name: dotted name of its module, as others import it.
        folder: dotted name of where it lies; scripts import their neighbours from there.
        summary: what it holds.
        calls: gives the calls of each of its functions; None where these hold them. They are most of what is
            known of a project, and needed once.
        sought: the paths into other files that what rules saw in it depends on, with the kinds that
            would change it.
    """

    path: str
    name: str
    folder: str
    summary: FileSummary
    calls: Callable[[], Iterable[tuple[CallSite, ...]]] | None = None
    sought: Mapping[str, str] = MappingProxyType({})

    def with_calls(self) -> Iterator[tuple[FunctionSummary, tuple[CallSite, ...]]]:
        """Its functions, each with its calls."""
        functions = self.summary.functions
        calls = self.calls() if self.calls is not None else (function.calls for function in functions)
        return zip(functions, calls, strict=True)


Override = Callable[[Member, str], "Warmth | None"]
"""The heat that settings have for a function of a file, by its name in paths, with the reason."""


class Graph:
    """Functions with resolved calls between them, and the heat that flows along these.

    Args:
        members: the files, by a key that is unique among them.
        override: gives the heat that settings have for a function, with the reason.
    """

    def __init__(self, members: Mapping[str, Member], override: Override | None = None) -> None:
        self._paths = {key: member.path for key, member in members.items()}
        modules = {key: _index(member) for key, member in members.items()}
        self._resolver = Resolver(modules)
        kinds = KindPaths(self._resolver, modules)
        self._kinds: dict[str, str] = {}
        self._functions: dict[str, FunctionSummary] = {}
        self._sites: dict[str, tuple[Site, ...]] = {}
        self._modules: dict[str, str] = {}
        for key, member in members.items():
            for function in member.summary.functions:
                name = sys.intern(key + function.name)  # many refer to it
                self._modules[name] = key
                self._functions[name] = self._judged(name, member, function, override)
        shared: dict[tuple[object, ...], Any] = {}  # hundreds of sites may lead to the same functions
        for key, member in members.items():
            for function, calls in member.with_calls():
                sites = []
                for targets, via, place, why in self._resolved(key, function, calls):
                    site = Site(shared.setdefault(targets, targets), via, place, why)
                    sites.append(shared.setdefault(site, site))
                self._sites[sys.intern(key + function.name)] = tuple(sites)
            if member.sought:
                told = told_kinds(member.sought, {path: kinds.encoded(key, path) for path in member.sought})
                if told:
                    self._kinds[key] = told
            self._resolver.forget(key)
        del self._resolver  # it remembers as much again
        self._reached = Spread(self._functions, self._sites, self._label, self._path).all()

    def warmths(self, module: str) -> dict[str, Warmth]:
        """Heat of the functions of a module at their top level, by name in paths."""
        return self._by_module.get(module, {})

    @cached_property
    def _by_module(self) -> dict[str, dict[str, Warmth]]:
        found: dict[str, dict[str, Warmth]] = defaultdict(dict)
        for name, function in self._functions.items():
            module = self._modules[name]
            reached = self._reached.get(name)
            if reached is not None:
                found[module][function.name] = Warmth(reached.heat, _chain(self._chain(reached)))
            else:
                found[module][function.name] = Warmth(Heat.COLD, _cold(function, self._path(name)))
        for module, names in self._compiled_elsewhere().items():
            found[module][COMPILED] = Warmth(Heat.COLD, "|".join(names))
        for module, told in self._kinds.items():
            found[module][KINDS] = Warmth(Heat.COLD, told)
        return found

    def _compiled_elsewhere(self) -> dict[str, list[str]]:
        """For each module its functions, by name in paths, that are compiled by way of other modules."""
        known = self._compiled(within=True)
        by_module: dict[str, list[str]] = defaultdict(list)
        for name in sorted(self._compiled(within=False) - known):
            by_module[self._modules[name]].append(self._functions[name].name)
        return by_module

    def _compiled(self, *, within: bool) -> set[str]:
        """What `torch.compile` reaches, in all ways or only `within` the module that compiles."""
        functions = self._functions
        stack = [name for name, function in functions.items() if function.compiler == "compiled"]
        for name, sites in self._sites.items():
            for targets, via, _, _ in sites:
                if via == Via.COMPILE:
                    stack += self._reachable(name, targets, within)
        found: set[str] = set()
        while stack:
            name = stack.pop()
            if name not in found and functions[name].compiler != "disabled":
                found.add(name)
                for targets, via, _, _ in self._sites[name]:
                    if via in _TRACED:
                        stack += self._reachable(name, targets, within)
        return found

    def _reachable(self, name: str, targets: tuple[str, ...], within: bool) -> list[str]:
        module = self._modules[name]
        return [target for target in targets if not within or self._modules[target] == module]

    def _judged(
        self, name: str, member: Member, function: FunctionSummary, override: Override | None
    ) -> FunctionSummary:
        """A function with the reasons to be hot or cold that its class gives it."""
        said = override(member, function.name) if override else None
        if said is not None:
            if said.heat is Heat.COLD:
                return function._replace(hot="", cold=said.why)
            return function._replace(hot=said.why, cold="")
        hot, cold = function.hot, function.cold
        cls, _, method = name.rpartition(".")
        if not hot and self._resolver.is_class(cls):
            bases = self._resolver.ancestors(cls)
            hot = hot_by_class(label(function.name), method, bases)
            if hot:
                cold = ""
            elif not cold:
                cold = cold_by_class(label(function.name), method, bases)
        if (hot, cold) == (function.hot, function.cold):
            return function
        return function._replace(hot=hot, cold=cold)

    def _resolved(self, module: str, function: FunctionSummary, calls: Iterable[CallSite]) -> Iterator[Site]:
        own = module + function.name
        for site in calls:
            found = self._resolver.functions_of(module, site.target, Via(site.via))
            if own in found and site.place == Place.FLOW:
                found = tuple(target for target in found if target != own)
            if found:
                yield Site(found, site.via, site.place, site.why)

    def _path(self, name: str) -> str:
        return self._paths[self._modules[name]]

    def _link(self, name: str) -> Link:
        return Link(self._label(name), name)

    def chain(self, name: str) -> tuple[Link, ...]:
        """The whole chain by which heat reached a function, by key; empty for a cold one."""
        found = self._reached.get(name)
        return self._chain(found) if found is not None else ()

    def _chain(self, found: Reached) -> tuple[Link, ...]:
        passed: list[Link] = []
        while found.before is not None:
            passed.append(self._link(found.key))
            found = found.before
        return (*found.start, *reversed(passed))

    def callers(self, name: str) -> list[tuple[str, bool]]:
        """Keys of the functions that may run a function, and whether only behind a gate."""
        found: dict[str, bool] = {}
        for caller, sites in self._sites.items():
            for targets, _, place, _ in sites:
                if name in targets:
                    found[caller] = found.get(caller, True) and place == Place.GATED
        return sorted(found.items())

    def name_of(self, key: str) -> tuple[str, str]:
        """Key of the module that a function's key belongs to, and the function's name in paths."""
        module = self._modules[key]
        return module, key[len(module) :]

    def _label(self, name: str) -> str:
        return label(self._functions[name].name)


# How the compiler gets from one function to the next.
_TRACED: Final = frozenset({int(Via.CALL), int(Via.NAME), int(Via.READ)})


def label(name: str) -> str:
    """A function's name as it is shown: ``Model.forward`` for ``.Model.forward``."""
    return _NUMBER.sub(">", name[1:]) if ">" in name else name[1:]


def _cold(function: FunctionSummary, path: str) -> str:
    """Why a function that no heat reaches is cold."""
    if function.cold:
        return function.cold
    if function.hot_loop:
        return f"outside of the hot loop: {path}{function.hot_loop}"
    return _NOTHING if function.name else "runs at import"


def _index(member: Member) -> ModuleIndex:
    summary = member.summary
    return ModuleIndex(
        member.name,
        member.folder,
        {function.name: function.returns for function in summary.functions if function.name},
        {cls.name: cls for cls in summary.classes},
        dict(summary.names),
        summary.stars,
        summary.patches,
        summary.handed,
        {function.name: function.takes for function in summary.functions if function.takes},
        dict(summary.gives),
    )


def _chain(links: tuple[Link, ...]) -> str:
    texts = [link.text for link in links]
    if len(texts) > _LONGEST_CHAIN:
        texts[2 : len(texts) - (_LONGEST_CHAIN - 3)] = ["..."]
    return " -> ".join(texts)
