"""From summaries of files to the heat of their functions."""

from __future__ import annotations

import gc
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.graph.frequency import SAME
from overhead_lint.project.cross_file import NOTHING_TOLD, Told
from overhead_lint.project.graph.asked_options import options_asked_about
from overhead_lint.project.graph.by_name import REMEMBERED
from overhead_lint.project.graph.chains import Chains, Link
from overhead_lint.project.graph.compile_support import Supporters
from overhead_lint.project.graph.interning import Interner
from overhead_lint.project.graph.left_options import Standings, off, standings, told_of_options
from overhead_lint.project.graph.linker import Linker
from overhead_lint.project.graph.numbered_graph import HEAT, HEAT_BITS, flattened
from overhead_lint.project.graph.project_tables import compressed, decompressed
from overhead_lint.project.graph.resolved import Resolved, packed, unpacked
from overhead_lint.project.graph.sites import Sites
from overhead_lint.project.graph.stored_graph import ModuleTable, StoredGraph, flowed
from overhead_lint.project.graph.stored_modules import indexed
from overhead_lint.project.graph.traits import Site, Traits
from overhead_lint.project.module_index import Functions, module_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from overhead_lint.analysis.graph.option import Option
    from overhead_lint.analysis.options.shipped import Shipped
    from overhead_lint.project.file_summary import FunctionSummary
    from overhead_lint.project.graph.member import Member, Override
    from overhead_lint.rule import Warmth

__all__ = ["Graph", "traits_of"]

# Of so many files Python sets aside megabytes of what it may use again, and holds what lies between.
_LARGE: Final = 400


class Graph:
    """Functions with resolved calls between them, and the heat that flows along these.

    Args:
        members: the files, by a key that is unique among them.
        override: gives the heat that settings have for a function, with the reason.
        shipped: what settings files that ship with the project have for options.
        until: asked when all calls are followed but those of which an earlier graph found out where they
            lead; if it says so, that is all, and no heat flows.
        keep: given what later runs go by as `marshal` takes it, by a word for it, as soon as it is known.

    Attributes:
        is_whole: whether heat flows in it.
    """

    def __init__(
        self,
        members: Mapping[str, Member],
        override: Override | None = None,
        until: Callable[[Graph], bool] | None = None,
        *,
        shipped: Iterable[Shipped] = (),
        keep: Callable[[str, tuple[Any, ...]], None] | None = None,
    ) -> None:
        # Keys of functions begin with that of their module: tens of thousands, so it is a short one here.
        self._short = {key: f"{number:x}:" if key else "" for number, key in enumerate(members)}
        self._long = {short: key for key, short in self._short.items()}
        self._modules = {short: number for number, short in enumerate(self._long)}
        self._names = (
            [member.name for member in members.values()],
            [member.folder for member in members.values()],
        )
        self._paths = {self._short[key]: member.path for key, member in members.items()}
        self._keep = keep
        self._shipped = shipped
        self._functions: dict[str, Traits] = {}  # what they are, by key, in the order of the files
        self._told: dict[str, Told] = {}
        self._sites = Sites()
        self._keys: dict[str, tuple[str, ...]] = {}
        self._support: dict[str, str] = {}
        # What all calls pass takes as much as all else: it is gone before that, unless it may not matter.
        # Of tens of thousands of options few are asked for again: beside their numbers they are compressed.
        self._left_alone: dict[str, tuple[bytes, ...]] = {}
        self._shut: dict[str, Standings] = {}
        is_large = len(members) >= _LARGE
        if until is None:
            self._take_left(members)
        if is_large:
            gc.collect()
        known = {key for key, member in members.items() if member.content.is_resolved()}
        self._resolve(members, override, known)
        self.is_whole = until is None or not until(self)
        if is_large:
            gc.collect()
        if self.is_whole:
            if until is not None:
                self._take_left(members)
            self._take(members, known)
            self._flow()

    def _flow(self) -> None:
        """Let heat flow."""
        self._all_keys, self._traits = list(self._functions), list(self._functions.values())
        # Numbers are needed for no longer than this: tens of thousands take as much as the functions' names.
        numbers = {key: number for number, key in enumerate(self._all_keys)}
        self._flat = flattened(
            self._keys.items(), numbers, self._traits, self._sites.of_module, self._shut, self._support
        )
        del numbers
        self._flowed = flowed(self._flat)
        self._heats = bytearray(len(self._flat))
        for code in self._flowed.reached:
            self._heats[code >> HEAT_BITS] = code & HEAT

    def stored(self) -> StoredGraph:
        """The graph for later runs."""
        functions = ["\n".join([key[len(module) :] for key in keys]) for module, keys in self._keys.items()]
        support = [self._support.get(module, "") for module in self._keys]
        module_table = ModuleTable([*self._short], *self._names, support, functions)
        return StoredGraph(module_table, self._flat, self._flowed)

    def _take_left(self, members: Mapping[str, Member]) -> None:
        """Find out which of the options that modules ask about nobody passes."""
        asked = options_asked_about(members, self._shipped)
        if self._keep is not None:
            self._keep("options", asked.plain())
        for key, left in asked.left().items():
            self._shut[self._short[key]] = standings(left)
            self._left_alone[self._short[key]] = compressed(left)

    def _resolve(self, members: Mapping[str, Member], override: Override | None, known: set[str]) -> None:
        """Find out which functions there are, and which of them run which.

        What is needed for that only is as much again as what it gives: all of it ends with this method.

        Args:
            members: the files.
            override: gives the heat that settings have for a function, with the reason.
            known: those of the files of which it is known already which functions theirs run.
        """
        linker = self._linker(members, override)
        unknown = {self._short[key]: member for key, member in members.items() if key not in known}
        self._judge(linker, unknown)
        self._link(linker, unknown)
        if self._keep is not None:
            linker.forget()
            self._keep("tables", linker.plain_tables())
        linker.release()

    def _linker(self, members: Mapping[str, Member], override: Override | None) -> Linker:
        """Take the functions of all files, and make what resolves their calls."""
        shared = Interner()
        indexes = {}
        returns: dict[str, str] = {}
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
            functions = Functions(module, self._functions, returns)
            indexes[module] = indexed(member.name, member.folder, summary, functions, shared)
            keys = [module]
            for function in summary.functions:
                keys.append(module + function.name)
                self._functions[keys[-1]] = shared.one(traits_of(function))
                if function.returns:
                    returns[keys[-1]] = shared.one(function.returns)
            self._keys[module] = tuple(dict.fromkeys(keys))
        supporters = Supporters(shown)
        self._support = {
            self._short[key]: why for key, member in members.items() if (why := supporters.of(member.name))
        }
        return Linker(indexes, made, override)

    def _judge(self, linker: Linker, modules: Mapping[str, Member]) -> None:
        """Note what functions are for what settings, packages and classes say of them."""
        shared = Interner()
        for number, (module, member) in enumerate(modules.items(), 1):
            traits = {own: self._functions[own] for own in self._keys[module]}
            for own, its in linker.judged(member, module, traits):
                self._functions[own] = shared.one(its)
            if number % REMEMBERED == 0:
                linker.forget()
        linker.forget()

    def _link(self, linker: Linker, modules: Mapping[str, Member]) -> None:
        """Note where calls lead, and what files are told of others."""
        for number, (module, member) in enumerate(modules.items(), 1):
            calls = tuple(member.content.calls())
            self._sites.put(module, dict(linker.sites(module, calls)))
            told = linker.told(module, member.content.dependencies(), calls)
            if told != NOTHING_TOLD:
                self._told[module] = told
            if number % REMEMBERED == 0:
                linker.forget()

    def _take(self, members: Mapping[str, Member], known: set[str]) -> None:
        """Take what earlier graphs found out."""
        shared = Interner()
        for key, member in members.items():
            if key in known:
                self._take_one(member.content.resolved(), self._short[key], shared)

    def _take_one(self, data: tuple[Any, ...], module: str, shared: Interner) -> None:
        """Take what an earlier graph found out of a file."""
        found = unpacked(data, module, self._short, shared)
        self._functions.update(found.traits)
        self._sites.put(module, found.sites)
        if found.told != NOTHING_TOLD:
            self._told[module] = found.told

    def packed(self, module: str) -> tuple[Any, ...]:
        """What was found out of a file: it holds as long as no file defines other things."""
        short = self._short[module]
        told = self._told.get(short, NOTHING_TOLD)
        traits = {key: self._functions[key] for key in self._keys[short]}
        return packed(traits, Resolved(traits, self._sites.of_module(short), told), self._long.__getitem__)

    def key(self, module: str, name: str) -> str:
        """The key of a function of a module, by its name in paths."""
        return self._short.get(module, module) + name

    def warmths(self, module: str) -> dict[str, Warmth]:
        """Heat of the functions of a module at their top level, by name in paths."""
        short = self._short.get(module)
        if short is None:
            return {}
        found: dict[str, Warmth] = {}
        chains = Chains(self._flat, self._flowed, self)
        for number in self._flat.functions(self._modules[short]):
            found[self._all_keys[number][len(short) :]] = chains.warmth(number, self._heats[number])
        return found

    def told(self, module: str) -> Told:
        """Return what a module is told of others."""
        short = self._short.get(module)
        if short is None:
            return NOTHING_TOLD
        traced = self._traced.get(short, ())
        return self._told.get(short, NOTHING_TOLD)._replace(
            compiled=tuple(
                (name, self._flowed.compiled[number]) for name, number in self._compiled.get(short, ())
            ),
            traced=tuple(name for name, _ in traced),
            trace_evidence=self._support[short] if traced else "",
            options=told_of_options(decompressed(self._left_alone.get(short, ()))),
        )

    @cached_property
    def _traced(self) -> dict[str, list[tuple[str, int]]]:
        """For each module its functions, by name in paths, that users compile."""
        return self._by_module(self._flowed.traced)

    @cached_property
    def _compiled(self) -> dict[str, list[tuple[str, int]]]:
        """For each module its functions, by name in paths, that are compiled by way of other modules."""
        return self._by_module(self._flowed.compiled)

    def _by_module(self, functions: Iterable[int]) -> dict[str, list[tuple[str, int]]]:
        """Return the names in paths and the numbers of functions, by their modules."""
        found: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for key, number in sorted((self._all_keys[number], number) for number in functions):
            module = module_of(key)
            found[module].append((key[len(module) :], number))
        return found

    def name(self, function: int) -> str:
        """The name in paths of a function, by its number."""
        key = self._all_keys[function]
        return key[len(module_of(key)) :]

    def path(self, function: int) -> str:
        """The file of a function as reasons name it."""
        return self._paths[module_of(self._all_keys[function])]

    def traits(self, function: int) -> Traits:
        """What a function is."""
        return self._traits[function]

    def places(self, function: int) -> list[Site]:
        """For each function that a function may run, the place where it does."""
        return [site for site in self._sites.of(self._all_keys[function]) for _ in site.targets]

    def off(self, function: int) -> dict[int, Option]:
        """The options of a function's file that are off by default, by their numbers there."""
        return off(decompressed(self._left_alone.get(module_of(self._all_keys[function]), ())))

    def chain(self, key: str) -> tuple[Link, ...]:
        """The whole chain by which heat reached a function, by key; empty for a cold one."""
        if key not in self._functions:
            return ()
        number = self._all_keys.index(key)
        if not self._heats[number]:
            return ()
        return Chains(self._flat, self._flowed, self).of(number << HEAT_BITS | self._heats[number])

    def key_at(self, function: int) -> str:
        """The key of a function, by its number."""
        return self._all_keys[function]

    def callers(self, name: str) -> list[tuple[str, bool]]:
        """Keys of the functions that may run a function, and whether only behind a gate."""
        found: dict[str, bool] = {}
        for caller, sites in self._sites:
            for targets, _, frequency, *_ in sites:
                if name in targets:
                    found[caller] = found.get(caller, True) and frequency < SAME
        return sorted(found.items(), key=lambda item: "".join(self.name_of(item[0])))

    def name_of(self, key: str) -> tuple[str, str]:
        """Key of the module that a function's key belongs to, and the function's name in paths."""
        module = module_of(key)
        return self._long[module], key[len(module) :]


def traits_of(function: FunctionSummary) -> Traits:
    """What a function is by its summary."""
    return Traits(
        function.hot,
        function.kind,
        function.by_word,
        function.cold,
        function.tensors,
        function.offer,
        function.offered_by,
        "",
        function.collates,
        function.hot_loop,
        function.compiler,
        function.once,
        function.naming,
        function.trains,
        function.waits,
        function.without_gradients,
    )
