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

__all__ = ["CACHED", "has_dict", "is_cached_class", "same", "slot_names", "watch", "whole_state"]

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


def is_cached_class(cls: type) -> bool:
    """Whether a class caches its text or hash, and so promises what they depend on."""
    return hasattr(cls.__repr__, CACHED) or hasattr(cls.__hash__, CACHED)


def watch(value: Any, found: list[Any]) -> bool:
    """Tell whether `value` looks the same as long as it is the same object.

    Args:
        value: what an attribute holds.
        found: gets each object on the way whose class caches its text; those must be watched in turn.

    Returns:
        False if `value`, or something in it, can change under the hand.
    """
    kind = type(value)
    if kind in _ATOMS:
        return True
    if kind in _SEQUENCES or (
        issubclass(kind, tuple) and getattr(kind.__repr__, "__code__", None) is _NAMEDTUPLE_REPR
    ):
        return all(watch(item, found) for item in value)
    if issubclass(kind, enum.Enum):
        return kind.__repr__ in _ENUM_REPRS and watch(value._value_, found)
    if issubclass(kind, type):
        return kind.__repr__ is type.__repr__
    if is_cached_class(kind):
        found.append(value)
        return True
    return False


@functools.lru_cache(maxsize=512)
def slot_names(cls: type) -> tuple[str, ...]:
    """The slots of a class and its bases, as attribute names."""
    names = []
    for base in cls.__mro__:
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name.startswith("__") and not name.endswith("__"):
                name = f"_{base.__name__.lstrip('_')}{name}"
            if name not in ("__dict__", "__weakref__") and name not in OWN_SLOTS:
                names.append(name)
    return tuple(names)


def has_dict(cls: type) -> bool:
    """Whether instances have a ``__dict__``."""
    return cls.__dictoffset__ != 0


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
