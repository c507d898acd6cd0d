"""Texts and hashes written by hand: what they read need not be a field, and every write to it shows."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import pytest
from key_classes import Point, dataclass_of

from overhead_runtime import CachedRepr, cached_hash, cached_repr


def shown(self: Any) -> str:
    """A text of everything that an object holds, in order."""
    return f"{type(self).__name__} {getattr(self, 'margin', None)} {getattr(self, 'tag', None)} {vars(self)}"


def post_init(self: Any) -> None:
    object.__setattr__(self, "tag", "x")


def bare(bases: tuple[type, ...]) -> Any:
    return dataclass_of(bases, {"__repr__": shown})


def with_post_init(bases: tuple[type, ...], **options: Any) -> Any:
    return dataclass_of(bases, {"__repr__": shown, "__post_init__": post_init}, **options)


def with_cached_property(bases: tuple[type, ...]) -> Any:
    tag = functools.cached_property(lambda self: f"of {self.margin}")
    tag.__set_name__(object, "tag")
    return dataclass_of(bases, {"__repr__": shown, "tag": tag})


def plain_heir(bases: tuple[type, ...]) -> Any:
    """No dataclass of its own, of a dataclass whose text is inherited."""
    return type("Heir", (with_post_init(bases),), {"__module__": __name__})


def heir_without_a_text(bases: tuple[type, ...]) -> Any:
    return dataclasses.dataclass(repr=False)(type("Heir", (with_post_init(bases),), {"__module__": __name__}))


def slots_and_dict(bases: tuple[type, ...]) -> Any:
    """Slots, and below them a class without."""
    base = type("Base", bases, {"__slots__": ("margin", "__weakref__")})

    def init(self: Any) -> None:
        self.margin, self.tag = 0, "x"

    return type("Low", (base,), {"__init__": init, "__repr__": shown, "__module__": __name__})


KINDS: list[Callable[[tuple[type, ...]], Any]] = [
    *(bare, with_post_init, with_cached_property, plain_heir, heir_without_a_text, slots_and_dict)
]
KINDS += [functools.partial(with_post_init, frozen=True)]


def through_setattr(obj: Any, value: Any) -> None:
    object.__setattr__(obj, "tag", value)


def through_vars(obj: Any, value: Any) -> None:
    vars(obj)["tag"] = value


def through_update(obj: Any, value: Any) -> None:
    obj.__dict__.update(tag=value)


def through_another_dict(obj: Any, value: Any) -> None:
    object.__setattr__(obj, "__dict__", {**vars(obj), "tag": value})


def anew(obj: Any, value: Any) -> None:
    """Another attribute is deleted and assigned again: the last one then."""
    vars(obj)["tag"] = value
    first = next(iter(vars(obj)))
    vars(obj)[first] = vars(obj).pop(first)


def in_place_of_another(obj: Any, value: Any) -> None:
    """As many attributes as before, and the class has the one that went."""
    vars(obj).pop("name", None)
    vars(obj)["tag"] = value


WRITES = [through_setattr, through_vars, through_update, through_another_dict, anew, in_place_of_another]


def twins(kind: Callable[[tuple[type, ...]], Any], how: str) -> tuple[Any, Any]:
    stock = kind(())
    cached = kind((CachedRepr,)) if how == "mixin" else cached_repr(kind(()))
    return stock(), cached()


@pytest.mark.parametrize("how", ["mixin", "decorator"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("write", WRITES)
def test_every_write_to_an_attribute_that_is_no_field_shows(
    kind: Callable[[tuple[type, ...]], Any], how: str, write: Callable[[Any, Any], None]
) -> None:
    stock, cached = twins(kind, how)
    for value in ("x", "y", 1, True, 1.0, "y", "y", [1]):
        for _ in range(2):
            assert repr(cached) == repr(stock) == shown(stock)
        assert repr(cached) is repr(cached) or value == [1]
        for obj in (stock, cached):
            write(obj, value)
        assert repr(cached) == repr(stock) == shown(stock)
    for obj in (stock, cached):
        vars(obj)["tag"].append(2)
    assert repr(cached) == repr(stock)
    for obj in (stock, cached):
        del vars(obj)["tag"]
    assert repr(cached) == repr(stock)


@pytest.mark.parametrize("write", WRITES[:4])
def test_a_hash_by_hand_follows_an_attribute_that_is_no_field(write: Callable[[Any, Any], None]) -> None:
    @cached_hash
    @dataclasses.dataclass(frozen=True)
    class Key(CachedRepr):
        margin: int = 0

        def __post_init__(self) -> None:
            post_init(self)

        def __hash__(self) -> int:
            return hash((self.margin, vars(self)["tag"]))

    key = Key()
    for value in ("x", "y", 1, 2.5, "y"):
        write(key, value)
        assert hash(key) == hash(key) == hash((0, value))


def test_a_table_of_texts_gets_a_new_entry_for_a_format_that_post_init_set() -> None:
    @dataclasses.dataclass
    class Scaling(CachedRepr):
        margin: int = 0

        def __post_init__(self) -> None:
            self.format = "HYBRID"

        def __repr__(self) -> str:
            return f"margin={self.margin}, format={self.format}"

    scaling = Scaling()
    table = {repr(scaling): 1}
    assert repr(scaling) in table
    scaling.format = "E4M3"
    assert repr(scaling) not in table


def test_attributes_of_a_named_tuple_show() -> None:
    class Wide(Point):
        """Has a dict beside its fields."""

    cls = dataclass_of((CachedRepr,), {"__repr__": lambda self: f"{self.margin.note}"})
    obj = cls(margin=Wide(1, 2.0))
    for note in ("one", "two"):
        obj.margin.note = note
        assert repr(obj) == note


@pytest.mark.parametrize("how", ["mixin", "decorator"])
def test_objects_with_different_attributes_are_kept_side_by_side(how: str) -> None:
    made = []

    def text(self: Any) -> str:
        made.append(self)
        return f"{vars(self)}"

    def kind(bases: tuple[type, ...]) -> Any:
        return dataclass_of(bases, {"__repr__": text})

    cls = kind((CachedRepr,)) if how == "mixin" else cached_repr(kind(()))
    objects = [cls() for _ in range(6)]
    for index, obj in enumerate(objects):
        setattr(obj, f"extra{index % 3}", index)
    for obj in objects:
        repr(obj)
    made.clear()
    for _ in range(5):
        assert [repr(obj) for obj in objects] == [f"{vars(obj)}" for obj in objects]
    assert made == []
    for obj in objects:
        obj.margin = 9
        assert repr(obj) == f"{vars(obj)}"
    assert made == objects


def test_many_objects_that_store_what_they_work_out_are_all_kept() -> None:
    made = []

    def text(self: Any) -> str:
        made.append(self)
        return f"{self.tag}"

    tag = functools.cached_property(lambda self: f"of {self.margin}")
    tag.__set_name__(object, "tag")
    cls = dataclass_of((CachedRepr,), {"__repr__": text, "tag": tag})
    for margin in range(40):
        obj = cls(margin=margin)
        made.clear()
        assert [repr(obj) for _ in range(6)] == [f"of {margin}"] * 6
        assert len(made) == 2  # The first call stores the property, the second is kept.


def test_a_nested_config_with_other_attributes_is_looked_at_anew() -> None:
    @cached_repr
    class Node:
        def __init__(self, **attributes: Any) -> None:
            vars(self).update(attributes)

        def __repr__(self) -> str:
            return f"{vars(self)}"

    inner = Node(a=1)
    outer, other = Node(inner=inner), Node(b=1)
    for obj in (inner, outer, other, outer):
        assert repr(obj) == f"{vars(obj)}"
    for value in (2, 3):
        setattr(inner, "a", value)  # noqa: B010 - no attribute that the class declares
        assert repr(outer) == f"{{'inner': {{'a': {value}}}}}"


def test_an_object_that_is_given_another_class_has_the_text_of_that_one() -> None:
    def shape(name: str) -> Any:
        return cached_repr(type(name, (), {"__repr__": lambda self: f"{name} {vars(self)}"}))

    one, two = shape("One"), shape("Two")
    for cls in (one, two):
        for attributes in ({"a": 1}, {"b": 1}, {"c": 1}):
            obj = cls()
            vars(obj).update(attributes)
            repr(obj)
    obj = one()
    obj.a = 1
    assert repr(obj) == "One {'a': 1}"
    obj.__class__ = two
    assert repr(obj) == "Two {'a': 1}"
