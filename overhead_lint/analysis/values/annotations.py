"""What annotations promise, by the classes that their names stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.values.holders import Container
from overhead_lint.analysis.values.lattice import (
    ANY_TENSOR,
    ANYTHING,
    ARRAY,
    BOTTOM,
    CLASS,
    DEVICE,
    DEVICES,
    DTYPE,
    FLOAT,
    FLOATS,
    FUNCTION,
    INT,
    INTEGERS,
    MAPPING,
    NOTHING,
    NUMBER_TYPES,
    NUMBERS,
    OBJECT,
    OPEN,
    SEQUENCE,
    TENSOR,
    TEXT,
    TRUTHS,
    VARIES,
    Value,
    join,
    join_all,
    of_bits,
)
from overhead_lint.analysis.values.slots import Slot
from overhead_lint.analysis.values.symbols import Api, ClassSymbol

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.records import Annotation
    from overhead_lint.analysis.values.engine import Engine
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["SHAPED", "promised"]

_TENSOR: Final = of_bits(ANY_TENSOR)
_NAMED: Final = {
    **dict.fromkeys(("Tensor", "TensorType", "Parameter"), _TENSOR),
    **dict.fromkeys(
        ("DoubleTensor", "FloatTensor", "HalfTensor"), of_bits(ANY_TENSOR & ~NUMBER_TYPES | FLOATS)
    ),
    **dict.fromkeys(("IntTensor", "LongTensor"), of_bits(ANY_TENSOR & ~NUMBER_TYPES | INTEGERS)),
    "BoolTensor": of_bits(ANY_TENSOR & ~NUMBER_TYPES | TRUTHS),
    **dict.fromkeys(("Number", "complex", "float"), of_bits(INT | FLOAT | VARIES)),
    "int": of_bits(INT | VARIES),
    "bool": of_bits((NUMBERS & ~INT & ~FLOAT) | VARIES),
    **dict.fromkeys(("ArrayLike", "NDArray", "ndarray"), of_bits(ARRAY)),
    "str": of_bits(TEXT | VARIES),
    **dict.fromkeys(("bytes", "Path"), of_bits(OBJECT)),
    "None": NOTHING,
    "device": of_bits(DEVICE | DEVICES),
    "dtype": of_bits(DTYPE | NUMBER_TYPES),
    "Callable": of_bits(FUNCTION | OPEN),
    **dict.fromkeys(("Type", "type"), of_bits(CLASS | OPEN)),
}
"""What a name promises, whatever module it is taken from."""
_MAPPINGS: Final = frozenset({"Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict", "dict"})
_SEQUENCES: Final = {
    **dict.fromkeys(("Collection", "Iterable", "Sequence"), "sequence"),
    **dict.fromkeys(("AsyncIterator", "Generator", "Iterator"), "generator"),
    **dict.fromkeys(("List", "list"), "list"),
    **dict.fromkeys(("Set", "set"), "set"),
    **dict.fromkeys(("Tuple", "tuple"), "tuple"),
}
"""By name of a sequence the kind of container that it promises."""
# Types of jaxtyping, which name a dtype and tell the kind of array first: `Float[Tensor, "batch 3"]`.
SHAPED: Final = frozenset(
    {"Bool", "Complex", "Float", "Inexact", "Int", "Integer", "Num", "Real", "Shaped", "UInt"}
)
_WRAPPERS: Final = frozenset({"Annotated", "ClassVar", "Final", "Required", "NotRequired"})
_ANY: Final = frozenset({"builtins.object", "typing.Any", "typing_extensions.Any"})
_DEEPEST: Final = 6


def promised(engine: Engine, body: Body, said: Annotation, order: str, depth: int = 0) -> Value:
    """Return what an annotation promises.

    Args:
        engine: the project.
        body: a body in whose scope the names of the annotation are those of the body around it.
        said: the annotation.
        order: tells containers that it promises apart from others.
        depth: how many brackets it stands in.
    """
    name, inside = said
    last = name.rpartition(".")[2]
    if depth > _DEEPEST:
        return ANYTHING
    if name == "|" or last == "Union":
        members = [promised(engine, body, one, f"{order}.{at}", depth + 1) for at, one in enumerate(inside)]
        return join_all(members) if members else ANYTHING
    if last == "Optional" and inside:
        return join(promised(engine, body, inside[0], order, depth + 1), NOTHING)
    if last in _WRAPPERS or last in SHAPED:
        return promised(engine, body, inside[0], order, depth + 1) if inside else ANYTHING
    if last in _MAPPINGS:
        element = promised(engine, body, inside[1], f"{order}.1", depth + 1) if len(inside) > 1 else ANYTHING
        return _container(engine, order, "dict", ANYTHING, element, ())
    if last in _SEQUENCES:
        return _sequence(engine, body, last, inside, order, depth)
    known = _NAMED.get(last)
    if known is not None:
        return known
    return _of_class(engine, body, name)


def _sequence(
    engine: Engine, body: Body, name: str, inside: tuple[Annotation, ...], order: str, depth: int
) -> Value:
    parts = [
        promised(engine, body, one, f"{order}.{at}", depth + 1)
        for at, one in enumerate(inside)
        if one[0] or one[1]
    ]
    element = join_all(parts) if parts else ANYTHING
    kind = _SEQUENCES[name]
    is_fixed = kind == "tuple" and len(parts) == len(inside)
    return _container(engine, order, kind, BOTTOM, element, tuple(parts) if is_fixed else ())


def _container(
    engine: Engine, order: str, kind: str, keys: Value, element: Value, parts: tuple[Value, ...]
) -> Value:
    slots = (Slot(), Slot(), Slot(), Slot())
    held = tuple([Slot() for _ in parts])
    made = Container(order, kind, slots, held)
    for slot, value in (
        (made.element, element),
        (made.keys, keys),
        (made.rest, element),
        *zip(held, parts, strict=True),
    ):
        slot.grow(value, engine.work)
    return Value(MAPPING if kind == "dict" else SEQUENCE, (made,))


def _of_class(engine: Engine, body: Body, name: str) -> Value:
    """Return what an annotation promises that names a class."""
    if not name:
        return ANYTHING
    found = engine.linker.named(body, name)
    if isinstance(found, Api) and found.path in _ANY:
        return ANYTHING
    if isinstance(found, ClassSymbol):
        bits = found.kind | OPEN if found.kind & (SEQUENCE | MAPPING) else found.kind
        return Value(bits, (found.instance,))
    if isinstance(found, Api):
        bits = found.bits
        if bits & TENSOR:
            return of_bits(bits)
        if bits & (SEQUENCE | MAPPING):
            return of_bits(bits | OPEN)
        return Value(bits if bits else ANYTHING.bits, (found.instance,))
    return ANYTHING
