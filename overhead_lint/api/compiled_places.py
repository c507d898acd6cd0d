"""Places that compile modules whose guards grow with their layers, as plain data."""

from __future__ import annotations

from overhead_lint.tuples import NamedTuple

__all__ = ["CompiledPlace"]


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
    """

    start: tuple[int, int]
    end: tuple[int, int]
    name: str
    layers: str
    path: str
    line: int
    scalar: str
    guards: int
