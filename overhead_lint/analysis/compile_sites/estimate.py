"""How many guards a call of compiled code evaluates, by what the code reads.

Dynamo guards each object that traced code reads by the way that it was read: ``self``, an item of its list
of layers, a number that the layer holds. So the model follows these ways through the code that a compiled
form runs, each with how many objects are read so, and adds what each step of a way needs. The amounts are
those of torch 2.13; ``python benchmarks/guard_estimates.py`` compares the sums with counted guards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.compile_sites.tracing import traced
from overhead_lint.analysis.compile_sites.ways import EACH
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.analysis.compile_sites.lengths import Lengths
    from overhead_lint.analysis.compile_sites.sites import CompileSite, Entry
    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.symbols import FunctionSymbol

__all__ = ["Estimate", "Subject", "estimate"]

_GLOBAL_STATE: Final = 4


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
        scalar_ways: the ways to numbers, texts and flags that are read.
    """

    guards: int
    subjects: Sequence[Subject]
    modules: int
    scalars: int
    lists: Mapping[str, int]
    assumed: Sequence[str]
    functions: Sequence[FunctionSymbol]
    scalar_ways: Sequence[str]

    @property
    def is_heavy(self) -> bool:
        """Whether guards grow with the layers: a list of modules is gone over whose items hold scalars."""
        return bool(self.layers_with_scalars)

    @property
    def layers_with_scalars(self) -> Mapping[str, str]:
        """The lists of modules that are gone over whose items hold a number, text or flag, with one such."""
        found: dict[str, str] = {}
        for way in self.lists:
            for scalar in self.scalar_ways:
                if scalar.startswith((f"{way}{EACH}.", f"{way}[")):
                    found.setdefault(way, scalar)
        return found


def estimate(site: CompileSite, values: Values, lengths: Lengths) -> Estimate | None:
    """Return an estimate for the largest of what a place may compile; None where nobody knows what it is."""
    found = [_of_entry(entry, values, lengths) for entry in site.entries]
    return max(found, key=lambda one: one.guards) if found else None


def _of_entry(entry: Entry, values: Values, lengths: Lengths) -> Estimate:
    tally = traced(entry, values, lengths)
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
        tuple(tally.scalars),
    )
