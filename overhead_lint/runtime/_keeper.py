"""Methods that keep their result, and hand it out as long as what it depends on is the same.

The fast half is generated: one identity test an attribute. The slow half is `Keeper`.
"""

from __future__ import annotations

import dataclasses
import keyword
import threading
import types
import weakref
from collections.abc import Callable
from typing import Any

from torch.compiler import is_dynamo_compiling as is_compiling

from ._generated import formatter, reader
from ._snapshots import CACHED, has_dict, is_transparent, same, slot_names, watch_all, whole_state

__all__ = ["SLOTS", "Keeper", "Method"]

Method = Callable[[Any], Any]

SLOTS = {"__repr__": "_repr_state", "__hash__": "_hash_state"}
"""Where an object keeps the result of a method, if its class has such a slot."""

_MAX_SHAPES = 8
"""Sets of attribute names that a class without declared ones may show before its results aren't kept."""


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


_SOURCE = """\
def {name}(self):
    again = None
    try:
        {head}token, result, nested, size, {targets}= {load}
        if token is TOKEN and type(self) is OWNER{tests}:
            if nested is None:
                return result
            again = nested
    except (AttributeError, KeyError, ValueError):
        pass
    if again is not None:
        return AGAIN(self, result, again)
    return MISS(self)
"""


class _Thread(threading.local):
    """What this thread is making, to find cycles: a text cut short by a cycle must not be kept."""

    def __init__(self) -> None:
        self.active: list[tuple[Keeper, int]] = []
        self.cycles = 0


_thread = _Thread()


class _Restless(Exception):
    """A nested object holds a value that can change under the hand."""


class _Shape:
    """The attributes that a result depends on; also the mark of results that were kept for them."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.read = reader(names)
        self.format = formatter(names)


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
        slots = slot_names(cls)
        if fields is not None:
            names = fields
        elif dataclasses.is_dataclass(cls):
            names = tuple(dict.fromkeys([f.name for f in dataclasses.fields(cls)] + [*slots]))
        else:
            names = slots
        self.shape = _Shape(names)
        self.table = _tables[name]
        self.look = repr if name == "__repr__" else hash
        # Attributes beside the named ones show in the size of the dict.
        self.sized = fields is None and has_dict(cls)
        self.formats = fields is not None and name == "__repr__"
        # A plain class's names are learned from its instances.
        self.learns = self.sized and not dataclasses.is_dataclass(cls)
        self.shapes = 0
        self.marker: Any = plain

    def install(self, marker: Any = ...) -> None:
        """Make the method for the names known now, and put it on the class.

        Args:
            marker: what to remember as the class's own method; the plain one if not given.
        """
        if marker is not ...:
            self.marker = marker
        names = self.shape.names
        targets = [f"v{index}" for index in range(len(names))]
        tests = [] if self.slot else ["reference() is self"]
        tests += ["len(self.__dict__) == size"] if self.sized else []
        tests += [f"self.{name} is {target}" for name, target in zip(names, targets, strict=True)]
        source = _SOURCE.format(
            name=self.name,
            head="" if self.slot else "reference, ",
            load=f"self.{self.slot.__name__}" if self.slot else "TABLE[id(self)]",
            targets="".join(f"{target}, " for target in targets),
            tests="".join(f" and {test}" for test in tests),
        )
        scope: dict[str, Any] = {"OWNER": self.cls, "TOKEN": self.shape, "AGAIN": self.again}
        scope |= {"MISS": self.miss, "TABLE": self.table}
        exec(source, scope)
        method = scope[self.name]
        method.__module__, method.__qualname__ = self.cls.__module__, f"{self.cls.__qualname__}.{self.name}"
        setattr(method, CACHED, self.marker)
        setattr(self.cls, self.name, method)

    def again(self, obj: Any, result: Any, nested: tuple[Any, ...]) -> Any:
        """Answer where the attributes are the same objects, and some need a closer look."""
        if is_compiling():
            return self.plain(obj)
        if not nested:
            return self._guarded(obj, self.plain)
        return result if self._unchanged(nested) else self.miss(obj)

    def miss(self, obj: Any) -> Any:
        """Make the result, and keep it if it can change only with what was looked at."""
        if is_compiling():
            return self.plain(obj)  # Dynamo traces what the class says, as in stock.
        return self._guarded(obj, self._make if type(obj) is self.cls else self.plain)

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

    def _make(self, obj: Any) -> Any:
        if self.learns and not self._learn(obj):
            return self.plain(obj)
        shape = self.shape
        try:
            values = shape.read(obj)
            size = len(obj.__dict__) if self.sized else 0
        except AttributeError:
            return self.plain(obj)
        cycles = _thread.cycles
        try:
            nested = self._nested(obj, values)
        except _Restless:
            return self.plain(obj)
        result = shape.format(obj, values) if self.formats else self.plain(obj)
        if nested is None:
            self._keep(obj, (shape, None, (), size, *values))
        elif _thread.cycles == cycles and self._still(obj, shape, values, size, nested):
            self._keep(obj, (shape, result, nested or None, size, *values))
        return result

    def _learn(self, obj: Any) -> bool:
        """Look for attributes by the names that this instance has from now on."""
        names = (*slot_names(self.cls), *obj.__dict__)
        if names == self.shape.names and self.shapes:
            return True
        if self.shapes == _MAX_SHAPES or not all(
            n.isidentifier() and not keyword.iskeyword(n) for n in names
        ):
            return False
        if not hasattr(self.cls.__dict__.get(self.name), CACHED):
            return False  # Somebody has put another method in the place of this one.
        self.shape = _Shape(names)
        self.shapes += 1
        self.install()
        return True

    def _still(
        self, obj: Any, shape: _Shape, values: tuple[Any, ...], size: int, nested: tuple[Any, ...]
    ) -> bool:
        """Whether no other thread wrote while the result was made."""
        if self.formats and not nested:
            return True  # Made of the values themselves.
        try:
            same_values = same(values, shape.read(obj)) and (not self.sized or len(obj.__dict__) == size)
        except AttributeError:
            return False
        return same_values and self._unchanged(nested)

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
