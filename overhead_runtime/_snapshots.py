"""What an object's text depends on, held by identity: the ground on which a cached text may be reused.

A snapshot is sound if each value in it can never look different while it is the same object. Such values are
atoms (numbers, strings, dtypes, paths, classes, functions, plain enum members), tuples and frozensets of
them, and objects whose class caches its text too: those are watched in turn.
"""

from __future__ import annotations

import enum
import functools
import operator
import pathlib
import types
from collections import namedtuple
from typing import Any

import torch

__all__ = ["CACHED", "has_dict", "is_transparent", "same", "slot_names", "watch_all", "whole_state"]

CACHED = "__overhead_cached__"
"""Attribute of the methods made here: marks a class whose text is a function of its instances' attributes."""
OWN_SLOTS = frozenset({"_repr_state", "_hash_state"})

_ATOMS: frozenset[type] = frozenset(
    {
        *(bool, int, float, complex, str, bytes, range),
        *(type(None), type(Ellipsis), type(NotImplemented)),
        *(torch.dtype, torch.device, torch.layout, torch.memory_format),
        *(pathlib.PurePosixPath, pathlib.PureWindowsPath, pathlib.PosixPath, pathlib.WindowsPath),
        *(types.FunctionType, types.BuiltinFunctionType),
    }
)
_SEQUENCES: frozenset[type] = frozenset({tuple, frozenset, torch.Size})
# Every namedtuple's __repr__ is made from this one code object; another one may be anything.
_NAMEDTUPLE_REPR = namedtuple("_Point", "x").__repr__.__code__
_ENUM_REPRS = frozenset(
    {enum.Enum.__repr__, enum.IntEnum.__repr__, enum.Flag.__repr__, enum.IntFlag.__repr__}
)
_UNSET = object()


class _Kind(enum.Enum):
    """What is known of all instances of a class."""

    ATOM = enum.auto()
    SEQUENCE = enum.auto()
    MEMBER = enum.auto()
    CACHED = enum.auto()
    UNKNOWN = enum.auto()


@functools.lru_cache(maxsize=1024)
def _kind_of(cls: Any) -> _Kind:
    if cls in _ATOMS or (issubclass(cls, type) and cls.__repr__ is type.__repr__):
        return _Kind.ATOM
    if cls in _SEQUENCES:
        return _Kind.SEQUENCE
    if issubclass(cls, tuple) and getattr(cls.__repr__, "__code__", None) is _NAMEDTUPLE_REPR:
        # A subclass without slots has attributes, which nobody watches.
        return _Kind.UNKNOWN if has_dict(cls) else _Kind.SEQUENCE
    if issubclass(cls, enum.Enum):
        return _Kind.MEMBER if cls.__repr__ in _ENUM_REPRS else _Kind.UNKNOWN
    return _Kind.CACHED if hasattr(cls.__repr__, CACHED) else _Kind.UNKNOWN


def watch(value: Any, found: list[Any]) -> bool:
    """Tell whether `value` looks the same as long as it is the same object.

    Args:
        value: what an attribute holds.
        found: gets each object on the way whose class caches its text; those must be watched in turn.

    Returns:
        False if `value`, or something in it, can change under the hand.
    """
    cls: Any = type(value)
    if cls in _ATOMS:  # Before the look-up: most values are.
        return True
    kind = _kind_of(cls)
    if kind is _Kind.ATOM:
        return True
    if kind is _Kind.SEQUENCE:
        return watch_all(value, found)
    if kind is _Kind.MEMBER:
        return watch(value._value_, found)
    if kind is _Kind.CACHED:
        found.append(value)
        return True
    return False


def watch_all(values: Any, found: list[Any]) -> bool:
    """Tell of several values what `watch` tells of one."""
    for value in values:  # noqa: SIM110 - a generator costs more than the rest
        if type(value) not in _ATOMS and not watch(value, found):
            return False
    return True


def _own_slots(cls: type) -> tuple[str, ...]:
    slots = cls.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


@functools.lru_cache(maxsize=512)
def slot_names(cls: type) -> tuple[str, ...]:
    """The slots of a class and its bases, as attribute names."""
    names = []
    for base in cls.__mro__:
        for name in _own_slots(base):
            if name.startswith("__") and not name.endswith("__"):
                name = f"_{base.__name__.lstrip('_')}{name}"
            if name not in ("__dict__", "__weakref__") and name not in OWN_SLOTS:
                names.append(name)
    return tuple(names)


def has_dict(cls: type) -> bool:
    """Whether instances have a ``__dict__``."""
    return cls.__dictoffset__ != 0


def is_transparent(cls: Any) -> bool:
    """Whether instances hold nothing but attributes: no items of a dict or list, no tensor's data.

    The measure by which pickling by attributes is allowed: an instance is as large as its slots.
    """
    slots = [_own_slots(base) for base in cls.__mro__]
    names = [name for own in slots for name in own if name not in ("__dict__", "__weakref__")]
    pointers = len(names) + (cls.__dictoffset__ > 0) + (cls.__weakrefoffset__ > 0)
    plain = object.__basicsize__
    return bool(cls.__itemsize__ == 0 and cls.__basicsize__ <= plain + pointers * (plain // 2))


def whole_state(obj: Any) -> tuple[Any, ...]:
    """Class, attribute names and values of an object, to be compared by identity."""
    cls: Any = type(obj)
    slots = [getattr(obj, name, _UNSET) for name in slot_names(cls)]
    if not has_dict(cls):
        return (cls, *slots)
    attributes = obj.__dict__
    return (cls, *slots, *attributes, *attributes.values())


def same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether two snapshots hold the same objects."""
    return len(one) == len(other) and all(map(operator.is_, one, other))
