"""What a file compiles, by values: its functions, and modules whose guards grow with their layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.compile_sites.estimate import estimate, is_of_library
from overhead_lint.analysis.compile_sites.lengths import Lengths
from overhead_lint.analysis.compile_sites.sites import (
    CompileSite,
    Entry,
    Spelling,
    compile_sites,
    compiled_in_place,
    handed_site,
    tested_classes,
)
from overhead_lint.analysis.compile_sites.tracing import traced
from overhead_lint.analysis.ir.naming import last_name
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, CALL, PARAMETER
from overhead_lint.analysis.ir.queries import bound, is_of_parameter
from overhead_lint.analysis.ir.records import LAMBDA_BODY, NONE, line_and_column, line_of
from overhead_lint.analysis.values.classes import is_of_others
from overhead_lint.analysis.values.elsewhere import PARAMETER_OF, Elsewhere, elsewhere_among
from overhead_lint.analysis.values.handed import handed_to
from overhead_lint.analysis.values.lattice import MODULE, UNKNOWN
from overhead_lint.analysis.values.symbols import Api, FunctionSymbol, Instance
from overhead_lint.api.compiled_places import CompiledPlace, Handed, PlacesOfFile
from overhead_lint.project.compiler_names import has_compiled
from overhead_lint.project.path_syntax import ANY_INSTANCE, INSTANCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from overhead_lint.analysis.values.linker import Symbol
    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["compiled_places", "places_of_file"]


def places_of_file(
    values: Values, module: str, alone: Callable[[], Values], *, knows_modules: bool
) -> PlacesOfFile:
    """Return the places of a file that stands alone.

    Args:
        values: its values, where others may call its functions.
        module: its dotted name.
        alone: gives its values as if nobody else did; whoever solves all of them tells what others give.
        knows_modules: whether it is known which modules are the project's. Else what libraries compile may be
            others' in the open view.
    """
    sites = compile_sites(values)
    asks = any(map(_compiles_others, values.bodies()))
    if knows_modules and not any(site.entries for site in sites):
        found = _shown(values, module)  # nothing of this file is compiled, whoever calls its functions
    else:
        own = alone()
        found = _shown(own, module)
        own.release()
    stock = [site for site in sites if site.is_stock]
    is_less = len(found.places) < len(stock)
    return found._replace(hangs_on_others=asks or (is_less and any(map(_hangs_on_others, stock))))


def _shown(values: Values, module: str) -> PlacesOfFile:
    """Return what the values of a file alone show."""
    sites, lengths = compile_sites(values), Lengths(values)
    entries: set[FunctionSymbol] = set()
    followed: set[FunctionSymbol] = set()
    for site in sites:
        for entry in site.entries:
            # The compiler leaves generators alone.
            if entry.function is not None and not entry.function.body.record.is_generator:
                entries.add(entry.function)
                followed.update(traced(entry, values, lengths, (site.body, site.at)).functions)
    return PlacesOfFile(
        tuple(_heavy([site for site in sites if site.is_stock], values, lengths, module, {})),
        False,
        frozenset(one.body.record.place for one in entries),
        frozenset(one.body.record.place for one in entries | followed),
        tuple(Handed(site.body.record.places[site.at], path) for site in sites for path in _handed(site)),
    )


def _handed(site: CompileSite) -> Iterator[str]:
    """Yield the paths of what a place compiles that other files may define."""
    for one in site.body.values[site.subject].references if site.subject != NONE else ():
        if isinstance(one, Api) or (isinstance(one, Elsewhere) and not one.path.startswith(PARAMETER_OF)):
            yield one.path
        elif isinstance(one, Instance) and isinstance(one.cls, Api):
            yield f"{one.cls.path}{INSTANCE if one.is_exact else ANY_INSTANCE}"
    yield from (f"{cls.path}{ANY_INSTANCE}" for cls in site.tested if isinstance(cls, Api))


def _hangs_on_others(site: CompileSite) -> bool:
    """Whether other files may tell of what a place compiles: it, or a part, is from there or given."""
    if not site.tested and any(map(is_of_library, site.entries)):
        return False  # all that it may compile would have to be heavy
    is_own = site.subject == NONE or any(entry.function is not None for entry in site.entries)
    if is_own or any(map(_is_elsewhere, site.tested)):
        return True
    record, compiled = site.body.record, site.body.values[site.subject]
    if is_of_others(compiled):
        return True
    is_open = not compiled.bits or compiled.bits & UNKNOWN  # a method that raises gives nothing by itself
    return bool(is_open) and is_of_parameter(record, site.subject) and _taker(site) is None


def _is_elsewhere(cls: Symbol) -> bool:
    """Whether another file of the project defines a class."""
    return isinstance(cls, Api) and bool(elsewhere_among(cls.value))


def _compiles_others(body: Body) -> bool:
    """Whether something that another file defines is asked to compile itself: ``net.compile()``.

    Or a function of another file is, by its name, to compile something: ``compile_model(net)``,
    ``@compile_fast``.
    """
    record, around = body.record, body.parent
    if around is not None and any(
        has_compiled(last_name(around.record, at)) and is_of_others(around.values[at])
        for at in record.decorators
    ):
        return True
    return any(_hands_to_compiler(body, at) for at, code in enumerate(record.code) if code == CALL) or any(
        code == CALL
        and record.code[record.operand[at]] == ATTRIBUTE
        and record.extra[record.operand[at]] == "compile"
        and (net := compiled_in_place(record, at)) != NONE
        and (
            is_of_others(body.values[net])
            or any(map(_is_elsewhere, tested_classes(body, record.operand[at])))
        )
        for at, code in enumerate(record.code)
    )


def _hands_to_compiler(body: Body, at: int) -> bool:
    """Whether a call gives a module to a function of another file that compiles, by its name."""
    record = body.record
    function, given = record.operand[at], record.extra[at][0]
    return (
        has_compiled(last_name(record, function))
        and is_of_others(body.values[function])
        and any(body.values[one].bits & MODULE or is_of_others(body.values[one]) for one in given)
    )


def compiled_places(
    values: Values, sites: Iterable[CompileSite], module: str, paths: Mapping[str, str]
) -> Iterator[CompiledPlace]:
    """Yield the places of a file.

    Args:
        values: the values of its project.
        sites: all that compiles something there.
        module: its dotted name.
        paths: what files of the project are called, by their dotted names.
    """
    stock = [one for one in sites if one.is_stock]
    left, handing = _handing_over(values, stock, module)
    own = [one for one in stock if one.body.module.name == module and one not in left] + handing
    if own:
        yield from _heavy(own, values, Lengths(values), module, paths)


def _handing_over(
    values: Values, stock: Sequence[CompileSite], module: str
) -> tuple[set[CompileSite], list[CompileSite]]:
    """Return the places of a file that are told where others call them, and its own calls of such.

    Those are functions that compile what they are given, by their names: ``compile_model(net)``.
    """
    takers: dict[FunctionSymbol, tuple[int, CompileSite]] = {}
    for site in stock:
        taker = _taker(site)
        if taker is not None:
            takers.setdefault(taker[0], (taker[1], site))
    left = {site for _, site in takers.values()}
    handing: list[CompileSite] = []
    for body in values.bodies() if takers else ():
        for at, code in enumerate(body.record.code) if body.module.name == module else ():
            for function, given in handed_to(values, body, at) if code == CALL else ():
                place, inner = takers.get(function, (NONE, stock[0]))
                if place in given and function.body.module.name == module:
                    left.discard(inner)
                elif place in given:
                    handing.append(handed_site(body, at, given[place].value, inner))
    return left, handing


def _taker(site: CompileSite) -> tuple[FunctionSymbol, int] | None:
    """Return the function that compiles what it is given, by its name, and the place of that parameter."""
    record, function = site.body.record, site.body.symbol
    if site.subject == NONE or not isinstance(function, FunctionSymbol):
        return None
    if not has_compiled(function.name) and function.body.record.kind != LAMBDA_BODY:
        return None
    subject = bound(record, site.subject)
    return (function, record.operand[subject]) if record.code[subject] == PARAMETER else None


def _heavy(
    sites: Sequence[CompileSite], values: Values, lengths: Lengths, module: str, paths: Mapping[str, str]
) -> Iterator[CompiledPlace]:
    for site in sites:
        made = estimate(site, values, lengths)
        layers = made.layers_with_scalars if made is not None and made.all_heavy else {}
        for way, scalar in layers.items():
            assert made is not None
            body, at = made.places[way]
            other = body.module.name
            yield CompiledPlace(
                *_span(site),
                _name(site, made.entry),
                way,
                "" if other == module else paths.get(other, other),
                line_of(body.record.places[at]),
                f"self.{scalar.rpartition('.')[2]}",
                0 if made.assumed else made.guards,
                site.by.rpartition(".")[2],
            )
            break


def _name(site: CompileSite, entry: Entry) -> str:
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
    return line_and_column(record.places[site.at]), line_and_column(record.ends[site.at])
