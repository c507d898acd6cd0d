"""How many guards a call of compiled code evaluates, by what the code reads.

Dynamo guards each object that traced code reads by the way that it was read: ``self``, an item of its list
of layers, a number that the layer holds. So the model follows these ways through the code that a compiled
form runs, each with how many objects are read so, and adds what each step of a way needs. The amounts are
those of torch 2.13; ``python benchmarks/guard_estimates.py`` compares the sums with counted guards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.compile_sites.layers import ANY_MODULE
from overhead_lint.analysis.compile_sites.tracing import traced
from overhead_lint.analysis.compile_sites.ways import EACH
from overhead_lint.analysis.values.elsewhere import elsewhere_among
from overhead_lint.analysis.values.lattice import MODULE
from overhead_lint.analysis.values.symbols import Api, Instance
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from overhead_lint.analysis.compile_sites.lengths import Lengths
    from overhead_lint.analysis.compile_sites.sites import CompileSite, Entry
    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.reference import Reference
    from overhead_lint.analysis.values.symbols import Body, FunctionSymbol

__all__ = ["Estimate", "Subject", "estimate", "is_of_library"]

_GLOBAL_STATE: Final = 4
_SEVERAL: Final = 2
_WRAPPERS: Final = ("torch.distributed.", "torch.nn.DataParallel", "torch.nn.parallel.")


class Subject(NamedTuple):
    """What guards look at, and how many do.

    Attributes:
        name: the way to it: ``self.layers[*].scale``.
        guards: how many guards look at what is found there, over all objects.
    """

    name: str
    guards: int


class Estimate(NamedTuple):
    """An estimate for one place that compiles something.

    Attributes:
        guards: how many guards a call evaluates.
        subjects: what they look at, most first.
        modules: how many modules are run.
        scalars: how many numbers, texts and flags of modules and other objects are read.
        lists: the lists of modules that are gone over, by their way, with their lengths.
        assumed: those of them whose length nothing tells.
        functions: the functions of the project that run.
        scalar_ways: the ways to numbers, texts and flags that are read, with how many there are.
        places: where each list is gone over: a body and an operation in it.
        compiled_alone: those whose items are compiled one by one.
        entry: what it is of, among what the place may compile.
        all_heavy: whether each is heavy of what the place may compile, as far as its code is known; one of
            them where all are compiled.
    """

    guards: int
    subjects: Sequence[Subject]
    modules: int
    scalars: int
    lists: Mapping[str, int]
    assumed: Sequence[str]
    functions: Sequence[FunctionSymbol]
    scalar_ways: Mapping[str, int]
    places: Mapping[str, tuple[Body, int]]
    compiled_alone: Sequence[str]
    entry: Entry
    all_heavy: bool = False

    @property
    def is_heavy(self) -> bool:
        """Whether guards grow with the layers: a list of modules is gone over whose items hold scalars."""
        return bool(self.layers_with_scalars)

    @property
    def layers_with_scalars(self) -> Mapping[str, str]:
        """The lists of modules that are gone over whose items hold a number, text or flag, with one such."""
        found: dict[str, str] = {}
        for way in [one for one in self.lists if one not in self.compiled_alone]:
            for scalar, number in self.scalar_ways.items():
                # What all items share is read once; what some of several classes hold, a few times.
                if number >= min(_SEVERAL, self.lists[way]) and scalar.startswith(
                    (f"{way}{EACH}.", f"{way}[")
                ):
                    found.setdefault(way, scalar)
        return found


def estimate(site: CompileSite, values: Values, lengths: Lengths) -> Estimate | None:
    """Return an estimate for the largest of what a place may compile; None where nobody knows what it is."""
    place = site.body, site.at
    found = [_of_entry(entry, values, lengths, place) for entry in site.entries]
    if not found:
        return None
    largest = max(found, key=lambda one: (bool(site.tested) and one.is_heavy, one.guards))
    # Of what is compiled along with a module, one heavy method is enough.
    heavy: dict[object, bool] = {}
    for entry, one in zip(site.entries, found, strict=True):
        if entry.function is None and all(map(_is_any_module, entry.receiver.references)):
            continue  # nobody knows what that runs
        key = entry.receiver.references if entry.receiver.bits & MODULE else entry
        heavy[key] = heavy.get(key, False) or one.is_heavy
    enough = any if site.tested else all
    return largest._replace(all_heavy=bool(heavy) and enough(heavy.values()))


def is_of_library(entry: Entry) -> bool:
    """Whether what an entry compiles is surely a library's: no file of the project adds guards to it."""
    return entry.function is None and not any(
        not isinstance(one, Instance)
        or not isinstance(one.cls, Api)
        or _is_any_module(one)
        or elsewhere_among(one.cls.value)
        for one in entry.receiver.references
    )


def _is_any_module(held: Reference) -> bool:
    """Whether something may be any module, or runs another that it holds."""
    if not isinstance(held, Instance) or not isinstance(held.cls, Api):
        return False
    return held.cls.path == ANY_MODULE or held.cls.path.startswith(_WRAPPERS)


def _of_entry(entry: Entry, values: Values, lengths: Lengths, place: tuple[Body, int]) -> Estimate:
    tally = traced(entry, values, lengths, place)
    subjects = [Subject(name, round(guards)) for name, guards in tally.guards.items()]
    subjects.sort(key=lambda one: -one.guards)
    return Estimate(
        _GLOBAL_STATE + round(sum(tally.guards.values())),
        tuple(subjects),
        round(sum(tally.modules.values())),
        round(sum(tally.scalars.values())),
        dict(tally.lists),
        tuple(tally.assumed),
        tuple(tally.functions),
        {way: round(number) for way, number in tally.scalars.items()},
        dict(tally.places),
        tuple(tally.compiled_alone),
        entry,
    )
