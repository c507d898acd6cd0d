"""Copies and pickles of what keeps its text or hash, and what is left when it dies."""

from __future__ import annotations

import copy
import dataclasses
import gc
import importlib
import pickle
import types
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from key_classes import Config, write
from runtime_forms import native_module

from overhead_runtime import CachedRepr, _keeper, cached_repr


@dataclasses.dataclass(frozen=True)
class FrozenConfig(CachedRepr):
    """Importable, for pickle."""

    margin: Any = 0
    items: Any = ()


@cached_repr
@dataclasses.dataclass
class DecoratedConfig:
    """Importable, for pickle."""

    margin: Any = 0
    items: Any = ()


@dataclasses.dataclass
class StockConfig:
    """The twin of the three."""

    margin: Any = 0
    items: Any = ()


DUPLICATES: list[Callable[[Any], Any]] = [
    copy.copy,
    copy.deepcopy,
    *[lambda obj, p=p: pickle.loads(pickle.dumps(obj, p)) for p in range(pickle.HIGHEST_PROTOCOL + 1)],
    dataclasses.replace,
]


@pytest.mark.parametrize("cls", [Config, FrozenConfig, DecoratedConfig])
@pytest.mark.parametrize("duplicate", DUPLICATES)
def test_copies_and_pickles_share_nothing(cls: Any, duplicate: Callable[[Any], Any]) -> None:
    original = cls(margin=1, items=(1, 2))
    text = repr(original)
    twin = duplicate(original)
    assert type(twin) is cls
    assert twin == original
    assert repr(twin) == text
    write(twin, "margin", 2)
    assert repr(twin) == text.replace("margin=1", "margin=2")
    assert repr(original) == text
    assert vars(original) == {"margin": 1, "items": (1, 2)}


def test_what_holds_results_of_a_class_can_be_pickled_by_value() -> None:
    @cached_repr
    @dataclasses.dataclass
    class Kept:
        size: int = 1

    kept = Kept()
    assert repr(kept) == repr(kept)
    table = Kept.__repr__.__globals__["TABLE"]
    assert id(kept) in table
    assert pickle.loads(pickle.dumps(table)) is table


def test_a_hash_made_once_is_pickled_as_its_python_form() -> None:
    module, slot = native_module(), CachedRepr.__dict__["_hash_state"]
    # Tells how to pickle it, which is done on import only where the module had been compiled before.
    importlib.import_module("overhead_lint.native_runtime.keys").forms(module)
    once = pickle.loads(pickle.dumps(module.HashOnce(id, slot)))

    class Key(CachedRepr):
        __hash__ = once

    key = Key()
    assert isinstance(once, types.FunctionType)
    assert hash(key) == hash(key) == key._hash_state == id(key)  # type: ignore[attr-defined]


@pytest.mark.parametrize("cls", [Config, DecoratedConfig])
def test_a_pickle_holds_the_attributes_only(cls: Any) -> None:
    original = cls(margin=1)
    before = pickle.dumps(original)
    repr(original)
    assert pickle.dumps(original) == before
    assert dataclasses.asdict(original) == {"margin": 1, "items": ()}


def test_setstate_shows() -> None:
    obj = Config()
    repr(obj)
    obj.__dict__ = {"margin": 5, "items": [1]}
    assert repr(obj) == "Config(margin=5, items=[1])"


def test_a_dead_object_leaves_nothing_behind() -> None:
    gc.collect()
    before = len(_keeper._tables["__repr__"])
    objects = [DecoratedConfig(margin=index) for index in range(50)]
    for obj in objects:
        repr(obj)
    assert len(_keeper._tables["__repr__"]) == before + 50
    reference = weakref.ref(objects[0])
    del objects, obj
    gc.collect()
    assert reference() is None
    assert len(_keeper._tables["__repr__"]) == before
    assert [repr(DecoratedConfig(margin=i)) for i in range(50)] == [
        repr(StockConfig(margin=i)).replace("Stock", "Decorated") for i in range(50)
    ]
