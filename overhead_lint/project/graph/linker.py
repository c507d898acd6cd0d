"""What functions are for what their project says of them, where their calls lead, and what files are told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.effects.lookup import is_described
from overhead_lint.analysis.graph.frequency import SAME
from overhead_lint.analysis.graph.function_names import generator_of, label
from overhead_lint.analysis.graph.offer import OfferedBy, OfferKind
from overhead_lint.analysis.vocabulary import ASKING_MODELS
from overhead_lint.analysis.words import words
from overhead_lint.api.heat_reasons import ReasonKind
from overhead_lint.project.class_seeds import cold_by_class, hot_by_class
from overhead_lint.project.classes import may_be_module
from overhead_lint.project.cross_file import (
    NOTHING_TOLD,
    Dependencies,
    Told,
)
from overhead_lint.project.file_summary import NOT_ASKED
from overhead_lint.project.graph.kind_paths import KindPaths
from overhead_lint.project.graph.project_tables import Tables, compressed, decompressed
from overhead_lint.project.graph.resolver import Resolver
from overhead_lint.project.graph.traits import Site, Traits
from overhead_lint.project.path_syntax import ANY_INSTANCE, is_outside
from overhead_lint.project.via import VIA_CALL, VIA_ROLE, Via
from overhead_lint.rule import Heat, Warmth

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from overhead_lint.project.file_summary import CallSite
    from overhead_lint.project.graph.by_name import Handed
    from overhead_lint.project.graph.kind_paths import Passes
    from overhead_lint.project.graph.member import Member, Override
    from overhead_lint.project.module_index import Module

__all__ = ["Linker"]

Plain = tuple[Any, ...]

# By their numbers: to call the enumeration takes longer.
_VIAS: Final = tuple(Via)


class Linker:
    """Tells it of one file after the other.

    Args:
        modules: what they can be asked for by name, by key.
        settings: the global settings that modules make, by their keys: names, texts, places.
        override: gives the heat that settings have for a function, with the reason.
        tables: what was found out before of all modules, which are not asked for it then.
    """

    def __init__(
        self,
        modules: Mapping[str, Module],
        settings: dict[str, list[tuple[str, str, str]]],
        override: Override | None,
        tables: Tables | None = None,
    ) -> None:
        self._resolver = Resolver(modules, tables)
        self._kinds = KindPaths(self._resolver, modules, tables)
        self._modules = modules
        self._settings = settings
        self._override = override

    def plain_tables(self) -> Plain:
        """What was found out of all modules, and what these say of the project: as few bytes as may be."""
        return tuple(map(compressed, (*_tables(self._resolver, self._kinds), self._settings)))

    def pass_otherwise(self, module: str, before: Passes, now: Passes) -> frozenset[str] | None:
        """See `KindPaths.pass_otherwise`."""
        return self._kinds.pass_otherwise(module, before, now)

    def hand_otherwise(self, module: str, now: Handed) -> frozenset[str]:
        """See `ByName.hand_otherwise`."""
        return self._resolver.by_names.hand_otherwise(module, now)

    def with_given(self, plain: Plain) -> Plain:
        """Tables that `plain_tables` gave, with what calls pass and hand over as it is known now."""
        found = list(plain)
        for name, table in (("passed", self._kinds.passed), ("handed", self._resolver.by_names.handed)):
            found[Tables._fields.index(name)] = compressed(table)
        return tuple(found)

    @classmethod
    def of(cls, modules: Mapping[str, Module], plain: Plain, override: Override | None) -> Linker:
        """What tells it by tables that `plain_tables` gave."""
        *tables, settings = map(decompressed, plain)
        return cls(modules, settings, override, Tables(*tables))

    def judged(
        self, member: Member, module: str, traits: Mapping[str, Traits]
    ) -> Iterator[tuple[str, Traits]]:
        """What the functions of a file are, by key, with what settings and classes say of them.

        Args:
            member: the file.
            module: its key.
            traits: what functions are for what their file says, by key.
        """
        for own, known in traits.items():
            name = own[len(module) :]
            said = self._override(member, generator_of(name)) if self._override else None
            yield own, _judged(own, name, known, said, self._resolver)

    def sites(
        self, module: str, calls: Iterable[tuple[str, Iterable[CallSite]]]
    ) -> Iterator[tuple[str, tuple[Site, ...]]]:
        """For each function of a module that leads to others, by key, the places where it does.

        Args:
            module: its key.
            calls: those of its functions, by name in paths.
        """
        for name, its in calls:
            sites = tuple(_resolved(self._resolver, module, name, its))
            if sites:
                yield module + name, sites

    def told(
        self, module: str, dependencies: Dependencies, calls: Iterable[tuple[str, Iterable[CallSite]]]
    ) -> Told:
        """What a module is told of others, but for what of its functions these compile.

        Args:
            module: its key.
            dependencies: what it seeks of others.
            calls: those of its functions, by name in paths.
        """
        aliases = tuple(self._aliases(module, calls))
        if not (dependencies or aliases):
            return NOTHING_TOLD
        settings: tuple[tuple[str, str, str], ...] = ()
        if dependencies.settings:
            made, related = self._settings, self._resolver.are_related
            settings = tuple([one for where in made if related(module, where) for one in made[where]])
        return Told(self._kinds.told(module, dependencies), settings, aliases)

    def _aliases(
        self, module: str, calls: Iterable[tuple[str, Iterable[CallSite]]]
    ) -> Iterator[tuple[str, str]]:
        """Yield names that a module has from others, each with the API of a library that it is there.

        That is what it imports, and what it calls of modules that it imports: ``compat.autocast()``. A
        library of which nothing is known is left out: its names tell no more than those of the project do.
        """
        called = {site.target for _, its in calls for site in its}
        for path in sorted({*self._modules[module].names.values(), *called}):
            if path[:1].isalpha() and path.replace(".", "").isidentifier():
                found = self._resolver.follower.follow(module, path)
                if found is None or found.what != "outside" or found.key == path or found.others:
                    continue
                if is_outside(found.key) or is_described(found.key):
                    yield path, found.key

    def forget(self) -> None:
        """Forget what was found out along the way: of a large project that is much to remember."""
        self._resolver.forget()
        self._kinds.forget()

    def release(self) -> None:
        """Let go of what refers back to it; no call is followed then."""
        self._resolver.release()


# What many classes do that are no modules: features, templates, texts.
_GENERATING: Final = frozenset({"generate"})


def _judged(own: str, name: str, traits: Traits, said: Warmth | None, resolver: Resolver) -> Traits:
    """What a function is, with the reasons to be hot or cold that settings or its class give it."""
    if said is not None:
        if said.heat is Heat.COLD:
            return traits._replace(hot="", by_word=False, cold=said.begins, kind=int(said.kind))
        return traits._replace(hot=said.begins, by_word=False, cold="", kind=int(said.kind), naming=NOT_ASKED)
    if traits.offered_by == OfferedBy.PACKAGE:
        package = resolver.follower.offering(own)
        traits = traits._replace(package=package, offer=traits.offer if package else int(OfferKind.NONE))
    hot, kind, cold = traits.hot, traits.kind, traits.cold
    cls, _, method = own.rpartition(".")
    shown = label(name)
    by_name = ASKING_MODELS.intersection(words(shown))
    around = own.partition(".<locals>")[0].rpartition(".")[0]
    asks = bool(by_name) and not (by_name == _GENERATING and _is_no_module(around, resolver))
    if hot and kind == ReasonKind.MODULE and _is_no_module(cls, resolver):
        hot, kind = "", 0  # its file took it for one by its ``forward``, for a base class of another file
    if not hot and resolver.families.is_class(cls):
        bases = resolver.families.ancestors(cls)
        reason = hot_by_class(shown, method, bases)
        if reason is not None:
            hot, kind, cold = reason.text, int(reason.kind), ""
        elif not cold:
            cold = cold_by_class(method, bases)
    if (hot, cold, asks) == (traits.hot, traits.cold, traits.asks):
        return traits
    return traits._replace(hot=hot, kind=kind, cold=cold, asks=asks)


def _is_no_module(cls: str, resolver: Resolver) -> bool:
    """Whether a class of the project is no module by all that it derives from."""
    return resolver.families.is_class(cls) and not may_be_module(resolver.families.ancestors(cls))


def _resolved(resolver: Resolver, module: str, name: str, calls: Iterable[CallSite]) -> Iterator[Site]:
    own = module + name
    itself = name.rpartition(".")[0] + ANY_INSTANCE
    for site in calls:
        via = VIA_CALL if site.via == VIA_ROLE else _VIAS[site.via]
        found = resolver.functions_of(module, site.target, via)
        others = resolver.others_of(module, site.target) if via is VIA_CALL else ()
        if len(found) > 1 and site.target.startswith(itself):
            found = resolver.families.running(generator_of(own), found)
        if own in found and site.frequency == SAME:
            found = tuple(target for target in found if target != own)
        if found:
            yield Site(found, *site[1:])
        others = tuple(target for target in others if target not in found and target != own) if others else ()
        if others:
            yield Site(others, int(VIA_ROLE), *site[2:])


def _tables(resolver: Resolver, kinds: KindPaths) -> Tables:
    """The tables of a project that is known in whole.

    Args:
        resolver: follows its paths.
        kinds: tells what its paths stand for.
    """
    bases, heirs = resolver.families.tables()
    methods, patched, handed, related = resolver.by_names.tables()
    return Tables(bases, heirs, methods, patched, handed, kinds.passed, related)
