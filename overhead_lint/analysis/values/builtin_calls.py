"""What builtins and a few functions of the standard library give."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.values.annotations import promised
from overhead_lint.analysis.values.container_calls import update
from overhead_lint.analysis.values.iteration import items_of
from overhead_lint.analysis.values.lattice import (
    ANYTHING,
    BOOL,
    BOTTOM,
    CLASS,
    EVERYTHING,
    FLOAT,
    INSTANCES,
    INT,
    KINDS,
    MANY,
    MAPPING,
    NOTHING,
    NUMBERS,
    OBJECT,
    OPEN,
    TENSOR,
    TEXT,
    UNKNOWN,
    VARIES,
    Value,
    join,
    join_all,
    of_bits,
)
from overhead_lint.analysis.values.reference import Constant
from overhead_lint.analysis.values.symbols import Api, ClassSymbol, FunctionSymbol, Instance

if TYPE_CHECKING:
    from overhead_lint.analysis.values.arguments import Arguments
    from overhead_lint.analysis.values.engine import Engine
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["BUILTINS"]

_INTEGER: Final = of_bits(INT | VARIES)
_TEXT: Final = of_bits(TEXT | VARIES)
_TRUTH: Final = of_bits(BOOL | VARIES)

Handler = Callable[["Engine", "Body", int, "Arguments"], Value]


def _fixed(value: Value) -> Handler:
    return lambda engine, body, at, given: value


def _made_of(kind: str) -> Handler:
    """Return what evaluates a class of sequences that is given another: ``list(x)``, ``tuple(x)``."""

    def evaluate(engine: Engine, body: Body, at: int, given: Arguments) -> Value:
        is_given = given.positional or given.more_positional.bits
        element = items_of(engine, body, at, given.at(0)) if is_given else BOTTOM
        return engine.sequence(body, at, kind, element)

    return evaluate


def _dict(engine: Engine, body: Body, at: int, given: Arguments) -> Value:
    made = engine.container(body, at, "dict")
    for name, value in given.named.items():
        made.keys.grow(_TEXT, engine.work)
        engine.put(made, name, value)
    if given.positional:
        update(engine, body, at, made, given.positional[0])
    for one in given.named_mappings:
        update(engine, body, at, made, Value(MAPPING, (one,)))
    made.rest.grow(given.more_named, engine.work)
    made.element.grow(given.more_named, engine.work)
    return Value(MAPPING, (made,))


def _enumerate(engine: Engine, body: Body, at: int, given: Arguments) -> Value:
    item = items_of(engine, body, at, given.at(0, "iterable"))
    pair = engine.tuple_of(body, at, [_INTEGER, item], 1) if item.bits else BOTTOM
    return engine.sequence(body, at, "generator", pair)


def _zip(engine: Engine, body: Body, at: int, given: Arguments) -> Value:
    items = [items_of(engine, body, at, one) for one in given.positional]
    if given.more_positional.bits:
        inner = items_of(engine, body, at, given.more_positional)
        return engine.sequence(body, at, "generator", engine.sequence(body, at, "tuple", inner, 1))
    return engine.sequence(body, at, "generator", engine.tuple_of(body, at, items, 1))


def _next(engine: Engine, body: Body, at: int, given: Arguments) -> Value:
    found = items_of(engine, body, at, given.at(0))
    return join(found, given.positional[1]) if len(given.positional) > 1 else found


def _sum(engine: Engine, body: Body, at: int, given: Arguments) -> Value:
    item = items_of(engine, body, at, given.at(0))
    bits = item.bits & ~VARIES
    return of_bits(item.bits | VARIES) if bits & (NUMBERS | TENSOR) else Value(item.bits, item.references)


def _least(engine: Engine, body: Body, at: int, given: Arguments) -> Value:
    if len(given.positional) == 1 and not given.more_positional.bits:
        found = items_of(engine, body, at, given.positional[0])
    else:
        found = join_all(given.all_values)
    return join(found, given.named["default"]) if "default" in given.named else found


def _same(engine: Engine, body: Body, at: int, given: Arguments) -> Value:
    found = given.at(0)
    return join(found, of_bits(VARIES)) if found.bits & NUMBERS else found


def _copy(engine: Engine, body: Body, at: int, given: Arguments) -> Value:
    return given.at(0)


def _cast(engine: Engine, body: Body, at: int, given: Arguments) -> Value:
    """``typing.cast(Tensor, x)``: an object of the class, where that is known."""
    found = BOTTOM
    told = given.at(0, "typ")
    for one in told.references:
        if isinstance(one, Constant) and isinstance(one.value, str):
            found = join(found, promised(engine, body, (one.value, ()), f"{body.symbol.order}#{at}"))
        elif isinstance(one, ClassSymbol):
            found = join(found, Value(one.kind, (one.instance,)))
        elif isinstance(one, Api):
            found = join(found, promised(engine, body, (one.path, ()), f"{body.symbol.order}#{at}"))
    return found if found.bits and not found.bits & UNKNOWN else given.at(1, "val")


def _reversed(engine: Engine, body: Body, at: int, given: Arguments) -> Value:
    return engine.sequence(body, at, "generator", items_of(engine, body, at, given.at(0, "iterable")))


def _getattr(engine: Engine, body: Body, at: int, given: Arguments) -> Value:
    from overhead_lint.analysis.values.attributes import attribute  # both speak of containers

    name = given.at(1)
    found = BOTTOM
    for one in name.references:
        if isinstance(one, Constant) and isinstance(one.value, str):
            found = join(found, attribute(engine, body, at, given.at(0), one.value))
    if name.bits & (VARIES | UNKNOWN | OPEN):
        found = join(found, ANYTHING)
    return join(found, given.positional[2]) if len(given.positional) > 2 else found


def _super(engine: Engine, body: Body, at: int, given: Arguments) -> Value:
    """Return an object of the class of the project that has all that comes next."""
    cls = body.symbol.cls if isinstance(body.symbol, FunctionSymbol) else None
    if cls is not None and given.positional and given.positional[0].references != (cls,):
        return ANYTHING  # it is told another class to begin behind
    rest = cls.resolution_order[1:] if cls is not None else ()
    base = rest[0] if rest else None
    if isinstance(base, ClassSymbol) and base.resolution_order == rest:
        return Value(base.kind, (base.exact,))
    return ANYTHING


def _type(engine: Engine, body: Body, at: int, given: Arguments) -> Value:
    value = given.at(0)
    if value.bits & MANY:
        return EVERYTHING
    classes = [one.cls for one in value.references if isinstance(one, Instance)]
    if not classes:
        return of_bits(CLASS | OPEN)
    found = join_all([Value(CLASS, (one,)) for one in classes])
    is_told = value.bits & KINDS & ~INSTANCES == 0 and all(
        not isinstance(one, Instance) or one.is_exact for one in value.references
    )
    return found if is_told and not value.bits & OPEN else join(found, of_bits(CLASS | OPEN))


BUILTINS: Final[dict[str, Handler]] = {
    **dict.fromkeys(
        ("all", "any", "bool", "callable", "hasattr", "isinstance", "issubclass"), _fixed(_TRUTH)
    ),
    **dict.fromkeys(("hash", "id", "int", "len", "ord"), _fixed(_INTEGER)),
    **dict.fromkeys(("float", "complex"), _fixed(of_bits(FLOAT | VARIES))),
    **dict.fromkeys(("ascii", "bin", "chr", "format", "hex", "input", "oct", "repr", "str"), _fixed(_TEXT)),
    **dict.fromkeys(("bytes", "bytearray", "memoryview", "object", "open", "slice"), _fixed(of_bits(OBJECT))),
    **dict.fromkeys(("frozenset", "set"), _made_of("set")),
    **dict.fromkeys(("list", "sorted"), _made_of("list")),
    **dict.fromkeys(("delattr", "print", "setattr"), _fixed(NOTHING)),
    "abs": _same,
    "dict": _dict,
    "enumerate": _enumerate,
    "getattr": _getattr,
    "iter": _made_of("generator"),
    "max": _least,
    "min": _least,
    "next": _next,
    "range": lambda engine, body, at, given: engine.sequence(body, at, "range", _INTEGER),
    "reversed": _reversed,
    "round": _same,
    "sum": _sum,
    "super": _super,
    "tuple": _made_of("tuple"),
    "type": _type,
    "zip": _zip,
}
"""What calls of builtins give, by name, and of functions of other modules by their qualified names."""
BUILTINS.update(
    {
        "collections.Counter": lambda engine, body, at, given: engine.mapping(body, at, ANYTHING, _INTEGER),
        "collections.OrderedDict": _dict,
        "collections.deque": _made_of("deque"),
        "copy.copy": _copy,
        "copy.deepcopy": _copy,
        "itertools.chain": lambda engine, body, at, given: engine.sequence(
            body, at, "generator", join_all([items_of(engine, body, at, one) for one in given.all_values])
        ),
        "itertools.cycle": _reversed,
        "itertools.islice": _reversed,
        "itertools.zip_longest": _zip,
        "operator.itemgetter": _fixed(ANYTHING),
        "tqdm.auto.tqdm": _reversed,
        "tqdm.autonotebook.tqdm": _reversed,
        "tqdm.notebook.tqdm": _reversed,
        "tqdm.tqdm": _reversed,
        "typing.cast": _cast,
        "typing_extensions.cast": _cast,
    }
)
