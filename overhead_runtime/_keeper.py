"""Methods that keep their result, and hand it out as long as what it depends on is the same.

The fast half is generated, in `_shapes`. The slow half is `Keeper`.
"""

from __future__ import annotations

import threading
import types
import weakref
from collections.abc import Callable
from typing import Any

from torch.compiler import is_dynamo_compiling as is_compiling

from ._shapes import Shape
from ._snapshots import CACHED, has_dict, is_transparent, same, slot_names, watch_all, whole_state

__all__ = ["SLOTS", "Keeper", "Method"]

Method = Callable[[Any], Any]

SLOTS = {"__repr__": "_repr_state", "__hash__": "_hash_state"}
"""Where an object keeps the result of a method, if its class has such a slot."""

_MAX_SHAPES = 8
"""Sets of attribute names that instances of one class may show before its results aren't kept."""


class _Table(dict[int, tuple[Any, ...]]):
    """Results of objects without such slots, for one method: by id, a weak reference and the state.

    A class that is pickled by value refers to the table of the process, and brings no results.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def __reduce__(self) -> tuple[Any, ...]:
        return _table_of, (self.name,)


_tables = {name: _Table(name) for name in SLOTS}


def _table_of(name: str) -> _Table:
    return _tables[name]


class _Thread(threading.local):
    """What this thread is making, to find cycles: a text cut short by a cycle must not be kept."""

    def __init__(self) -> None:
        self.active: list[tuple[Keeper, int]] = []
        self.cycles = 0


_thread = _Thread()


class _Restless(Exception):
    """A nested object holds a value that can change under the hand."""


class Keeper:
    """One method of one class: makes its results, and decides what may be kept.

    Args:
        cls: the class; for instances of subclasses nothing is kept.
        name: ``__repr__`` or ``__hash__``.
        plain: makes the result.
        fields: the attributes that the result depends on; every one that an instance has if None.
    """

    def __init__(self, cls: type, name: str, plain: Method, fields: tuple[str, ...] | None) -> None:
        self.cls, self.name, self.plain, self.fields = cls, name, plain, fields
        slot = getattr(cls, SLOTS[name], None)
        self.slot = slot if isinstance(slot, types.MemberDescriptorType) else None
        # What an instance holds beside its slots is learned from the instances: anything may be assigned.
        self.learns = fields is None and has_dict(cls)
        self.names = slot_names(cls) if fields is None else fields
        self.shape = Shape(self.names, () if self.learns else None)
        self.shapes: dict[tuple[str, ...], Shape] = {}
        self.table = _tables[name]
        self.look = repr if name == "__repr__" else hash
        self.formats = fields is not None and name == "__repr__"
        self.marker: Any = plain

    def install(self, marker: Any = ...) -> None:
        """Make the method for the names known now, and put it on the class.

        Args:
            marker: what to remember as the class's own method; the plain one if not given.
        """
        if marker is not ...:
            self.marker = marker
        method: Any = self._method(self.miss)
        method.__module__, method.__qualname__ = self.cls.__module__, f"{self.cls.__qualname__}.{self.name}"
        setattr(method, CACHED, self.marker)
        setattr(self.cls, self.name, method)

    def _method(self, miss: Method) -> Method:
        scope: dict[str, Any] = {"AGAIN": self.again, "MISS": miss, "TABLE": self.table}
        return self.shape.method(self.name, self.cls, self.slot.__name__ if self.slot else None, scope)

    def again(self, obj: Any, result: Any, nested: tuple[Any, ...]) -> Any:
        """Answer where the attributes are the same objects, and some need a closer look."""
        if is_compiling():
            return self.plain(obj)
        if not nested:
            return self._guarded(obj, self.plain)
        return result if self._unchanged(nested) else self._anew(obj)

    def miss(self, obj: Any) -> Any:
        """Make the result, and keep it if it can change only with what was looked at."""
        if is_compiling():
            return self.plain(obj)  # Dynamo traces what the class says, as in stock.
        if type(obj) is not self.cls:
            return self._guarded(obj, self.plain)
        other = self._other_shape(obj) if len(self.shapes) > 1 else None
        return self._anew(obj) if other is None else other.serve(obj)

    def _other_shape(self, obj: Any) -> Shape | None:
        """The shape of what was kept, where it is one of this method's, and not the newest."""
        try:
            state = self.slot.__get__(obj) if self.slot else self.table[id(obj)][1:]
        except (AttributeError, KeyError):
            return None
        shape: Shape = state[0]
        return shape if shape is not self.shape and self.shapes.get(shape.keys or ()) is shape else None

    def _anew(self, obj: Any) -> Any:
        return self._guarded(obj, self._make_of_all if self.fields is None else self._make_of_fields)

    def _guarded(self, obj: Any, make: Method) -> Any:
        """Call `make`, and take note if it comes back to the same object."""
        key = (self, id(obj))
        active = _thread.active
        if key in active:
            _thread.cycles += 1
            return "..." if self.formats else self.plain(obj)  # As a dataclass does.
        active.append(key)
        try:
            return make(obj)
        finally:
            active.pop()

    def _make_of_fields(self, obj: Any) -> Any:
        """Make the result of a generated method, which reads its fields and nothing else."""
        shape = self.shape
        try:
            values = shape.read(obj)
        except AttributeError:
            return self.plain(obj)
        cycles = _thread.cycles
        nested = self._nested(obj, values)
        result = shape.format(obj, values) if self.formats else self.plain(obj)
        if nested is None:
            self._keep(obj, (shape, None, (), *values))
        elif _thread.cycles == cycles and self._still(obj, values, nested):
            self._keep(obj, (shape, result, nested or None, *values))
        return result

    def _make_of_all(self, obj: Any) -> Any:
        """Make the result of a method written by hand, which may read whatever the object holds."""
        state = whole_state(obj)
        cycles = _thread.cycles
        try:
            nested = self._nested(obj, state[1:])
        except _Restless:
            return self.plain(obj)
        result = self.plain(obj)
        if nested is not None and not self._unchanged(nested):
            return result
        # What the method itself has stored, in a `cached_property`, say, is known from the next call on.
        if not same(state, whole_state(obj)):
            return result
        shape = self._shape_of(state)
        if shape is not None and nested is None:
            self._keep(obj, (shape, None, (), *shape.values(state)))
        elif shape is not None and _thread.cycles == cycles:
            self._keep(obj, (shape, result, nested or None, *shape.values(state)))
        return result

    def _shape_of(self, state: tuple[Any, ...]) -> Shape | None:
        """Find the attributes to look at for an object in this state; None where that cannot be."""
        if not self.learns:
            return self.shape
        attributes = state[1 + len(self.names) :]
        keys = attributes[: len(attributes) // 2]
        known = self.shapes.get(keys)
        if known is not None:
            return known
        if len(self.shapes) == _MAX_SHAPES or not all(type(key) is str for key in keys):
            return None
        if not hasattr(self.cls.__dict__.get(self.name), CACHED):
            return None  # Somebody has put another method in the place of this one.
        self.shape = shape = self.shapes[keys] = Shape(self.names, keys)
        # The newest is looked for first. Objects that still have another one come by `miss`.
        shape.serve = self._method(self._anew)
        self.install()
        return shape

    def _still(self, obj: Any, values: tuple[Any, ...], nested: tuple[Any, ...]) -> bool:
        """Whether no other thread wrote while the result was made."""
        if self.formats and not nested:
            return True  # Made of the values themselves.
        try:
            return same(values, self.shape.read(obj)) and self._unchanged(nested)
        except AttributeError:
            return False

    def _nested(self, obj: Any, values: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """What needs more than an identity test: pairs of an object and how it looked.

        None if a value can change under the hand. `_Restless` if one can in an object that is nested: other
        than here that may be over without a write to this object. So too where the way leads back to this
        object: while a tuple on it is being formatted, this object's text is cut short there.
        """
        found: list[Any] = []
        if not watch_all(values, found):
            return None
        if self.fields is not None:
            return tuple([(other, self.look(other)) for other in found])
        nested: dict[int, tuple[Any, tuple[Any, ...]]] = {}
        while found:
            other = found.pop()
            if other is obj:
                raise _Restless
            if id(other) not in nested:
                state = whole_state(other)
                nested[id(other)] = (other, state)
                if not is_transparent(type(other)) or not watch_all(state[1:], found):
                    raise _Restless
        return tuple(nested.values())

    def _unchanged(self, nested: tuple[Any, ...]) -> bool:
        if self.fields is None:
            return all(same(whole_state(other), state) for other, state in nested)
        return all(self.look(other) == looked for other, looked in nested)

    def _keep(self, obj: Any, state: tuple[Any, ...]) -> None:
        if self.slot:
            self.slot.__set__(obj, state)  # Not setattr: the class may be frozen.
            return
        table, key = self.table, id(obj)

        def forget(dead: weakref.ref[Any]) -> None:
            if table.get(key, (None,))[0] is dead:
                del table[key]

        known = table.get(key)
        reference = known[0] if known is not None and known[0]() is obj else weakref.ref(obj, forget)
        table[key] = (reference, *state)
