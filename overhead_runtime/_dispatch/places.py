"""Which objects have changes that can be noticed, and which attributes are read as they are stored."""

from __future__ import annotations

import types
from collections import OrderedDict, namedtuple
from typing import Any

import torch

from .unsupported import Unsupported

_CONSTANTS = (
    bool,
    bytes,
    complex,
    float,
    int,
    str,
    type(None),
    type(...),
    object,  # itself, as made for a sentinel: it has no attributes, and its class cannot be set
    range,
    torch.Size,
    torch.device,
    torch.dtype,
    torch.layout,
    torch.memory_format,
    types.BuiltinFunctionType,
    types.CodeType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
)
_TENSORS = (torch.Tensor, torch.nn.Parameter)
# Read-only parts of objects that are watched themselves or cannot change.
_FIXED_ATTRIBUTES: dict[type, set[str]] = {
    types.FunctionType: {"__code__", "__defaults__", "__kwdefaults__", "__closure__"},
    types.MethodType: {"__func__", "__self__"},
    types.CellType: {"cell_contents"},
    property: {"fget", "fset", "fdel"},
    staticmethod: {"__func__"},
    classmethod: {"__func__"},
}


class Places:
    """Collects the objects to watch, each once."""

    def __init__(self) -> None:
        kinds = ("objects", "dicts", "types", "lists", "cells", "functions", "tensors", "instances")
        self._found: dict[str, dict[int, Any]] = {kind: {} for kind in kinds}
        self._keys: dict[tuple[int, str], tuple[dict[str, Any], str]] = {}

    def key(self, mapping: dict[str, Any], name: str) -> None:
        """Watch one entry of a dict whose other entries may change at any time."""
        self._keys[id(mapping), name] = (mapping, name)

    def lists(self) -> dict[str, list[Any]]:
        """By kind, as the native core takes them."""
        return {
            **{kind: list(found.values()) for kind, found in self._found.items()},
            "keys": [*self._keys.values()],
        }

    def add(self, value: Any, source: str) -> None:
        """Watch a value that guards look at.

        Raises:
            Unsupported: Its changes cannot be noticed.
        """
        kind = type(value)
        # What these refer to is fixed when they are made; a module's entries are watched one by one.
        if is_constant(value) or kind in (
            tuple,
            types.MethodType,
            property,
            staticmethod,
            classmethod,
        ):
            return
        if kind in _TENSORS:
            self._found["tensors"][id(value)] = value
        elif kind in (dict, OrderedDict):
            self._found["dicts"][id(value)] = value
        elif kind is list:
            self._found["lists"][id(value)] = value
        elif kind is types.CellType:
            self._found["cells"][id(value)] = value
        elif kind is types.FunctionType:
            self._add_function(value)
        elif isinstance(value, type):
            self._add_class(value)
            self._add_instance(value)
        elif is_named_tuple(value) or isinstance(value, types.ModuleType):
            self._add_instance(value)
        elif _is_plain_object(value):
            self._found["objects"][id(value)] = value
            self._add_class(kind)
        else:
            raise Unsupported(f"{source} is a {kind.__name__}, whose changes have no number")

    def _add_function(self, function: types.FunctionType) -> None:
        self._found["functions"][id(function)] = function
        for cell in function.__closure__ or ():
            self._found["cells"][id(cell)] = cell
        for mapping in (function.__kwdefaults__, function.__dict__):
            if mapping is not None:
                self._found["dicts"][id(mapping)] = mapping

    def _add_instance(self, value: Any) -> None:
        """Watch the class of an object, in which its attributes are looked up, too."""
        self._found["instances"][id(value)] = value
        self._add_class(type(value))

    def _add_class(self, cls: type) -> None:
        for base in cls.__mro__:
            if base.__flags__ & _HEAP_TYPE:
                self._found["types"][id(base)] = base


_HEAP_TYPE = 1 << 9
_TUPLE_FIELD = type(vars(namedtuple("_OneField", "field"))["field"])


def is_constant(value: Any) -> bool:
    """Whether a value can never change, all the way down."""
    if type(value) in (tuple, frozenset):
        return all(is_constant(item) for item in value)
    return type(value) in _CONSTANTS


def is_named_tuple(value: Any) -> bool:
    cls: Any = type(value)
    return (
        isinstance(value, tuple)
        and hasattr(cls, "_fields")
        and cls.__dictoffset__ == 0
        and cls.__getitem__ is tuple.__getitem__
        and cls.__len__ is tuple.__len__
        and cls.__getattribute__ is tuple.__getattribute__
    )


def _is_plain_object(value: Any) -> bool:
    cls: Any = type(value)
    return (
        cls.__getattribute__ is object.__getattribute__
        and cls.__dictoffset__ != 0
        and type(getattr(value, "__dict__", None)) is dict
        and not isinstance(value, (dict, list, tuple, set, frozenset, torch.Tensor))
        and not any(base.__dict__.get("__slots__") for base in cls.__mro__)
    )


def is_held_to_itself(value: Any) -> bool:
    """Whether an argument is remembered as the object that it is: a plain one that may be held weakly."""
    cls: Any = type(value)
    return _is_plain_object(value) and cls.__weakrefoffset__ != 0


def check_attribute(owner: Any, name: str, source: str) -> None:
    """See that an attribute is a function of what is watched of its owner.

    Raises:
        Unsupported: it is not, or nobody knows.
    """
    kind: Any = type(owner)
    if name in _FIXED_ATTRIBUTES.get(kind, ()) or (kind is types.FunctionType and name in owner.__dict__):
        return
    if isinstance(owner, type):
        plain: Any = type.__getattribute__
        found = next((vars(base)[name] for base in owner.__mro__ if name in vars(base)), None)
        in_metaclass = any(name in vars(base) for base in kind.__mro__)
        if (
            kind.__getattribute__ is plain
            and found is not None
            and not in_metaclass
            and _binds_plainly(found)
        ):
            return
    elif is_named_tuple(owner):
        if name in kind._fields and type(vars(kind).get(name)) is _TUPLE_FIELD:
            return
    elif _is_plain_object(owner):
        if name in ("__dict__", "__class__"):
            return
        found = next((base.__dict__[name] for base in kind.__mro__ if name in base.__dict__), None)
        if not hasattr(type(found), "__set__") and (
            name in owner.__dict__ or (found is not None and _binds_plainly(found))
        ):
            return
    raise Unsupported(f"{source} is computed, not read")


def _binds_plainly(attribute: Any) -> bool:
    return not hasattr(type(attribute), "__get__") or type(attribute) in (
        types.FunctionType,
        staticmethod,
        classmethod,
    )
