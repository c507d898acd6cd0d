"""What going over a value, indexing it, or taking it apart gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.values.attributes import instance_attribute
from overhead_lint.analysis.values.elsewhere import Elsewhere, elsewhere_among
from overhead_lint.analysis.values.holders import Container
from overhead_lint.analysis.values.lattice import (
    ANY_TENSOR,
    ANYTHING,
    ARRAY,
    BOTTOM,
    CLASS,
    DEVICES,
    FUNCTION,
    KINDS,
    LOADER,
    MODULE,
    NUMBER_TYPES,
    OBJECT,
    RANKS,
    TENSOR,
    TEXT,
    UNKNOWN,
    VARIES,
    Value,
    beyond,
    join,
    keys_in,
    of_bits,
)
from overhead_lint.analysis.values.symbols import Api, Bound, ClassSymbol, Instance

if TYPE_CHECKING:
    from overhead_lint.analysis.values.engine import Engine
    from overhead_lint.analysis.values.reference import Reference
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["item_at", "items_of", "keys_of", "part_of"]

_TEXT: Final = of_bits(TEXT | VARIES)
_UNTOLD: Final = LOADER | OBJECT | FUNCTION
"""Kinds whose items nobody knows."""


def keys_of(body: Body, made: Container) -> Value:
    """Return what the keys of a mapping may be."""
    return made.keys.read(body)


def _parts_of(bits: int) -> Value:
    """Return what tensors, arrays and texts are made of, of which only that is known."""
    found = BOTTOM
    if bits & TENSOR:
        found = join(found, of_bits(TENSOR | (bits & (DEVICES | NUMBER_TYPES)) | RANKS))
    if bits & ARRAY:
        found = join(found, of_bits(ARRAY))
    return join(found, _TEXT) if bits & TEXT else found


def _part_elsewhere(engine: Engine, whole: Elsewhere, bits: int) -> Value:
    """Return a part of something of some kinds that other files know more of: they know what that is."""
    part = engine.part(whole)
    return part if bits & ~TENSOR & KINDS else Value(_parts_of(bits).bits, part.references)


def items_of(engine: Engine, body: Body, at: int, value: Value) -> Value:
    """Return what going over a value gives in each round."""
    bits = value.bits
    if not bits & KINDS:
        return BOTTOM
    found = BOTTOM
    for one in value.references:
        if isinstance(one, Container):
            found = join(found, keys_of(body, one) if one.kind == "dict" else one.element.read(body))
        elif isinstance(one, Instance):
            found = join(found, _items_of_instance(engine, body, at, one, bits))
        elif isinstance(one, Elsewhere):
            found = join(found, _part_elsewhere(engine, one, bits))
    found = join(found, _parts_of(bits))
    if bits & UNKNOWN and found.bits and elsewhere_among(value):
        bits &= ~UNKNOWN
    if bits & (_UNTOLD | CLASS):
        found = join(found, ANYTHING)
    return join(found, beyond(bits))


def _items_of_instance(engine: Engine, body: Body, at: int, instance: Instance, bits: int) -> Value:
    cls = instance.cls
    if isinstance(cls, Api):
        return engine.any_module if bits & MODULE else ANYTHING
    found = _result_of(engine, body, instance, "__iter__")
    if found.bits:
        inner = BOTTOM
        for one in found.references:
            if isinstance(one, Container):
                inner = join(inner, one.element.read(body))
        return join(inner, beyond(found.bits) if inner.bits else ANYTHING)
    found = _result_of(engine, body, instance, "__getitem__")
    return found if found.bits else ANYTHING


def _result_of(engine: Engine, body: Body, instance: Instance, name: str) -> Value:
    """Return what a method that the project defines gives; bottom if it defines none."""
    found = BOTTOM
    cls = instance.cls
    assert isinstance(cls, ClassSymbol)
    for one in cls.resolution_order:
        if isinstance(one, ClassSymbol) and name in one.body.cells:
            method = instance_attribute(engine, body, instance, name)
            for reference in method.references:
                if isinstance(reference, Bound):
                    target = reference.function.body
                    found = join(found, target.returned.read(body))
                    if 0 in target.passes:
                        found = join(found, Value(cls.kind, (instance,)))
            return found
    return found


def part_of(engine: Engine, body: Body, at: int, value: Value, place: int | None) -> Value:
    """Return what one target of an unpacking gets.

    Args:
        engine: the project.
        body: the body that unpacks.
        at: the operation.
        value: what is unpacked.
        place: the target's place, from the end if it is negative; None for a starred one.
    """
    if place is None:
        inner = items_of(engine, body, at, value)
        return engine.sequence(body, at, "list", inner, 4)
    found = BOTTOM
    rest: list[Reference] = []
    for one in value.references:
        if isinstance(one, Container) and one.parts and -len(one.parts) <= place < len(one.parts):
            found = join(found, _placed(body, one, place))
        else:
            rest.append(one)
    if len(rest) == len(value.references):
        return items_of(engine, body, at, value)
    return join(found, items_of(engine, body, at, Value(value.bits, tuple(rest))))


def _placed(body: Body, made: Container, place: int) -> Value:
    """Return what stands at a place of a sequence that is written out: anything of it once it grows."""
    if made.grows.read(body).bits:
        return made.element.read(body)
    return made.parts[place].read(body)


def item_at(engine: Engine, body: Body, at: int, value: Value, index: Value, *, is_slice: bool) -> Value:
    """Return what indexing a value gives."""
    bits = value.bits
    if not bits & KINDS or not index.bits:
        return BOTTOM
    keys = keys_in(index) if bits & (UNKNOWN | TENSOR) else []
    if bits & UNKNOWN and keys == ["params"]:  # a group of an optimizer's `param_groups`
        return engine.sequence(body, at, "list", of_bits(ANY_TENSOR), 6)
    found = BOTTOM
    for one in value.references:
        if isinstance(one, Container):
            found = join(found, _item_of(engine, body, at, one, index, is_slice=is_slice))
        elif isinstance(one, Instance):
            if isinstance(one.cls, Api):
                held = engine.any_module if bits & MODULE else ANYTHING
                found = join(found, held)
            else:
                given = _result_of(engine, body, one, "__getitem__")
                found = join(found, given if given.bits else ANYTHING)
        elif isinstance(one, (ClassSymbol, Api)):
            found = join(found, Value(bits & (CLASS | FUNCTION), (one,)))  # `Generic[T]`
        elif isinstance(one, Elsewhere) and not is_slice:
            found = join(found, _part_elsewhere(engine, one, bits))
    if bits & TENSOR and any(isinstance(key, str) for key in keys):
        found = join(found, ANYTHING)  # a dict of anything, wrongly annotated
    else:
        found = join(found, _parts_of(bits))
    if bits & (LOADER | OBJECT):
        found = join(found, ANYTHING)
    if found.bits and elsewhere_among(value):
        bits &= ~UNKNOWN
    return join(found, beyond(bits))


def _item_of(engine: Engine, body: Body, at: int, made: Container, index: Value, *, is_slice: bool) -> Value:
    if is_slice:
        if made.kind.startswith("torch."):
            return Value(MODULE, (made,))
        return engine.sequence(body, at, made.kind, made.element.read(body), 5)
    found = BOTTOM
    for key in keys_in(index):
        if made.kind == "dict":
            found = join(found, engine.entry(body, made, key))
        elif made.kind.startswith("torch."):
            held = made.element.read(body)
            found = join(found, engine.any_module if held.bits & UNKNOWN else held)
        elif isinstance(key, int) and -len(made.parts) <= key < len(made.parts):
            found = join(found, _placed(body, made, key))
        else:
            found = join(found, made.element.read(body))
    return found
