"""From summaries of files to the heat of their functions."""

from __future__ import annotations

import marshal
import re
import sys
import zlib
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.project.by_name import REMEMBERED
from overhead_lint.project.compiled_reach import compiled_functions, eager_too
from overhead_lint.project.edges import Via
from overhead_lint.project.kind_paths import KindPaths
from overhead_lint.project.left_alone import leave_alone, left_alone
from overhead_lint.project.module_index import ClassSummary, Functions, ModuleIndex, module_of
from overhead_lint.project.paths import ANY_INSTANCE, SPELLED
from overhead_lint.project.placement import Place
from overhead_lint.project.private import left_packages, private_package
from overhead_lint.project.resolved import Resolved, packed, unpacked
from overhead_lint.project.resolver import Resolver
from overhead_lint.project.seeds import cold_by_class, hot_by_class
from overhead_lint.project.shared import Shared
from overhead_lint.project.spread import Link, Reached, Site, Spread, Traits, named, unnamed
from overhead_lint.project.support import Supporters, traced_by_users
from overhead_lint.project.told import COMPILED, EAGER, KINDS, SETTINGS, TRACED, told_kinds, told_settings
from overhead_lint.rule import Heat, Warmth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from overhead_lint.project.member import Member, Override
    from overhead_lint.project.summary import CallSite, FileSummary, FunctionSummary

__all__ = ["NOT_IMPORTED", "SET_COLD", "Graph", "Link", "label", "traits_of"]

SET_COLD: Final = "cold by the settings"
"""What the reasons of functions that settings make cold begin with: hot loops in them count for nothing."""

NOT_IMPORTED: Final = "nothing imports"
"""What the reasons of functions in packages that nobody runs begin with."""

_NOTHING: Final = "nothing shows that it runs in a step"
_LONGEST_CHAIN: Final = 6
_NUMBER: Final = re.compile(r" \d+>")


class Graph:
    """Functions with resolved calls between them, and the heat that flows along these.

    Args:
        members: the files, by a key that is unique among them.
        override: gives the heat that settings have for a function, with the reason.
        until: asked when all calls are followed but those of which an earlier graph found out where they
            lead; if it says so, that is all, and no heat flows.

    Attributes:
        is_whole: whether heat flows in it.
    """

    def __init__(
        self,
        members: Mapping[str, Member],
        override: Override | None = None,
        until: Callable[[Graph], bool] | None = None,
    ) -> None:
        # Keys of functions begin with that of their module: tens of thousands, so it is a short one here.
        self._short = {key: f"{number:x}:" if key else "" for number, key in enumerate(members)}
        self._long = {short: key for key, short in self._short.items()}
        self._paths = {self._short[key]: member.path for key, member in members.items()}
        self._traits: dict[str, Traits] = {}
        self._told: dict[str, dict[str, str]] = defaultdict(dict)
        self._sites: dict[str, tuple[Site, ...]] = {}
        self._keys: dict[str, tuple[str, ...]] = {}
        self._support: dict[str, str] = {}
        # What all calls pass takes as much as all else: it is gone before that, unless it may not matter.
        self._left_alone = self._left(members) if until is None else {}
        known = {key for key, member in members.items() if member.content.is_resolved()}
        self._resolve(members, override, known)
        self._reached: dict[str, Reached] = {}
        self.is_whole = until is None or not until(self)
        if self.is_whole:
            if until is not None:
                self._left_alone = self._left(members)
            self._take(members, known)
            before = leave_alone(self._sites, self._left_alone)
            self._reached = Spread(self._traits, self._sites, self._label, self._path).all()
            self._sites.update(before)

    def _left(self, members: Mapping[str, Member]) -> dict[str, dict[str, str]]:
        """For each module the options that it asks about which nobody passes, by their numbers."""
        return {self._short[key]: left for key, left in left_alone(members).items()}

    def _resolve(self, members: Mapping[str, Member], override: Override | None, known: set[str]) -> None:
        """Find out which functions there are, and which of them run which.

        Of those in `known` it is known already which they run.

        What is needed for that only is as much again as what it gives: all of it ends with this method.
        """
        shared = Shared()
        indexes = {}
        returns: dict[str, str] = {}
        imports: dict[str, tuple[str, ...]] = {}
        shown = {}
        made: dict[str, list[tuple[str, str, str]]] = {}
        for key, member in members.items():
            summary, module = member.content.summary(), self._short[key]
            if summary.support:
                shown[member.name] = f"{member.path} {summary.support}"
            if summary.settings:
                made[module] = [
                    (name, text, f"{member.path}:{line}") for name, text, line in summary.settings
                ]
            if summary.private:
                imports[member.name] = summary.private
            indexes[module] = _index(member, summary, shared, Functions(module, self._traits, returns))
            keys = [sys.intern(module)]
            for function in summary.functions:
                keys.append(sys.intern(module + function.name))
                self._traits[keys[-1]] = shared.one(Traits(*traits_of(function)))
                if function.returns:
                    returns[keys[-1]] = shared.one(function.returns)
            self._keys[module] = tuple(dict.fromkeys(keys))
        shared = Shared()  # what indexes share is nothing that traits and sites do
        left = left_packages({member.name for member in members.values()}, imports)
        supporters = Supporters(shown)
        self._support = {
            self._short[key]: why for key, member in members.items() if (why := supporters.of(member.name))
        }
        resolver = Resolver(indexes)
        kinds = KindPaths(resolver, indexes)
        for number, (key, member) in enumerate(members.items(), 1):
            private = private_package(member.name) if left else ""
            unused = (
                Warmth(Heat.COLD, f"{NOT_IMPORTED} {private}, a private package") if private in left else None
            )
            for own in self._keys[self._short[key]] if key not in known else ():
                name = own[len(module_of(own)) :]
                said = (override(member, name) if override else None) or unused
                self._traits[own] = shared.one(_judged(own, name, self._traits[own], said, resolver))
            if number % REMEMBERED == 0:
                resolver.forget()
        resolver.forget()
        unknown = {key: member for key, member in members.items() if key not in known}
        for number, (key, member) in enumerate(unknown.items(), 1):
            module = self._short[key]
            for name, calls in member.content.calls():
                sites = []
                for targets, via, place, why in _resolved(resolver, module, name, calls):
                    sites.append(shared.one(Site(shared.one(targets), via, place, shared.one(why))))
                if sites:
                    self._sites[sys.intern(module + name)] = tuple(sites)
            sought = member.content.sought()
            if sought:
                told = told_kinds(sought, {path: kinds.encoded(module, path) for path in sought})
                if told:
                    self._told[module][KINDS] = told
            if SETTINGS in sought:
                elsewhere = [
                    one for where in made if resolver.are_related(module, where) for one in made[where]
                ]
                if elsewhere:
                    self._told[module][SETTINGS] = told_settings(elsewhere)
            if number % REMEMBERED == 0:
                resolver.forget()
                kinds.forget()
                shared = Shared()  # to remember all sites would take more than they do
        resolver.release()

    def _take(self, members: Mapping[str, Member], known: set[str]) -> None:
        """Take what earlier graphs found out, in the order of the files: of equal chains one is told."""
        shared, followed = Shared(), self._sites
        if known:
            self._sites = {}
        for key, member in members.items() if known else ():
            module = self._short[key]
            if key in known:
                self._take_one(member.content.resolved(), module, shared)
                continue
            for own in self._keys[module]:
                if own in followed:
                    self._sites[own] = followed[own]

    def _take_one(self, data: tuple[Any, ...], module: str, shared: Shared) -> None:
        """Take what an earlier graph found out of a file."""
        found = unpacked(data, module, self._short, shared)
        self._traits.update(found.traits)
        self._sites.update(found.sites)
        if found.told:
            self._told[module] = found.told

    def packed(self, module: str) -> tuple[Any, ...]:
        """What was found out of a file: it holds as long as no file defines other things."""
        short = self._short[module]
        told = self._told.get(short, {})
        return packed(self._keys[short], Resolved(self._traits, self._sites, told), self._long.__getitem__)

    def key(self, module: str, name: str) -> str:
        """The key of a function of a module, by its name in paths."""
        return self._short.get(module, module) + name

    def warmths(self, module: str) -> dict[str, Warmth]:
        """Heat of the functions of a module at their top level, by name in paths."""
        short = self._short.get(module)
        if short is None:
            return {}
        found: dict[str, Warmth] = {}
        for key in self._keys[short]:
            name = key[len(short) :]
            reached = self._reached.get(key)
            if reached is not None:
                found[name] = Warmth(reached.heat, _chain(self._chain(reached)))
            else:
                found[name] = Warmth(Heat.COLD, _cold(name, self._traits[key], self._paths[short]))
        compiled = self._compiled_elsewhere.get(short)
        if compiled:
            found[COMPILED] = Warmth(Heat.COLD, "|".join(compiled))
        for option in self._left_alone.get(short, {}).values():
            found[option] = Warmth(Heat.COLD, f"nobody passes {option.split(':')[1]}")
        for what, text in self._told.get(short, {}).items():
            found[what] = Warmth(Heat.COLD, text)
        if short in self._traced:
            found[TRACED] = Warmth(Heat.COLD, "|".join((self._support[short], *self._traced[short])))
        return found

    @cached_property
    def _traced(self) -> dict[str, list[str]]:
        """For each module its functions, by name in paths, that users compile."""
        by_module: dict[str, list[str]] = defaultdict(list)
        for key in sorted(traced_by_users(self._traits, self._sites, self._support)):
            module = module_of(key)
            by_module[module].append(key[len(module) :])
        return by_module

    @cached_property
    def _compiled_elsewhere(self) -> dict[str, list[str]]:
        """For each module its functions, by name in paths, that are compiled by way of other modules.

        `EAGER` stands behind those that steps run outside of compiled code as well.
        """
        known = compiled_functions(self._traits, self._sites, within=True)
        compiled = compiled_functions(self._traits, self._sites, within=False)
        by_module: dict[str, list[str]] = defaultdict(list)
        eager = eager_too(compiled, self._traits, self._sites, self._reached)
        for key in sorted(compiled - known):
            module = module_of(key)
            by_module[module].append(key[len(module) :] + (EAGER if key in eager else ""))
        return by_module

    def _path(self, name: str) -> str:
        return self._paths[module_of(name)]

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
        return sorted(found.items(), key=lambda item: "".join(self.name_of(item[0])))

    def name_of(self, key: str) -> tuple[str, str]:
        """Key of the module that a function's key belongs to, and the function's name in paths."""
        module = module_of(key)
        return self._long[module], key[len(module) :]

    def _label(self, name: str) -> str:
        return label(name[len(module_of(name)) :])


def label(name: str) -> str:
    """A function's name as it is shown: ``Model.forward`` for ``.Model.forward``."""
    return _NUMBER.sub(">", name[1:]) if ">" in name else name[1:]


def _cold(name: str, traits: Traits, path: str) -> str:
    """Why a function that no heat reaches is cold."""
    if traits.cold:
        return named(traits.cold, label(name))
    if traits.hot_loop:
        return f"outside of the hot loop: {path}{traits.hot_loop}"
    return _NOTHING if name else "runs at import"


def traits_of(function: FunctionSummary) -> tuple[str, str, bool, str, str, str]:
    """The values of a function's `Traits`."""
    _, hot, cold, tensors, offered, hot_loop, _, _, compiler, _ = function
    shown = label(function.name)
    return unnamed(hot, shown), unnamed(cold, shown), tensors, offered, hot_loop, compiler


def _judged(own: str, name: str, traits: Traits, said: Warmth | None, resolver: Resolver) -> Traits:
    """What a function is, with the reasons to be hot or cold that settings or its class give it."""
    if said is not None:
        if said.heat is Heat.COLD:
            return traits._replace(hot="", cold=said.why)
        return traits._replace(hot=said.why, cold="")
    hot, cold = traits.hot, traits.cold
    cls, _, method = own.rpartition(".")
    if not hot and resolver.families.is_class(cls):
        bases, shown = resolver.families.ancestors(cls), label(name)
        hot = unnamed(hot_by_class(shown, method, bases), shown)
        if hot:
            cold = ""
        elif not cold:
            cold = unnamed(cold_by_class(shown, method, bases), shown)
    return traits if (hot, cold) == (traits.hot, traits.cold) else traits._replace(hot=hot, cold=cold)


def _resolved(resolver: Resolver, module: str, name: str, calls: Iterable[CallSite]) -> Iterator[Site]:
    own = module + name
    itself = name.rpartition(".")[0] + ANY_INSTANCE
    for site in calls:
        found = resolver.functions_of(module, site.target, Via(site.via))
        if len(found) > 1 and site.target.startswith(itself):
            found = resolver.families.running(own, found)
        if not found and (site.via == Via.CALL or site.target.startswith(SPELLED)):
            played = resolver.playing(module, site.target)
            if played:
                yield Site(played, int(Via.ROLE), site.place, site.why)
        if own in found and site.place == Place.FLOW:
            found = tuple(target for target in found if target != own)
        if found:
            yield Site(found, site.via, site.place, site.why)


def _index(member: Member, summary: FileSummary, shared: Shared, functions: Functions) -> ModuleIndex:
    return ModuleIndex(
        member.name,
        member.folder,
        functions,
        {cls.name: ClassSummary(cls.name, *map(shared.texts, cls[1:])) for cls in summary.classes},
        {shared.one(name): shared.one(path) for name, path in summary.names},
        shared.texts(summary.stars),
        summary.patches,
        summary.handed,
        {function.name: shared.texts(function.takes) for function in summary.functions if function.takes},
        zlib.compress(marshal.dumps(summary.gives), 1) if summary.gives else b"",
        marshal.dumps(summary.passed) if summary.passed else b"",
    )


def _chain(links: tuple[Link, ...]) -> str:
    texts = [link.text for link in links]
    if len(texts) > _LONGEST_CHAIN:
        texts[2 : len(texts) - (_LONGEST_CHAIN - 3)] = ["..."]
    return " -> ".join(texts)
