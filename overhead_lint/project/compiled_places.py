"""Which places of a file compile modules whose guards grow with their layers, by values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.compile_sites.estimate import estimate
from overhead_lint.analysis.compile_sites.lengths import Lengths
from overhead_lint.analysis.compile_sites.sites import CompileSite, Spelling, compile_sites
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE
from overhead_lint.analysis.ir.records import COLUMN_BITS, line_of
from overhead_lint.analysis.values.project import solve
from overhead_lint.analysis.values.symbols import Api
from overhead_lint.api.compiled_places import CompiledPlace
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from overhead_lint.analysis.ir.records import FileIR
    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["PlacesOfFile", "compiled_places", "places_of_file"]


_OTHERS: Final = frozenset({"re", "regex", "torch"})
"""Modules with a function called compile, of which it is known what they compile."""


class PlacesOfFile(NamedTuple):
    """What a file shows by itself.

    Attributes:
        places: those that are known.
        hangs_on_others: whether it compiles something of which other files may tell more.
    """

    places: tuple[CompiledPlace, ...]
    hangs_on_others: bool


def places_of_file(record: FileIR) -> PlacesOfFile:
    """Return the places of a file that stands alone."""
    values = solve({"": record})
    places = tuple(compiled_places(values, "", {}))
    sites = [site for site in compile_sites(values) if site.is_stock]
    return PlacesOfFile(places, len(places) < len(sites) or any(map(_calls_compile, values.bodies())))


def _calls_compile(body: Body) -> bool:
    """Whether something that the file does not tell is asked to compile itself: ``net.compile()``."""
    record = body.record
    return any(
        code == ATTRIBUTE
        and record.extra[at] == "compile"
        and not any(
            isinstance(one, Api) and one.path in _OTHERS for one in body.values[record.operand[at]].references
        )
        for at, code in enumerate(record.code)
    )


def compiled_places(values: Values, module: str, paths: Mapping[str, str]) -> Iterator[CompiledPlace]:
    """Yield the places of a file.

    Args:
        values: the values of its project.
        module: its dotted name.
        paths: what files of the project are called, by their dotted names.
    """
    sites = [one for one in compile_sites(values) if one.body.module.name == module and one.is_stock]
    lengths = Lengths(values) if sites else None
    for site in sites:
        made = estimate(site, values, lengths) if lengths is not None else None
        layers = made.layers_with_scalars if made is not None and made.all_heavy else {}
        for way, scalar in layers.items():
            assert made is not None
            body, at = made.places[way]
            other = body.module.name
            yield CompiledPlace(
                *_span(site),
                _name(site),
                way,
                "" if other == module else paths.get(other, other),
                line_of(body.record.places[at]),
                f"self.{scalar.rpartition('.')[2]}",
                0 if made.assumed else made.guards,
            )
            break


def _name(site: CompileSite) -> str:
    entry = site.entries[0]
    if site.spelling is Spelling.DECORATOR and entry.function is not None:
        return entry.function.body.record.qualname
    return entry.name


def _span(site: CompileSite) -> tuple[tuple[int, int], tuple[int, int]]:
    if site.spelling is Spelling.DECORATOR:
        function = site.entries[0].function
        assert function is not None
        record = function.body.record
        return (line_of(record.place), 0), (0, record.decorators.index(site.at))
    record = site.body.record
    return _position(record.places[site.at]), _position(record.ends[site.at])


def _position(place: int) -> tuple[int, int]:
    return line_of(place), place & ((1 << COLUMN_BITS) - 1)
