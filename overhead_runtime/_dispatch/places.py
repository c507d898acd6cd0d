"""Which objects have changes that can be noticed, and which attributes are read as they are stored."""

from __future__ import annotations

import functools
import types
from collections import Counter, OrderedDict, defaultdict, namedtuple
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
# Their items lie in the dict that they are: its versions show all changes of them.
DICTS: tuple[type, ...] = (dict, OrderedDict, defaultdict, Counter)
# Of these, the changes of their order, too.
ORDERED_DICTS: tuple[type, ...] = (dict, defaultdict, Counter)
# Types of C whose attributes lie in the object as those of slots do.
_SLOTTED = (defaultdict, functools.partial)
# Read-only parts of objects that are watched themselves or cannot change.
_FIXED_ATTRIBUTES: dict[type, set[str]] = {
    types.FunctionType: {"__code__", "__defaults__", "__kwdefaults__", "__closure__"},
    types.MethodType: {"__func__", "__self__"},
    types.CellType: {"cell_contents"},
    property: {"fget", "fset", "fdel"},
    staticmethod: {"__func__"},
    classmethod: {"__func__"},
    range: {"start", "stop", "step"},
}


class Places:
    """Collects the objects to watch, each once."""

    def __init__(self) -> None:
        kinds = (
            "objects",
            "dicts",
            "types",
            "lists",
            "iterables",
            "cells",
            "functions",
            "tensors",
            "instances",
        )
        self._found: dict[str, dict[int, Any]] = {kind: {} for kind in kinds}
        self._keys: dict[tuple[int, str], tuple[dict[str, Any], str]] = {}
        self._slots: dict[tuple[int, str], tuple[Any, types.MemberDescriptorType]] = {}

    def key(self, mapping: dict[str, Any], name: str) -> None:
        """Watch one entry of a dict whose other entries may change at any time."""
        self._keys[id(mapping), name] = (mapping, name)

    def order(self, mapping: OrderedDict[Any, Any]) -> None:
        """Watch the order of a dict whose versions do not show it."""
        self._found["iterables"][id(mapping)] = mapping

    def slot(self, owner: Any, descriptor: types.MemberDescriptorType) -> None:
        """Watch one attribute that lies in the object itself, by the descriptor of its class."""
        self._slots[id(owner), descriptor.__name__] = (owner, descriptor)

    def lists(self) -> dict[str, list[Any]]:
        """By kind, as the native core takes them."""
        return {
            **{kind: list(found.values()) for kind, found in self._found.items()},
            "keys": [*self._keys.values()],
            "slots": [*self._slots.values()],
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
        if is_plain_tensor(value):
            self._found["tensors"][id(value)] = value
            self._add_class(kind)
        elif kind in DICTS:
            self._found["dicts"][id(value)] = value
            self._add_class(kind)
        elif kind in (set, frozenset):
            self._add_set(value, source)
        elif kind is list:
            self._found["lists"][id(value)] = value
        elif kind is types.CellType:
            self._found["cells"][id(value)] = value
        elif kind is types.FunctionType:
            self._add_function(value)
        elif isinstance(value, type):
            self._add_class(value)
            self._add_instance(value)
        elif is_named_tuple(value) or isinstance(value, types.ModuleType) or _is_slotted(value):
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

    def _add_set(self, value: Any, source: str) -> None:
        """Watch the items of a set, if what they are equal to is a question of what they are."""
        for item in value:
            kind: Any = type(item)
            if not is_constant(item):
                if kind.__eq__ is not object.__eq__ or kind.__hash__ is not object.__hash__:
                    raise Unsupported(f"{source} has an item that says itself what it is equal to")
                self._add_class(kind)
        if type(value) is set:
            self._found["iterables"][id(value)] = value

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


def is_plain_tensor(value: Any) -> bool:
    """Whether a value is a tensor whose attributes are looked up as those of any object."""
    cls: Any = type(value)
    return torch.Tensor in cls.__mro__ and cls.__getattribute__ is object.__getattribute__


def _is_plain_object(value: Any) -> bool:
    cls: Any = type(value)
    return (
        (cls.__getattribute__ is object.__getattribute__ or cls is types.SimpleNamespace)
        and cls.__dictoffset__ != 0
        and type(getattr(value, "__dict__", None)) is dict
        and not isinstance(value, (dict, list, tuple, set, frozenset, torch.Tensor))
    )


def _is_slotted(value: Any) -> bool:
    """Whether an object has its attributes in slots and no others that guards read."""
    cls: Any = type(value)
    return cls in _SLOTTED or (
        cls.__getattribute__ is object.__getattribute__
        and cls.__dictoffset__ == 0
        and all(base is object or base.__flags__ & _HEAP_TYPE for base in cls.__mro__)
    )


def slot_of(owner: Any, name: str) -> types.MemberDescriptorType | None:
    """The descriptor of an attribute that lies in a slot of its owner, or None where it does not."""
    cls: Any = type(owner)
    if not (_is_slotted(owner) or _is_plain_object(owner)):
        return None
    found = next((base.__dict__[name] for base in cls.__mro__ if name in base.__dict__), None)
    if type(found) is not types.MemberDescriptorType:
        return None
    of_python = found.__objclass__.__flags__ & _HEAP_TYPE
    return found if of_python or found.__objclass__ in _SLOTTED else None


def is_held_to_itself(value: Any) -> bool:
    """Whether an argument is remembered as the object that it is: one that may be held weakly."""
    cls: Any = type(value)
    return cls is types.BuiltinFunctionType or (_is_plain_object(value) and cls.__weakrefoffset__ != 0)


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
