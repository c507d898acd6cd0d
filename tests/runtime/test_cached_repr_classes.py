"""`CachedRepr` and `cached_repr` where classes have heirs, built-in bases or changes of their own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pytest
from key_classes import WEAK, Plain, dataclass_of

from overhead_runtime import CachedRepr, cached_repr


def test_subclasses_of_a_decorated_class_are_not_covered_and_right() -> None:
    base: Any = cached_repr(dataclass_of())
    child = type("Child", (base,), {})
    obj = child()
    assert repr(obj) == "Child(margin=0, name='x', fmt=<Format.HYBRID: (448, 57344)>)"
    obj.margin = 1
    assert repr(obj) == "Child(margin=1, name='x', fmt=<Format.HYBRID: (448, 57344)>)"


def shout(self: Any) -> str:
    return f"{list(self.args) if isinstance(self, Exception) else list(self)} {vars(self)}"


BUILT_IN: dict[type, Callable[[Any], Any]] = {
    dict: lambda obj: obj.update(b=1),
    list: lambda obj: obj.append(1),
    set: lambda obj: obj.add(1),
    deque: lambda obj: obj.append(1),
    Exception: lambda obj: setattr(obj, "args", (1,)),
}


@pytest.mark.parametrize("base", BUILT_IN, ids=lambda base: base.__name__)
def test_what_a_built_in_base_holds_shows(base: type) -> None:
    cls: Any = cached_repr(type("Config", (base,), {"__repr__": shout}))
    obj = cls()
    obj.name = "one"
    before = repr(obj)
    assert repr(obj) == before == shout(obj)
    BUILT_IN[base](obj)
    assert repr(obj) == shout(obj) != before


def test_what_a_built_in_base_of_a_nested_config_holds_shows() -> None:
    @cached_repr
    class Inner:
        def __repr__(self) -> str:
            return shout(self)

    @cached_repr
    class Outer:
        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def __repr__(self) -> str:
            return f"Outer({self.inner!r})"

    inner: Any = type("Both", (Inner, dict), {})()
    outer = Outer(inner)
    assert repr(outer) == repr(outer) == "Outer([] {})"
    inner["a"] = 1
    assert repr(outer) == "Outer(['a'] {})"


def test_a_changed_class_changes_the_text() -> None:
    stock, cached = dataclass_of(), dataclass_of((CachedRepr,))
    others = type("Other", (stock,), {}), type("Other", (cached,), {})
    both = stock(), cached()
    for obj, other in zip(both, others, strict=True):
        repr(obj)
        obj.__class__ = other
    assert repr(both[1]) == repr(both[0])


@pytest.mark.skipif(WEAK is None, reason="weakref_slot came with Python 3.11")
def test_slots_with_weak_references_can_be_decorated() -> None:
    assert WEAK is not None
    cls: Any = cached_repr(dataclass_of(**WEAK))
    obj = cls()
    assert repr(obj) is repr(obj)
    obj.margin = 7
    assert repr(obj) == "Recipe(margin=7, name='x', fmt=<Format.HYBRID: (448, 57344)>)"


def test_decorating_twice_changes_nothing() -> None:
    cls: Any = cached_repr(dataclass_of())
    method = cls.__repr__
    assert cached_repr(cls).__repr__ is method


def test_a_replaced_method_stays_replaced() -> None:
    cls: Any = cached_repr(type("Own", (Plain,), {}))
    obj = cls()
    saved = cls.__repr__
    cls.__repr__ = lambda self: "mine"
    assert saved(obj).startswith("<Own")
    assert repr(obj) == "mine"
