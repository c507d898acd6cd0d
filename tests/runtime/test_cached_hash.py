"""`cached_hash`, in both forms: each class has a twin without it, and must have the same hash."""

from __future__ import annotations

import copy
import dataclasses
import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from key_classes import MAKERS, SLOTS, WAYS, Config, Format, Plain, dataclass_of
from runtime_forms import FORMS, function

from overhead_runtime import CachedRepr, cached_hash, cached_repr


@pytest.fixture(params=FORMS)
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a test with the hash of Python, and with the compiled one."""
    monkeypatch.setattr(request.module, "cached_hash", function("cached_hash", request.param))


@pytest.mark.usefixtures("form")
@pytest.mark.parametrize("name", ["frozen", "inherited frozen", "frozen slots"])
@pytest.mark.parametrize("value", [1, 1.0, (1, 2), "x", Format.E4M3, None])
def test_the_kept_hash_of_a_frozen_class_is_the_stock_hash(name: str, value: Any) -> None:
    stock, cached = MAKERS[name](()), cached_hash(MAKERS[name]((CachedRepr,)))
    ours, theirs = cached(margin=value), stock(margin=value)
    assert hash(ours) == hash(theirs) == hash(ours)
    assert {ours: 1}[cached(margin=value)] == 1
    assert cached(margin="other") not in {ours: 1}


@pytest.mark.usefixtures("form")
def test_the_hash_of_a_frozen_class_is_made_once_for_each_object() -> None:
    made = []

    class Value:
        def __hash__(self) -> int:
            made.append(self)
            return 1

    cls = cached_hash(dataclass_of((CachedRepr,), frozen=True))
    value = Value()
    obj = cls(margin=value)
    assert [hash(obj)] * 3 == [hash(obj) for _ in range(3)]
    assert made == [value]
    twin = copy.copy(obj)
    assert hash(twin) == hash(twin) == hash(obj) == hash(obj)
    assert made == [value] * 3  # Once more for each, since a copy drops what was kept.


@pytest.mark.usefixtures("form")
def test_an_unhashable_value_raises_as_in_stock() -> None:
    for cls in (dataclass_of(frozen=True), cached_hash(dataclass_of((CachedRepr,), frozen=True))):
        obj = cls(margin=[1])
        for _ in range(2):
            with pytest.raises(TypeError, match="unhashable type: 'list'"):
                hash(obj)


@pytest.mark.usefixtures("form")
def test_a_hash_that_can_change_follows_every_write() -> None:
    stock, cached = (
        dataclass_of(unsafe_hash=True)(),
        cached_hash(dataclass_of((CachedRepr,), unsafe_hash=True))(),
    )
    for value in (1, 1.0, (1, 2), "x", Format.E4M3, None, cached):
        for way in WAYS:
            for obj in (stock, cached):
                way(obj, "margin", value if value is not cached else dataclass_of(frozen=True)())
            assert hash(cached) == hash(cached) == hash((cached.margin, cached.name, cached.fmt))
            assert value is cached or hash(cached) == hash(stock)


@pytest.mark.usefixtures("form")
def test_a_subclass_may_build_on_the_kept_hash() -> None:
    base = cached_hash(dataclass_of((CachedRepr,), frozen=True))

    @cached_hash
    class Child(base):  # type: ignore[misc, valid-type]
        def __hash__(self) -> int:
            return hash((super().__hash__(), "child"))

    assert hash(Child()) == hash((hash(base()), "child"))
    obj = Child()
    assert hash(obj) == hash(obj) == hash(Child())


@pytest.mark.usefixtures("form")
def test_a_hash_by_hand_that_uses_the_text_follows_it() -> None:
    @cached_hash
    @dataclasses.dataclass
    class Keyed(CachedRepr):
        margin: int = 0

        def __hash__(self) -> int:
            return hash(repr(self))

    obj = Keyed()
    assert hash(obj) == hash(repr(obj))
    obj.margin = 3
    assert hash(obj) == hash(repr(obj)) == hash(repr(Keyed(3)))
    assert repr(obj).endswith("Keyed(margin=3)")


@pytest.mark.usefixtures("form")
def test_a_nested_hash_that_can_change_is_watched() -> None:
    cls = cached_hash(dataclass_of((CachedRepr,), unsafe_hash=True))
    outer, other = cls(margin=cls()), cls(margin=cls(margin=2))
    before = hash(outer)
    outer.margin.margin = 2
    assert hash(outer) == hash(other) != before


@pytest.mark.usefixtures("form")
@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: cached_repr(Plain(3)), "cls must be a class, got Plain"),  # type: ignore[arg-type]
        (lambda: cached_hash(None), "cls must be a class, got NoneType"),  # type: ignore[arg-type]
        (lambda: cached_repr(Config()), "cls must be a class, got Config"),  # type: ignore[arg-type]
        (lambda: cached_hash(dataclass_of()), "Recipe is unhashable"),
        (lambda: cached_hash(dataclass_of(frozen=True)), "Recipe needs CachedRepr as a base"),
        (lambda: cached_repr(dataclass_of(**SLOTS)), "slots and no weak references"),
    ],
)
def test_wrong_uses_are_refused_by_name(use: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        use()


@pytest.mark.usefixtures("form")
def test_a_kept_hash_can_be_called_as_a_method_and_lets_its_class_go() -> None:
    cls: Any = cached_hash(dataclass_of((CachedRepr,), frozen=True))
    one = cls()
    assert cls.__hash__(one) == one.__hash__() == hash(one)
    with pytest.raises((TypeError, AttributeError)):
        cls.__hash__(object())
    reference = weakref.ref(cls)
    del cls, one
    gc.collect()
    assert reference() is None
