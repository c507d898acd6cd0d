"""Which places a set of guards reads, if all of them can be watched.

The argument for skipping guards: each guard is a function of the arguments, of objects it reads, and of
global state. If all of these are as they were when the guards passed, they would pass again. So every
kind of guard, accessor and object that is not known here makes the whole entry unfit, never a part of it.
"""

from __future__ import annotations

import functools
import inspect
import re
import types
from collections import OrderedDict
from typing import Any

import torch
from torch._C._dynamo import guards

from .comparisons import same_objects, sizes_read
from .places import (
    DICTS,
    ORDERED_DICTS,
    Places,
    check_attribute,
    is_constant,
    is_held_to_itself,
    is_named_tuple,
    is_plain_tensor,
    slot_of,
)
from .unsupported import Unsupported

# Guards whose answer depends on nothing but the value and what is watched below it.
_LEAVES = {
    "COMPLEX_IS_NAN",
    "DICT_CONTAINS",
    "DICT_LENGTH",
    "DICT_VERSION",
    "DIMENSION_DYNAMIC_MARKING_GUARD",
    "EQUALS_MATCH",
    "FALSE_MATCH",
    "FLOAT_IS_NAN",
    "ID_MATCH",
    "LENGTH_CHECK",
    "MAPPING_KEYS_MATCH",
    "NONE_MATCH",
    "NOT_NONE",
    "NO_TENSOR_ALIASING",
    "OBJECT_ALIASING",
    "SET_CONTAINS",
    "TENSOR_MATCH",
    "TRUE_MATCH",
    "TYPE_MATCH",
}
# Some are so only for values of these types and for constants: others may compute the answer.
_PLAIN_FOR: dict[str, tuple[type, ...]] = {
    "EQUALS_MATCH": (list, set, frozenset),
    "LENGTH_CHECK": (*DICTS, list, tuple, set, frozenset),
    "DICT_CONTAINS": (*DICTS, types.MappingProxyType),
    "DICT_LENGTH": DICTS,
    "MAPPING_KEYS_MATCH": ORDERED_DICTS,
    "SET_CONTAINS": (set, frozenset),
}
# Of these types there is one object for each value.
_SINGLE = (bool, type(None), torch.dtype, torch.layout, torch.memory_format)
# An argument may be another object in each call.
_IDENTITY_LEAVES = {"ID_MATCH", "OBJECT_ALIASING", "DICT_VERSION"}
# Before Dynamo had a kind of guard for marks of dynamic dimensions, it asked for them by name. A tensor has
# them in its __dict__ alone, which is watched; an argument's is empty.
_NO_DIMENSION_MARK = re.compile(r"hasattr\(.+, '_dynamo_\w+'\) == False\b.*", re.DOTALL)
# Guards on global state that `memory` compares by other means.
_ROOT_LEAVES = {"GLOBAL_STATE", "TORCH_FUNCTION_MODE_STACK", "DEFAULT_DEVICE"}
_SAVED_HOOKS = "top_saved_tensors_hooks ids == None"

_ITEMS = {
    "DictGetItemGuardAccessor",
    "GetItemGuardAccessor",
    "ListGetItemGuardAccessor",
    "TupleGetItemGuardAccessor",
}
_PARTS = {
    "ClosureGuardAccessor": "__closure__",
    "CodeGuardAccessor": "__code__",
    "FuncDefaultsGuardAccessor": "__defaults__",
    "FuncKwDefaultsGuardAccessor": "__kwdefaults__",
    "GetGenericDictGuardAccessor": "__dict__",
    "TypeDictGuardAccessor": "__dict__",
    "TypeMROGuardAccessor": "__mro__",
}
_OWNERS: dict[str, type] = {
    "ClosureGuardAccessor": types.FunctionType,
    "CodeGuardAccessor": types.FunctionType,
    "FuncDefaultsGuardAccessor": types.FunctionType,
    "FuncKwDefaultsGuardAccessor": types.FunctionType,
    "TypeDictGuardAccessor": type,
    "TypeMROGuardAccessor": type,
}
_PART_OF_LOCAL = re.compile(r"L\['(\w+)'\](\[('\w*'|\d+)\])*")
_PART_OF_GLOBALS = re.compile(r"G\['(\w+)'\]")
_ITEM = re.compile(r"(?P<owner>.+)\[('\w*'|\d+)\]")
_ATTRIBUTE = re.compile(r"(?P<owner>.+)\.(?P<name>\w+)")


def _answers_by_itself(leaf: str, value: Any) -> bool:
    """Whether a guard's answer is a function of what is watched of its value, and of no code of others."""
    if leaf not in _PLAIN_FOR or is_constant(value):
        return True
    if leaf == "EQUALS_MATCH":
        return type(value) in _PLAIN_FOR[leaf] and is_constant(tuple(value))
    return type(value) in _PLAIN_FOR[leaf] or (leaf == "LENGTH_CHECK" and is_named_tuple(value))


def _asks_for_dimension_marks(leaf: Any, value: Any) -> bool:
    """Whether a guard only holds a plain tensor to having no mark of a dynamic dimension."""
    return (
        type(leaf).__name__ == "NO_HASATTR"
        and is_plain_tensor(value)
        and all(_NO_DIMENSION_MARK.fullmatch(part) for part in leaf.verbose_code_parts())
    )


def _is_item(value: Any, accessor: Any, source: str) -> bool:
    """Whether a part of an argument is one of those that are compared with it."""
    if type(accessor).__name__ in _ITEMS:
        return type(value) in (dict, list, tuple, torch.Size) or is_named_tuple(value)
    return is_named_tuple(value) and source.rpartition(".")[2] in type(value)._fields


class _Walk:
    """One pass over a guard tree."""

    def __init__(self, names: dict[str, Any], function: types.FunctionType, prefix: int) -> None:
        code = function.__code__
        named = code.co_argcount + code.co_kwonlyargcount
        self.places = Places()
        self._bound = set(code.co_varnames[:prefix])
        collected = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
        # The tuple and the dict are made anew for each call: their items are the caller's.
        self._collected = set(code.co_varnames[named : named + collected])
        self._globals = function.__globals__
        self._arguments = set(code.co_varnames[prefix:named])
        self._free = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
        self._scope = {"L": names, "G": function.__globals__}
        self._pinned: set[str] = set()

    def root(self, root: Any) -> None:
        for leaf in root.get_leaf_guards():
            name = type(leaf).__name__
            if name in _ROOT_LEAVES or (
                name == "LAMBDA_GUARD" and all(_SAVED_HOOKS in part for part in leaf.verbose_code_parts())
            ):
                continue
            raise Unsupported(f"a guard of kind {name}: {leaf.verbose_code_parts()[0][:80]}")
        for accessor, child in zip(root.get_accessors(), root.get_child_managers(), strict=True):
            if type(accessor).__name__ == "GlobalsGuardAccessor":
                self._globals_of(child)
            else:
                self._local(child)
        for guard in root.get_epilogue_lambda_guards():
            for part in guard.verbose_code_parts():
                for source in same_objects(part) or filter(self._may_change, sizes_read(part)):
                    self._pin(source)

    def _may_change(self, source: str) -> bool:
        """Whether a value is no part of an argument that is compared as a whole."""
        part = _PART_OF_LOCAL.fullmatch(source)
        return part is None or part[1] not in self._arguments | self._collected

    def _pin(self, source: str) -> None:
        """Raise unless which object ``source`` names is a function of what is watched."""
        if source in self._pinned:
            return
        of_globals, item, attribute = (one.fullmatch(source) for one in (_PART_OF_GLOBALS, _ITEM, _ATTRIBUTE))
        if of_globals is not None:
            self.places.key(self._globals, of_globals[1])
        elif item is not None:
            self._pin(item["owner"])
            if type(self._value(item["owner"])) not in (dict, list, tuple):
                raise Unsupported(f"{source} is an item of an unknown container")
        elif attribute is not None:
            self._pin(attribute["owner"])
            self._follow(self._value(attribute["owner"]), attribute["name"], source)
        else:
            raise Unsupported(f"{source} is not understood")
        self.places.add(self._value(source), source)
        self._pinned.add(source)

    def _local(self, manager: Any) -> None:
        source = manager.get_source()
        name = source[3:-2]
        if source != f"L['{name}']":
            raise Unsupported(f"{source} is no local variable")
        if name in self._arguments or name in self._collected:
            self._argument(manager, source)
            return
        if name in self._free:
            self.places.add(self._free[name], source)
        elif name not in self._bound:
            raise Unsupported(f"guards on {name}, which is made anew for each call")
        self._visit(manager, self._value(source))

    def _argument(self, manager: Any, source: str) -> None:
        value = self._value(source)
        if is_held_to_itself(value):
            self._visit(manager, value)
            return
        # Others are compared as a whole, so there is nothing below them to watch.
        self._leaves(manager, value)
        kinds = {type(leaf).__name__ for leaf in manager.get_leaf_guards()}
        if kinds & _IDENTITY_LEAVES and type(value) not in _SINGLE:
            raise Unsupported(f"a guard on the identity of the argument {source}")
        if isinstance(manager, guards.DictGuardManager):
            for pair in manager.get_key_value_managers().values():
                for child in filter(None, pair):
                    self._argument(child, child.get_source())
        for accessor, child in zip(manager.get_accessors(), manager.get_child_managers(), strict=True):
            if not _is_item(value, accessor, child.get_source()):
                raise Unsupported(f"guards look into the argument {source}")
            self._argument(child, child.get_source())

    def _globals_of(self, manager: Any) -> None:
        if manager.get_leaf_guards():
            raise Unsupported("a guard on the globals as a whole")
        for accessor, child in zip(manager.get_accessors(), manager.get_child_managers(), strict=True):
            source = child.get_source()
            name = source[3:-2]
            if type(accessor).__name__ != "DictGetItemGuardAccessor" or source != f"G['{name}']":
                raise Unsupported(f"{source} is no global variable")
            self.places.key(self._globals, name)
            self._visit(child, self._value(source))

    def _visit(self, manager: Any, value: Any) -> None:
        source = manager.get_source()
        if type(value) is not types.MappingProxyType:  # let through by `_step` for a class's dict alone
            self.places.add(value, source)
        self._leaves(manager, value)
        self._pinned.add(source)
        if isinstance(manager, guards.DictGuardManager):
            if type(value) is OrderedDict:
                self.places.order(value)
            elif type(value) not in ORDERED_DICTS:
                raise Unsupported(f"the order of {source} has no number")
            for key, item in manager.get_key_value_managers().values():
                for child in (key, item):
                    if child is not None:
                        self._visit(child, self._value(child.get_source()))
            children = manager.get_child_managers()
            if len(children) != len(manager.get_accessors()):
                raise Unsupported(f"{source} has guards of an unknown form")
        for accessor, child in zip(manager.get_accessors(), manager.get_child_managers(), strict=True):
            self._visit(child, self._step(value, accessor, child.get_source()))

    def _leaves(self, manager: Any, value: Any) -> None:
        for leaf in manager.get_leaf_guards():
            name = type(leaf).__name__
            if name not in _LEAVES and not _asks_for_dimension_marks(leaf, value):
                raise Unsupported(f"a guard of kind {name} on {manager.get_source()}")
            if not _answers_by_itself(name, value):
                raise Unsupported(f"{name} on {manager.get_source()}, a {type(value).__name__}")

    def _step(self, owner: Any, accessor: Any, source: str) -> Any:
        kind = type(accessor).__name__
        if kind == "TypeGuardAccessor":
            return type(owner)
        if kind in _PARTS:
            if not isinstance(owner, _OWNERS.get(kind, object)):
                raise Unsupported(f"{source} is a part of a {type(owner).__name__}")
            part = getattr(owner, _PARTS[kind])
            if isinstance(part, types.MappingProxyType) and kind != "TypeDictGuardAccessor":
                raise Unsupported(f"{source} is a view of a dict")
            return part
        if kind in _ITEMS:
            known = (*DICTS, list, tuple, torch.Size, types.MappingProxyType)
            if type(owner) not in known and not is_named_tuple(owner):
                raise Unsupported(f"{source} is an item of a {type(owner).__name__}")
            return self._not_a_view(source)
        if kind in ("GetAttrGuardAccessor", "GenericGetAttrGuardAccessor"):
            self._follow(owner, source.rpartition(".")[2], source)
            return self._not_a_view(source)
        raise Unsupported(f"{source} is reached by {kind}")

    def _follow(self, owner: Any, name: str, source: str) -> None:
        """Raise unless an attribute is a function of what is watched; watch it where only it is read."""
        if not isinstance(owner, types.ModuleType):
            slot = slot_of(owner, name)
            if slot is not None:
                self.places.slot(owner, slot)
            else:
                check_attribute(owner, name, source)
            return
        kind: Any = type(owner)
        found = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
        plain = kind.__getattribute__ is types.ModuleType.__getattribute__
        if not plain or name not in vars(owner) or hasattr(type(found), "__set__"):
            raise Unsupported(f"{source} is computed, not read")
        self.places.key(vars(owner), name)

    def _not_a_view(self, source: str) -> Any:
        value = self._value(source)
        if type(value) is types.MappingProxyType:
            raise Unsupported(f"{source} is a view of a dict")
        return value

    def _value(self, source: str) -> Any:
        try:
            return eval(_compiled(source), {}, self._scope)
        except (AttributeError, KeyError, IndexError, NameError, SyntaxError, TypeError) as error:
            raise Unsupported(f"{source} cannot be read: {error}") from None


@functools.lru_cache(maxsize=8192)
def _compiled(source: str) -> types.CodeType:
    return compile(source, "<guard source>", "eval")


def places_read(
    root: Any, names: dict[str, Any], function: types.FunctionType, prefix: int
) -> dict[str, list[Any]]:
    """Everything that the guards of an entry read, apart from arguments and global state.

    Args:
        root: The root guard manager.
        names: The local names of a call whose guards just passed.
        function: The compiled function.
        prefix: How many of its parameters are bound beforehand: 1 for a method or module.

    Returns:
        The places by kind, for the native core.

    Raises:
        Unsupported: Some guard reads what cannot be watched; the message names it.
    """
    walk = _Walk(names, function, prefix)
    walk.root(root)
    walk.places.key(vars(torch.utils._device), "CURRENT_DEVICE")
    return walk.places.lists()
