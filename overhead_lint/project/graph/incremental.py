"""The heat of a project after an edit, from its graph before: what is another is told, and nothing else."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.project.graph.chains import Chains
from overhead_lint.project.graph.heat_flow import BY_EDGE, by_edge
from overhead_lint.project.graph.left_options import Left, standings
from overhead_lint.project.graph.numbered_graph import HEAT, HEAT_BITS, SUPPORTED, TARGET, flags_of, how
from overhead_lint.project.graph.spliced_graph import GONE, Part, Splice
from overhead_lint.project.graph.staying_waits import NO_WAIT
from overhead_lint.project.graph.stored_graph import Flowed, StoredGraph, flowed
from overhead_lint.project.graph.traits import Site, Traits
from overhead_lint.project.marked_names import mark
from overhead_lint.project.packed_warmths import Packed, packed_warmth
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from overhead_lint.analysis.graph.option import Option

__all__ = ["Changed", "Update", "UpdatedHeat"]

Plain = tuple[Any, ...]
Warmths = dict[str, Packed]

_OTHERWISE: Final = -(2**31)
"""How heat came to begin, where that cannot be, or is not said any more, in the graph as it is now."""


class Update(NamedTuple):
    """What the graph says of a file now, where that may be something else than before.

    Attributes:
        warmths: the heat of functions that is not what it was; of a file that changed, that of all of them.
        compiled: as `overhead_lint.project.cross_file.Told` has it.
        traced: the same.
        trace_evidence: the same.
    """

    warmths: Warmths
    compiled: tuple[tuple[str, bool], ...]
    traced: tuple[str, ...]
    trace_evidence: str


class Changed(NamedTuple):
    """A file whose calls are others, or may be.

    Attributes:
        before: what `Graph.packed` gave of it.
        now: what it would give now.
        left: what `AskedOptions.left` gives of it.
    """

    before: Plain
    now: Plain
    left: Left


class UpdatedHeat:
    """A graph with files as they are now, and with what came of it.

    Args:
        stored: the graph before.
        changed: the files that changed, by the numbers of their modules.
        packed: gives what `Graph.packed` gave of a file that did not, by the number of its module.
        off: gives the options of a file that are off by default, by the number of its module.

    Attributes:
        stored: the graph now; None if it has to be made anew.
    """

    def __init__(
        self,
        stored: StoredGraph,
        changed: Mapping[int, Changed],
        packed: Callable[[int], Plain],
        off: Callable[[int], Mapping[int, Option]],
    ) -> None:
        self._off = off
        self._before = stored
        self._changed = changed
        self._packed = packed
        self._packed_known: dict[int, Plain] = {}
        self._names_known: dict[int, list[str]] = {}
        self._places_known: dict[int, dict[str, int]] = {}
        self._numbers = {file: number for number, file in enumerate(stored.module_table.files)}
        names = {
            module: (stored.module_table.functions[module].split("\n"), [name for name, *_ in one.now[0]])
            for module, one in changed.items()
        }
        self._splice = Splice(stored.graph, names)
        functions = list(stored.module_table.functions)
        for module, (_, now) in names.items():
            functions[module] = "\n".join(now)
        self._module_table = stored.module_table._replace(functions=functions)
        graph = self._splice.spliced({module: self._part(module, one) for module, one in changed.items()})
        self.stored: StoredGraph | None = None
        if graph is not None:
            self.stored = StoredGraph(self._module_table, graph, flowed(graph))

    def _part(self, module: int, changed: Changed) -> Part:
        functions, homes, *_ = changed.now
        more = SUPPORTED if self._module_table.support[module] else 0
        modules = [self._numbers[home] for home in homes]
        flags, edges, known = [], [], standings(changed.left)
        for name, traits, sites in functions:
            flags.append(flags_of(name, Traits(*traits), known) | more)
            own: list[int] = []
            for targets, *rest in sites:
                bits = how(Site((), *rest), known, flags[-1])
                own += [self._number(modules[home], target) << TARGET | bits for home, target in targets]
            edges.append(own)
        return Part(flags, edges)

    def _number(self, module: int, name: str) -> int:
        return self._splice.starts[module] + self._places(module)[name]

    def _places(self, module: int) -> dict[str, int]:
        known = self._places_known.get(module)
        if known is None:
            names = self._names(module)
            known = self._places_known[module] = {name: place for place, name in enumerate(names)}
        return known

    def _names(self, module: int) -> list[str]:
        known = self._names_known.get(module)
        if known is None:
            known = self._names_known[module] = self._module_table.functions[module].split("\n")
        return known

    def updates(self) -> Iterator[tuple[int, Update]]:
        """What is to be told of modules, by their numbers, whose heat or compiled functions are others."""
        assert self.stored is not None
        graph, now = self.stored.graph, self.stored.flowed
        before = self._flowed_before()
        heats, were = (_heats(one.reached, len(graph)) for one in (now, before))
        by_module: dict[int, set[int]] = defaultdict(set)
        for module in self._changed:
            by_module[module].update(graph.functions(module))
        staying = {one for one, _ in before.staying.items() ^ now.staying.items()}
        staying |= {one for one, _ in before.by_options.items() ^ now.by_options.items()}
        otherwise = staying | before.requests ^ now.requests | before.evaluating ^ now.evaluating
        otherwise |= before.evaluations ^ now.evaluations
        for function in (*self._apart(before.reached, heats, were), *otherwise):
            by_module[graph.module(function)].add(function)
        compiled = {one for one, _ in before.compiled.items() ^ now.compiled.items()}
        modules = {*by_module, *map(graph.module, compiled | before.traced ^ now.traced)}
        chains = Chains(graph, now, self)
        for module in sorted(modules):
            found: Warmths = {}
            for function in sorted(by_module.get(module, ())):
                found[self.name(function)] = packed_warmth(*chains.warmth(function, heats[function]))
            traced = tuple(name for name, _ in self._own(module, now.traced))
            yield (
                module,
                Update(
                    found,
                    tuple((name, now.compiled[one]) for name, one in self._own(module, now.compiled)),
                    traced,
                    self._module_table.support[module] if traced else "",
                ),
            )

    def _own(self, module: int, functions: Collection[int]) -> list[tuple[str, int]]:
        """Return the names and numbers of those of some functions that a module holds."""
        assert self.stored is not None
        own = self.stored.graph.functions(module) if functions else ()
        return sorted((self.name(one), one) for one in own if one in functions)

    def _apart(self, before: Mapping[int, int], heats: bytearray, were: bytearray) -> Iterator[int]:
        """The functions that heat reaches otherwise than before."""
        assert self.stored is not None
        alike: set[int] = set()
        for code, how_now in self.stored.flowed.reached.items():  # callers stand first
            if before.get(code, _OTHERWISE) == how_now and (how_now < 0 or how_now in alike):
                alike.add(code)
        for function, (heat, was) in enumerate(zip(heats, were, strict=True)):
            if heat != was or (heat and function << HEAT_BITS | heat not in alike):
                yield function

    def _flowed_before(self) -> Flowed:
        """What came of the graph before, in numbers of now."""
        reached, compiled, *sets, staying, by_options = self._before.flowed
        function, edges, restated = self._splice.function, self._edges, self._restated
        found: dict[int, int] = {}
        for code, before in reached.items():
            number = function(code >> HEAT_BITS)
            if before <= BY_EDGE:
                edge = by_edge(before)
                now = edges[edge] if edge in edges else self._splice.edge(edge)
                before = by_edge(now) if now != GONE else _OTHERWISE
            elif before >= 0:
                caller = function(before >> HEAT_BITS)
                before = caller << HEAT_BITS | before & HEAT if caller != GONE else _OTHERWISE
            elif number in restated:
                before = _OTHERWISE
            if number != GONE:
                found[number << HEAT_BITS | code & HEAT] = before
        compiled = {function(one): eager for one, eager in compiled.items() if function(one) != GONE}
        traced, requests, evaluating, holders = ({function(one) for one in some} - {GONE} for some in sets)

        def moved(wait: int) -> int:
            return wait if wait == NO_WAIT else function(wait)

        letting = {
            function(one): function(other) for one, other in by_options.items() if function(one) != GONE
        }
        waiting = {
            function(one): (moved(in_pass), moved(in_round))
            for one, (in_pass, in_round) in staying.items()
            if function(one) != GONE
        }
        return Flowed(found, compiled, traced, requests, evaluating, holders, waiting, letting)

    @cached_property
    def _edges(self) -> dict[int, int]:
        """For edges of files that changed the same ones of now, where they are there."""
        found: dict[int, int] = {}
        graph = self._before.graph
        assert self.stored is not None
        for module, one in self._changed.items():
            now: dict[Plain, list[int]] = defaultdict(list)
            for edge, said in enumerate(_said(one.now), self.stored.graph.first[self._splice.starts[module]]):
                now[said].append(edge)
            begin, end = graph.first[graph.starts[module]], graph.first[graph.starts[module + 1]]
            said_before = list(_said(one.before))
            for said, edge in zip(said_before, range(begin, end), strict=False):
                same = now[said] if len(said_before) == end - begin else []
                found[edge] = same.pop(0) if same else GONE
        return found

    @cached_property
    def _restated(self) -> set[int]:
        """Functions of files that changed of which something else is said than before, by their numbers."""
        found = set()
        for module, one in self._changed.items():
            old = {name: traits for name, traits, _ in one.before[0]}
            for name, traits, _ in one.now[0]:
                if old.get(name) != traits:
                    found.add(self._number(module, name))
        return found

    def name(self, function: int) -> str:
        """The name in paths of a function, by its number."""
        assert self.stored is not None
        module = self.stored.graph.module(function)
        return self._names(module)[function - self._splice.starts[module]]

    def path(self, function: int) -> str:
        """The file of a function as reasons name it."""
        assert self.stored is not None
        return mark(self._module_table.files[self.stored.graph.module(function)].removesuffix(":"))

    def traits(self, function: int) -> Traits:
        """What a function is."""
        return Traits(*self._function(function)[1])

    def places(self, function: int) -> list[Site]:
        """For each function that a function may run, the place where it does."""
        return [Site(*site) for site in self._function(function)[2] for _ in site[0]]

    def off(self, function: int) -> Mapping[int, Option]:
        """The options of a function's file that are off by default, by their numbers there."""
        assert self.stored is not None
        return self._off(self.stored.graph.module(function))

    def _function(self, function: int) -> Plain:
        assert self.stored is not None
        module = self.stored.graph.module(function)
        known = self._packed_known.get(module)
        if known is None:
            changed = self._changed.get(module)
            known = changed.now if changed is not None else self._packed(module)
            self._packed_known[module] = known
        one: Plain = known[0][function - self._splice.starts[module]]
        return one


def _said(packed: Plain) -> Iterator[Plain]:
    """What is said of each edge of a file, in their order."""
    functions, homes, *_ = packed
    for name, _, sites in functions:
        for targets, *rest in sites:
            for home, target in targets:
                yield name, homes[home], target, *rest


def _heats(reached: Iterable[int], count: int) -> bytearray:
    heats = bytearray(count)
    for code in reached:
        heats[code >> HEAT_BITS] = code & HEAT
    return heats
