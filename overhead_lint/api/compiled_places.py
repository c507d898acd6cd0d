"""What a file compiles, as plain data."""

from __future__ import annotations

from typing import Final

from overhead_lint.tuples import NamedTuple

__all__ = ["NO_PLACES", "CompiledPlace", "Handed", "PlacesOfFile"]


class CompiledPlace(NamedTuple):
    """A place that compiles code which goes over layers that each hold a number, text or flag.

    Attributes:
        start: line and column (bytes of UTF-8) where the call begins; of a decorator the line of the function
            below it, and 0.
        end: where it ends; of a decorator 0, and which of the function's it is.
        name: what is compiled: a class, ``Class.method``, a function.
        layers: the way to the layers: ``self.layers``.
        path: the file that goes over them, as its project names it; "" for the file itself.
        line: the line there.
        scalar: what each holds, as the layer itself reads it: ``self.scale``.
        guards: about how many guards a call evaluates; 0 where nothing tells how many layers there are.
        by: what has it compiled because it is asked to, if that is a library: ``Trainer``.
    """

    start: tuple[int, int]
    end: tuple[int, int]
    name: str
    layers: str
    path: str
    line: int
    scalar: str
    guards: int
    by: str = ""


class Handed(NamedTuple):
    """Something of another file that a call compiles.

    Attributes:
        start: where the call begins, as `overhead_lint.analysis.ir.records.position` gives it.
        path: what it is, as `overhead_lint.project.paths` writes it.
    """

    start: int
    path: str


class PlacesOfFile(NamedTuple):
    """What a file shows by itself.

    Attributes:
        places: those that are known.
        hangs_on_others: whether it compiles something of which other files may tell more.
        entries: the functions that are compiled themselves, by where they stand, as
            `overhead_lint.analysis.ir.records.position` gives it.
        traced: those that compiled code runs, and these.
        handed: what it compiles that other files may define.
    """

    places: tuple[CompiledPlace, ...]
    hangs_on_others: bool
    entries: frozenset[int] = frozenset()
    traced: frozenset[int] = frozenset()
    handed: tuple[Handed, ...] = ()


NO_PLACES: Final = PlacesOfFile((), hangs_on_others=False)
"""Of a file that compiles nothing."""
