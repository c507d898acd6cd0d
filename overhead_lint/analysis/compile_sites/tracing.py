"""Follows what compiled code runs, as Dynamo does, and counts the guards that it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.compile_sites.frames import Frame
from overhead_lint.analysis.compile_sites.layer_guards import LAYER_GUARDS, UNKNOWN_LAYER
from overhead_lint.analysis.compile_sites.readings import Readings
from overhead_lint.analysis.compile_sites.sites import method_of
from overhead_lint.analysis.compile_sites.ways import Tally, Way
from overhead_lint.analysis.ir.opcodes import CALL
from overhead_lint.analysis.values.holders import Container
from overhead_lint.analysis.values.lattice import Value
from overhead_lint.analysis.values.symbols import Api, Instance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from overhead_lint.analysis.compile_sites.lengths import Lengths
    from overhead_lint.analysis.compile_sites.sites import Entry
    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.symbols import Body, FunctionSymbol

__all__ = ["Tracer", "traced"]


_DEEPEST: Final = 24
_DISABLING: Final = frozenset({"torch._disable_dynamo", "torch._dynamo.disable", "torch.compiler.disable"})
_HOOKS: Final = 5
"""Global hooks of modules, and the module of torch that holds them."""


def traced(entry: Entry, values: Values, lengths: Lengths, place: tuple[Body, int]) -> Tally:
    """Return what a call of the compiled form of something is guarded on.

    Args:
        entry: what is compiled.
        values: the project's.
        lengths: of its containers.
        place: where it is compiled.
    """
    tracer = Tracer(values, lengths)
    if entry.function is None:
        tracer.call_module(Way("self", 1, entry.receiver), (), 0, place)
        return tracer.tally
    ways: dict[int, Way] = {}
    if entry.receiver.bits:
        ways[0] = Way("self", 1, entry.receiver)
        tracer.tally.add("self", 1)
    tracer.run(entry.function, ways, 0, is_entry=True)
    return tracer.tally


class Tracer(Readings):
    """Follows calls, with the ways by which their objects were read."""

    def __init__(self, values: Values, lengths: Lengths) -> None:
        super().__init__(values, lengths)
        self._seen: set[tuple[FunctionSymbol, tuple[tuple[int, str], ...]]] = set()
        self._around: set[Instance | Container] = set()

    def run(
        self, function: FunctionSymbol, ways: Mapping[int, Way], depth: int, *, is_entry: bool = False
    ) -> None:
        """Follow a function.

        Args:
            function: it.
            ways: how what its parameters are given was read, by their places.
            depth: how many calls lead to it.
            is_entry: whether it is what is compiled, so that its parameters are guarded themselves.
        """
        key = function, tuple(sorted((place, way.path) for place, way in ways.items()))
        if depth > _DEEPEST or key in self._seen or _is_left_out(function):
            return
        self._seen.add(key)
        self.tally.functions[function] = None
        Frame(self, self.run, self.call_module, function.body, ways, depth).follow(is_entry=is_entry)

    def call_module(self, way: Way, given: Sequence[Way | None], depth: int, place: tuple[Body, int]) -> None:
        """Follow a call of a module, or of each of several."""
        tally = self.tally
        tally.add("module hooks", _HOOKS)
        tally.modules[way.path] = way.number
        kinds = [one for one in way.value.references if isinstance(one, (Instance, Container))]
        for one in kinds:
            part = Way(way.path, way.number / len(kinds), Value(way.value.bits, (one,)))
            if one in self._around:
                continue  # it was put into itself: ``chain = nn.Sequential(chain)``
            if isinstance(one, Container):
                self._around.add(one)
                self._call_chain(part, one, given, depth, place)
                self._around.discard(one)
            elif isinstance(one.cls, Api):
                self._call_layer(part, one.cls)
            else:
                tally.add(f"{way.path}.__dict__", way.number)
                forward = method_of(one.cls, "forward")
                if forward is not None:
                    ways = {
                        0: part,
                        **{place + 1: item for place, item in enumerate(given) if item is not None},
                    }
                    self.run(forward, ways, depth + 1)

    def _call_layer(self, way: Way, cls: Api) -> None:
        name = cls.path.rpartition(".")[2]
        self.tally.add(f"torch.nn.{name}", 1)
        self.tally.add("torch.nn.functional", 2)
        guards = LAYER_GUARDS.get(name, UNKNOWN_LAYER)
        self.tally.add(f"{way.path}: {name}", (guards - 1) * way.number)

    def _call_chain(
        self,
        way: Way,
        chain: Container,
        given: Sequence[Way | None],
        depth: int,
        place: tuple[Body, int],
    ) -> None:
        """Follow ``nn.Sequential``, which goes over what it holds."""
        self.tally.add(f"{way.path}.forward", way.number)
        if chain.parts and not chain.grows.value.bits:
            self.tally.add(f"keys of {way.path}", way.number * len(chain.parts))
            self.tally.lists[way.path] = len(chain.parts)
            self.tally.places.setdefault(way.path, place)
            for number, slot in enumerate(chain.parts):
                part = way.item(f"[{number}]", 1, slot.value)
                self.read(part)
                self.call_module(part, given, depth, place)
            return
        item = self.each(way, chain, place)
        self.read(item)
        self.call_module(item, given, depth, place)


def _is_left_out(function: FunctionSymbol) -> bool:
    """Whether a decorator keeps the compiler out of a function."""
    around = function.body.parent
    for at in function.body.record.decorators if around is not None else ():
        assert around is not None
        made = around.record.operand[at] if around.record.code[at] == CALL else at
        if any(isinstance(one, Api) and one.path in _DISABLING for one in around.values[made].references):
            return True
    return False
