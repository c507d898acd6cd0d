"""The places of a project that compile something, in every spelling, and what they compile."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.compile_sites.layers import ANY_MODULE
from overhead_lint.analysis.compile_sites.libraries import compiled_by_libraries
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, BIND, CALL, COPY, PHI
from overhead_lint.analysis.ir.queries import bound, by_name
from overhead_lint.analysis.ir.records import NONE, line_of
from overhead_lint.analysis.values.holders import Container, Partial
from overhead_lint.analysis.values.lattice import BOTTOM, MODULE, MOST_REFERENCES, UNKNOWN, Value
from overhead_lint.analysis.values.narrowing import IS_INSTANCE, narrowed
from overhead_lint.analysis.values.reference import Constant
from overhead_lint.analysis.values.symbols import Api, Bound, ClassSymbol, FunctionSymbol, Instance
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from overhead_lint.analysis.ir.records import FunctionIR
    from overhead_lint.analysis.values.linker import Symbol
    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.reference import Reference
    from overhead_lint.analysis.values.symbols import Body

__all__ = [
    "CompileSite",
    "Entry",
    "Spelling",
    "compile_sites",
    "compiled_in_place",
    "handed_site",
    "method_of",
    "tested_classes",
]

_IN_PLACE: Final = "torch.nn.Module.compile"
_MODEL: Final = "model"
_OPTIONS: Final = frozenset({"fullgraph", "dynamic", "backend", "mode", "options", "disable"})
"""What the method of modules takes; one of the same name with others is a trainer's."""
_MOST_STEPS: Final = 8


class Spelling(enum.Enum):
    """How a place says that something is to be compiled."""

    CALL = "call"
    """``torch.compile(model)``, by whatever name."""
    PARTIAL = "partial"
    """By what ``functools.partial(torch.compile, ...)`` gave."""
    CURRIED = "curried"
    """``torch.compile(dynamic=True)(model)``."""
    DECORATOR = "decorator"
    """Above a function."""
    IN_PLACE = "in place"
    """``model.compile()``."""
    LIBRARY = "library"
    """``Trainer(model, TrainingArguments(torch_compile=True))``: a library does it, for it was asked to."""


class Entry(NamedTuple):
    """What a compiled form runs first.

    Attributes:
        function: a function of the project, or ``forward`` of the module that is compiled; None for a module
            of torch itself.
        receiver: what it is a method of; bottom for a plain function.
    """

    function: FunctionSymbol | None
    receiver: Value

    @property
    def name(self) -> str:
        """What to call it: ``Net`` for a module, ``Net.loss`` for another method, ``step`` for a function.

        "" for a module of which nothing tells more.
        """
        if self.function is None:
            (one,) = self.receiver.references
            cls = one.cls if isinstance(one, Instance) else None
            path = cls.path if isinstance(cls, Api) else one.kind if isinstance(one, Container) else ""
            return path.rpartition(".")[2] if path != ANY_MODULE else ""
        qualname = self.function.body.record.qualname
        return qualname.removesuffix(".forward") if self.function.cls is not None else qualname


class CompileSite(NamedTuple):
    """A place that compiles something.

    Attributes:
        body: the body that it stands in.
        at: the operation: the call, or of a decorator the value that it is.
        spelling: how it says so.
        entries: what it may compile; none where nobody knows.
        is_complete: whether it compiles nothing else.
        options: the constants that it is given beside that, by name.
        is_stock: whether it is ``torch.compile`` that compiles, and not what takes its place.
        by: what has it compiled, if that is a library, by its qualified name.
        subject: the operation that makes what is compiled; `NONE` of a decorator.
        tested: the classes that a test names whose objects it compiles, so that it is there for each of them.
    """

    body: Body
    at: int
    spelling: Spelling
    entries: Sequence[Entry]
    is_complete: bool
    options: tuple[tuple[str, object], ...]
    is_stock: bool = True
    subject: int = NONE
    by: str = ""
    tested: Sequence[Symbol] = ()

    @property
    def line(self) -> int:
        """The line where it stands."""
        return line_of(self.body.record.places[self.at])


def compile_sites(values: Values) -> list[CompileSite]:
    """Return the places that compile something, by file and in its order; not those with ``disable=True``."""
    found = []
    for body in values.bodies():
        found += [site for site in _calls(body) if not _is_disabled(site)]
        found += [
            _site(body, at, Spelling.LIBRARY, subject, (), at)._replace(by=by)
            for at, subject, by in compiled_by_libraries(body)
        ]
        decorated = _decorators(body) if body.parent is not None else ()
        found += [site for site in decorated if not _is_disabled(site)]
    names = list(dict.fromkeys(site.body.module.name for site in found))
    return sorted(found, key=lambda site: (names.index(site.body.module.name), _place(site)))


def handed_site(body: Body, at: int, subject: int, inner: CompileSite) -> CompileSite:
    """Return the call of a function that compiles what it is given, as a place that does so itself.

    Args:
        body: where the call stands.
        at: the call.
        subject: the operation that makes what is compiled.
        inner: the place in the function.
    """
    return _site(body, at, Spelling.CALL, subject, inner.options, at)


def _place(site: CompileSite) -> int:
    return site.body.record.places[site.at]


def _is_disabled(site: CompileSite) -> bool:
    return ("disable", True) in site.options


def _calls(body: Body) -> Iterator[CompileSite]:
    """Yield the calls in a body that compile what they are given."""
    record = body.record
    for at, code in enumerate(record.code):
        if code != CALL:
            continue
        arguments, names = record.extra[at]
        called, user = body.values[record.operand[at]], at
        maker = _compiling_call(body, record.operand[at])
        if maker is not None:
            spelling, options, place = Spelling.CURRIED, _options(body, maker), maker
            called = body.values[record.operand[maker]]
            subject = arguments[0] if arguments else NONE
        else:
            compiler = _compiler_among(called)
            if compiler is None and called.bits & UNKNOWN and _is_by_arguments(record, at):
                compiler = Spelling.IN_PLACE
            if compiler is None:
                continue
            spelling, options, place = compiler, _options(body, at) + _given_before(called), at
            if spelling is Spelling.IN_PLACE:
                user = record.operand[at]
                subject = compiled_in_place(record, at)
            else:
                subject = _subject(arguments, names)
        if subject != NONE:
            yield _site(body, place, spelling, subject, options, user)._replace(is_stock=_is_stock(called))


def _decorators(body: Body) -> Iterator[CompileSite]:
    """Yield the decorators of a function that have it compiled; of a generator they leave it as it is."""
    symbol, around = body.symbol, body.parent
    if not isinstance(symbol, FunctionSymbol) or body.record.is_generator or around is None:
        return
    receiver = Value(symbol.cls.kind, (symbol.cls.instance,)) if symbol.cls is not None else BOTTOM
    for at in body.record.decorators:
        maker = _compiling_call(around, at)
        options = _options(around, maker) if maker is not None else ()
        value = around.values[at]
        if maker is not None or _compiler_among(value) in (Spelling.CALL, Spelling.PARTIAL):
            entry = Entry(symbol, BOTTOM if symbol.is_static else receiver)
            options += _given_before(value)
            called = around.values[around.record.operand[maker]] if maker is not None else value
            yield CompileSite(
                around, at, Spelling.DECORATOR, (entry,), True, options, is_stock=_is_stock(called)
            )


def _compiler_among(called: Value) -> Spelling | None:
    """Return how a value that is called compiles; None if it does not."""
    for one, is_partial in _behind(called):
        if one.effect.compiles:
            return Spelling.PARTIAL if is_partial else Spelling.CALL
        if one.path == _IN_PLACE and not is_partial:
            return Spelling.IN_PLACE
    return None


def _behind(called: Value) -> Iterator[tuple[Api, bool]]:
    """Yield the APIs that a call runs, each with whether by a partial; those may be of themselves."""
    waiting, partials = [(called, False)], set[Partial]()
    for value, is_partial in waiting:
        for one in value.references:
            if isinstance(one, Api):
                yield one, is_partial
            elif isinstance(one, Partial) and one not in partials:
                partials.add(one)
                waiting.append((one.function.value, True))


def _compiling_call(body: Body, at: int) -> int | None:
    """Return the call of the compiler that an operation is the result of, without what it is to compile."""
    record = body.record
    for _ in range(_MOST_STEPS):
        if at == NONE or record.code[at] not in (BIND, COPY):
            break
        at = record.operand[at]
    if at == NONE or record.code[at] != CALL:
        return None
    arguments, names = record.extra[at]
    if _compiler_among(body.values[record.operand[at]]) not in (Spelling.CALL, Spelling.PARTIAL):
        return None
    return at if _subject(arguments, names) == NONE else None


def _subject(arguments: Sequence[int], names: Sequence[str]) -> int:
    """Return the operation that makes what a call is to compile; `NONE` without."""
    if len(arguments) > len(names):
        return arguments[0]
    return arguments[names.index(_MODEL)] if _MODEL in names else NONE


def _owner(record: FunctionIR, at: int) -> int:
    """Return the operation whose attribute an operation reads; `NONE` if it is none."""
    return record.operand[at] if at != NONE and record.code[at] == ATTRIBUTE else NONE


def compiled_in_place(record: FunctionIR, at: int) -> int:
    """Return what a call has compile itself if its method is that of modules; `NONE` for another's.

    Args:
        record: where the call stands.
        at: the call.
    """
    arguments, names = record.extra[at]
    is_plain = len(arguments) == len(names) and _OPTIONS.issuperset(names)
    return _owner(record, record.operand[at]) if is_plain else NONE


def _is_by_arguments(record: FunctionIR, at: int) -> bool:
    """Whether a call of ``compile`` has arguments that only modules take."""
    called = record.operand[at]
    is_compile = record.code[called] == ATTRIBUTE and record.extra[called] == "compile"
    return is_compile and bool(record.extra[at][1]) and compiled_in_place(record, at) != NONE


def _options(body: Body, at: int | None) -> tuple[tuple[str, object], ...]:
    """Return the constants that a call is given by name."""
    if at is None or body.record.code[at] != CALL:
        return ()
    found = ((name, _constant(body.values[one])) for name, one in by_name(body.record, at))
    return tuple((name, value) for name, value in found if value is not None)


def _given_before(called: Value) -> tuple[tuple[str, object], ...]:
    """Return the constants that a partial of the compiler was made with."""
    found = []
    for one in called.references:
        if isinstance(one, Partial):
            found += [(name, _constant(slot.value)) for name, slot in one.named.items()]
    return tuple((name, value) for name, value in found if value is not None)


def _constant(value: Value) -> object:
    """Return the one constant that a value is; None for none, and for several."""
    constants = [one.value for one in value.references if isinstance(one, Constant)]
    return constants[0] if len(constants) == 1 == len(value.references) else None


def _is_stock(called: Value) -> bool:
    """Whether what compiles is torch's own."""
    return any(one.path.startswith("torch.") for one, _ in _behind(called))


def _site(
    body: Body, at: int, spelling: Spelling, subject: int, options: tuple[tuple[str, object], ...], user: int
) -> CompileSite:
    """Return a place that compiles what an operation gives to another one, which uses it."""
    entries: dict[Entry, None] = {}
    value = _as_used(body, subject, user)
    is_complete = bool(value.references)
    for one in value.references:
        if spelling is Spelling.LIBRARY and not isinstance(one, Instance):
            is_complete = False  # no module: an optimizer, a loader, a function that makes a model
        elif isinstance(one, FunctionSymbol):
            entries[Entry(one, BOTTOM)] = None
        elif isinstance(one, Bound):
            entries[Entry(one.function, _receiver(body, subject, one))] = None
        elif isinstance(one, Instance) and isinstance(one.cls, ClassSymbol):
            for cls in _running(one):
                forward = method_of(cls, "forward" if cls.kind & MODULE else "__call__")
                is_complete = is_complete and forward is not None
                compiled = Value(cls.kind, (one if cls is one.cls else cls.instance,))
                if forward is not None:
                    entries[Entry(forward, compiled)] = None
                for method in _compiled_along(cls):
                    entries[Entry(method, compiled)] = None
        elif isinstance(one, (Container, Instance)) and value.bits & MODULE:
            entries[Entry(None, Value(MODULE, (one,)))] = None
        else:
            is_complete = False
    tested = tested_classes(body, user) or tested_classes(body, bound(body.record, subject))
    return CompileSite(
        body, at, spelling, tuple(entries), is_complete, options, subject=subject, tested=tested
    )


def _running(compiled: Instance) -> Sequence[ClassSymbol]:
    """Return the classes that may be meant by an object: heirs of its own, where that gives nothing."""
    cls = compiled.cls
    assert isinstance(cls, ClassSymbol)
    own = method_of(cls, "forward")
    record = own.body.record if own is not None else None
    if compiled.is_exact or record is None or any(record.operand[end] >= 0 for end in record.returned):
        return (cls,)
    heirs = [one for one in cls.descendants() if method_of(one, "forward") is not own]
    return heirs[:MOST_REFERENCES] or (cls,)


def _as_used(body: Body, at: int, user: int) -> Value:
    """Return what an operation gives to another one, by the tests that this stands under."""
    value = body.values[at]
    for one, said in body.refined.get(user, ()):
        if one == at:
            value = narrowed(value, said)
    return value


def tested_classes(body: Body, user: int) -> tuple[Symbol, ...]:
    """Return the classes whose objects alone an operation takes, as a test names them."""
    said = [one for _, tests in body.refined.get(user, ()) for one in tests]
    return tuple([cls for one in said if one.test == IS_INSTANCE and one.outcome for cls in one.classes])


def _compiled_along(cls: ClassSymbol) -> Iterator[FunctionSymbol]:
    """Yield the methods that a library has compiled along with a module: the steps of Lightning's."""
    for base in cls.resolution_order:
        for name in base.effect.compiled_methods if isinstance(base, Api) else ():
            method = method_of(cls, name)
            if method is not None and name != "forward":
                yield method


def _receiver(body: Body, at: int, method: Bound) -> Value:
    """Return what a method is read on, where that shows; else any object of its class."""
    record = body.record
    for _ in range(_MOST_STEPS):
        if record.code[at] in (BIND, COPY):
            at = record.operand[at]
        elif record.code[at] == PHI:
            at = record.extra[at][0]
        else:
            break
    owner = _owner(record, at)
    found = _as_used(body, owner, at) if owner != NONE else BOTTOM
    its = [one for one in found.references if _has(one, method.function)]
    if its:
        return Value(found.bits, tuple(its))
    cls = method.function.cls
    return Value(cls.kind, (cls.instance,)) if cls is not None else BOTTOM


def _has(held: Reference, function: FunctionSymbol) -> bool:
    """Whether something is an object whose method of its name a function is."""
    if not isinstance(held, Instance) or not isinstance(held.cls, ClassSymbol):
        return False
    return method_of(held.cls, function.name) is function


def method_of(cls: ClassSymbol, name: str) -> FunctionSymbol | None:
    """Return the function of the project that is a method of a class, its own or of a base."""
    for one in cls.resolution_order:
        cell = one.body.cells.get(name) if isinstance(one, ClassSymbol) else None
        if cell is not None:
            functions = [found for found in cell.value.references if isinstance(found, FunctionSymbol)]
            return functions[-1] if functions else None
    return None
