"""What a value of a file is in terms of kinds, and what kinds that other files tell are as values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.values.elsewhere import Elsewhere
from overhead_lint.analysis.values.holders import Container
from overhead_lint.analysis.values.lattice import (
    ANY_TENSOR,
    ANYTHING,
    ARRAY,
    DEVICES,
    FLOAT,
    HOST,
    HOST_TENSOR,
    INT,
    KINDS,
    MAPPING,
    MODULE,
    NONE_TYPE,
    NUMBER_TYPES,
    NUMBERS,
    OBJECT,
    OPEN,
    SEQUENCE,
    TENSOR,
    TEXT,
    TRUTHS,
    UNKNOWN,
    VARIES,
    Value,
    beyond,
    join,
    join_all,
    of_bits,
)
from overhead_lint.analysis.values.reference import Constant
from overhead_lint.analysis.values.slots import Slot
from overhead_lint.project.kinds import abstract_value as kinds
from overhead_lint.project.kinds.abstract_value import AbstractValue, holding, with_parts
from overhead_lint.project.kinds.kind_members import (
    KIND_ARRAY,
    KIND_HOST_TENSOR,
    KIND_MODULE,
    KIND_NUMBER,
    KIND_OBJECT,
    KIND_TENSOR,
    KIND_UNKNOWN,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["abstracted", "value_of"]

_PLAIN: Final = {
    KIND_UNKNOWN: ANYTHING,
    KIND_TENSOR: of_bits(ANY_TENSOR),
    KIND_HOST_TENSOR: of_bits(HOST_TENSOR),
    KIND_MODULE: of_bits(MODULE),
    KIND_NUMBER: of_bits(NUMBERS | VARIES),
    KIND_ARRAY: of_bits(ARRAY),
    KIND_OBJECT: of_bits(OBJECT),
}
_PARAMETERS: Final = "__parameters"
"""The key under which a distribution has its parameters."""
_DEEPEST: Final = 3
_MOST_KEYS: Final = 24
_MOST_WAYS: Final = 4


def abstracted(value: Value, depth: int = 0) -> AbstractValue:
    """Return what a value is: its kind, what it holds, and which other files know more of it."""
    bits = value.bits
    found = bits & KINDS & ~NONE_TYPE
    if not found:
        return kinds.OBJECT if bits & NONE_TYPE else kinds.UNKNOWN
    if found & UNKNOWN:
        return _unknown(value)
    if found == TENSOR or (
        found & TENSOR and not found & ~(TENSOR | INT | FLOAT) and _begins_at_nothing(value)
    ):
        what = kinds.HOST if bits & DEVICES == HOST else kinds.TENSOR
        return what._replace(mask=True) if found == TENSOR and bits & NUMBER_TYPES == TRUTHS else what
    if found == MODULE:
        return kinds.MODULE
    if found == ARRAY:
        return kinds.ARRAY
    if not found & ~NUMBERS:
        return kinds.NUMBER
    if found & (TENSOR | MODULE | ARRAY | NUMBERS):
        return kinds.UNKNOWN
    if not found & ~(SEQUENCE | MAPPING) and depth < _DEEPEST:
        return _container(value, depth)
    if found == OBJECT and len(value.references) == 1:
        return _distribution(value)
    return kinds.OBJECT


def _begins_at_nothing(value: Value) -> bool:
    """Whether a value is a sum of tensors, which is the number 0 at first."""
    told = [one.value for one in value.references if isinstance(one, Constant)]
    return not value.bits & VARIES and not any(told)


def _distribution(value: Value) -> AbstractValue:
    """Return an object, and if it is a distribution what its parameters are."""
    made = value.references[0]
    if not isinstance(made, Container):
        return kinds.OBJECT
    parameters = abstracted(made.element.value)
    return with_parts(kinds.mapping(parameters), [parameters], (_PARAMETERS,))


def value_of(what: AbstractValue, order: str) -> Value:
    """Return something that another file tells as a value.

    Args:
        what: what that says of it.
        order: tells what it holds apart from others.
    """
    if what.kind is KIND_OBJECT and (what.parts or what.element is not KIND_UNKNOWN):
        return _holder_of(what, order)
    plain = _PLAIN[what.kind]
    return Value(plain.bits & ~NUMBER_TYPES | TRUTHS) if what.mask else plain


def _holder_of(what: AbstractValue, order: str) -> Value:
    """Return a container that holds what another file tells."""
    if what.keys == (_PARAMETERS,):
        made = Container(order, "torch.distributions.Distribution", _slots(), ())
        made.element.value = value_of(what.parts[0], order)
        return Value(OBJECT, (made,))
    parts = [value_of(part, f"{order}.{place}") for place, part in enumerate(what.parts)]
    made = Container(
        order,
        "dict" if what.mapping else "record" if what.keys else "tuple",
        _slots(),
        () if what.mapping else tuple([Slot() for _ in parts]),
    )
    made.element.value = join_all(parts) if parts else _PLAIN[what.element]
    for slot, part in zip(made.parts, parts, strict=False):
        slot.value = part
    if what.keys and not what.mapping:
        made.entries = dict(zip(what.keys, made.parts, strict=True))
    if what.mapping:
        made.keys.value = of_bits(TEXT | VARIES)
        for name, part in zip(what.keys, parts, strict=False):
            made.entries[name] = Slot()
            made.entries[name].value = part
        if not parts:
            made.rest.value = made.element.value
    return Value(MAPPING if what.mapping else SEQUENCE, (made,))


def _slots() -> tuple[Slot, Slot, Slot, Slot]:
    return Slot(), Slot(), Slot(), Slot()


def _unknown(value: Value) -> AbstractValue:
    """Return something unknown, with the paths by which other files know what it is."""
    ways = [one for one in value.references if isinstance(one, Elsewhere)]
    if not ways or value.bits & KINDS & ~(UNKNOWN | NONE_TYPE) or len(ways) < len(value.references):
        return kinds.UNKNOWN
    if any(one.is_part for one in ways):
        return kinds.DERIVED
    return kinds.UNKNOWN._replace(of="|".join(f"={one.path}" for one in ways[:_MOST_WAYS]))


def _container(value: Value, depth: int) -> AbstractValue:
    """Return a container with what is known of what it holds."""
    held = [one for one in value.references if isinstance(one, Container)]
    if not held:
        return kinds.OBJECT
    element = beyond(value.bits)
    for one in held:
        element = join(element, one.element.value)
    if len(held) == 1 and held[0].kind == "record":
        parts = list(_parts(held[0].parts, depth))
        return with_parts(holding(kinds.join(parts)), parts, tuple(held[0].entries))
    is_mapping = not value.bits & SEQUENCE
    made = abstracted(element, depth + 1) if element.bits & KINDS else kinds.UNKNOWN
    what = AbstractValue(KIND_OBJECT, made.kind, mapping=is_mapping)
    if len(held) != 1 or value.bits & OPEN:
        return what
    return _with_parts(what, held[0], depth, is_mapping=is_mapping)


def _with_parts(what: AbstractValue, made: Container, depth: int, *, is_mapping: bool) -> AbstractValue:
    """Return a container with what stands at each place, or under each key that is known."""
    if is_mapping:
        slots = {name: slot for name, slot in made.entries.items() if slot.value.bits}
        if not 0 < len(slots) <= _MOST_KEYS or made.rest.value.bits or not all(map(str.isidentifier, slots)):
            return what
        return with_parts(what, list(_parts(slots.values(), depth)), tuple(slots))
    if not made.parts or made.grows.value.bits:
        return what
    return with_parts(what, list(_parts(made.parts, depth)))


def _parts(slots: Iterable[Slot], depth: int) -> Iterator[AbstractValue]:
    for slot in slots:
        yield abstracted(slot.value, depth + 1)
