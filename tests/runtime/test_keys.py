"""`CachedRepr`, `cached_repr`, `cached_hash`: each class has a twin without them, and must look the same."""

from __future__ import annotations

import copy
import dataclasses
import enum
import gc
import importlib
import pathlib
import pickle
import sys
import threading
import types
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
import torch
from runtime_forms import FORMS, function, native_module

from overhead_lint.runtime import CachedRepr, _keeper, cached_hash, cached_repr


@pytest.fixture(params=FORMS)
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a test with the hash of Python, and with the compiled one."""
    monkeypatch.setattr(request.module, "cached_hash", function("cached_hash", request.param))


class Format(enum.Enum):
    """A plain enum."""

    E4M3 = (448, 448)
    HYBRID = (448, 57344)


class Bits(enum.Flag):
    """A flag."""

    ONE = 1


class Loud(enum.Enum):
    """An enum with a text of its own, which may depend on anything."""

    ON = 1

    def __repr__(self) -> str:
        return f"Loud.{volume[0]}"


volume = [1]


class Point(NamedTuple):
    """An immutable record."""

    x: int
    y: float


class Plain:
    """No dataclass, a text by hand."""

    def __init__(self, margin: Any = 0, name: Any = "x", fmt: Any = Format.HYBRID) -> None:
        self.margin, self.name, self.fmt = margin, name, fmt

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.margin} {self.name!r} {self.fmt}>"


class Slotted:
    """Slots and a text by hand."""

    __slots__ = ("__weakref__", "fmt", "margin", "name")

    def __init__(self, margin: Any = 0, name: Any = "x", fmt: Any = Format.HYBRID) -> None:
        self.margin, self.name, self.fmt = margin, name, fmt

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.margin} {self.name!r} {self.fmt}>"


def dataclass_of(bases: tuple[type, ...] = (), body: dict[str, Any] | None = None, **options: Any) -> Any:
    namespace = {
        "__annotations__": {"margin": Any, "name": Any, "fmt": Any},
        "__module__": __name__,
        "margin": 0,
        "name": "x",
        "fmt": Format.HYBRID,
        **(body or {}),
    }
    return dataclasses.dataclass(**options)(type("Recipe", bases, namespace))


def inherited(bases: tuple[type, ...] = (), **options: Any) -> Any:
    base = dataclass_of(bases, **options)
    child = type(
        "Child",
        (base,),
        {"__annotations__": {"extra": Any}, "extra": 1.5, "__module__": __name__},
    )
    return dataclasses.dataclass(**options)(child)


def by_hand(self: Any) -> str:
    return f"{self.margin}|{self.name}|{self.fmt}|{getattr(self, 'note', None)}"


SLOTS: dict[str, Any] = {"slots": True}
WEAK = {**SLOTS, "weakref_slot": True} if sys.version_info >= (3, 11) else None

MAKERS: dict[str, Callable[[tuple[type, ...]], Any]] = {
    "mutable": dataclass_of,
    "frozen": lambda bases: dataclass_of(bases, frozen=True),
    "slots": lambda bases: dataclass_of(bases, **SLOTS),
    "frozen slots": lambda bases: dataclass_of(bases, frozen=True, **SLOTS),
    "inherited": inherited,
    "inherited frozen": lambda bases: inherited(bases, frozen=True),
    "by hand": lambda bases: dataclass_of(bases, {"__repr__": by_hand}),
    "by hand, super": lambda bases: dataclass_of(
        (dataclass_of(bases),),
        {"__repr__": lambda self: super(type(self), self).__repr__() + "!"},  # No deeper subclass here.
    ),
    "no repr": lambda bases: dataclass_of((dataclass_of(bases),), repr=False),
    "subclass": lambda bases: type("Sub", (dataclass_of(bases),), {"__module__": __name__}),
    "plain": lambda bases: type("Own", (*bases, Plain), {"__module__": __name__}),
    "plain body": lambda bases: type("Own", bases, {**body_of(Plain), "__module__": __name__}),
    "slotted body": lambda bases: type("Own", bases, {**body_of(Slotted), "__module__": __name__}),
}


def body_of(cls: type) -> dict[str, Any]:
    names = ("__init__", "__repr__", "__slots__")
    return {name: cls.__dict__[name] for name in names if name in cls.__dict__}


def decorated(make: Callable[[tuple[type, ...]], Any]) -> Any:
    return cached_repr(make(()))


def pair(name: str, how: str) -> tuple[Any, Any]:
    """A stock class and the same one with a cached text."""
    make = MAKERS[name]
    if how == "mixin":
        return make(()), make((CachedRepr,))
    return make(()), decorated(make)


def twins(name: str, how: str) -> tuple[Any, Any]:
    stock, cached = pair(name, how)
    return stock(), cached()


# What the decorator refuses is in the test of refusals.
PAIRS = [(name, "mixin") for name in MAKERS]
PAIRS += [(name, "decorator") for name, make in MAKERS.items() if make(()).__weakrefoffset__]


def write(obj: Any, name: str, value: Any) -> None:
    """Assign, around what a frozen class forbids."""
    object.__setattr__(obj, name, value)


def through_dict(obj: Any, name: str, value: Any) -> None:
    if hasattr(obj, "__dict__"):
        obj.__dict__[name] = value
    else:
        write(obj, name, value)


def through_update(obj: Any, name: str, value: Any) -> None:
    if hasattr(obj, "__dict__"):
        vars(obj).update({name: value})
    else:
        write(obj, name, value)


def through_new_dict(obj: Any, name: str, value: Any) -> None:
    if hasattr(obj, "__dict__"):
        write(obj, "__dict__", {**vars(obj), name: value})
    else:
        write(obj, name, value)


def through_setattr(obj: Any, name: str, value: Any) -> None:
    try:
        setattr(obj, name, value)
    except dataclasses.FrozenInstanceError:
        write(obj, name, value)


def through_init(obj: Any, name: str, value: Any) -> None:
    obj.__init__(**{name: value})


WAYS = [through_setattr, write, through_dict, through_update, through_new_dict, through_init]


@pytest.mark.parametrize(("name", "how"), PAIRS)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_every_way_of_writing_shows_at_once(
    name: str, how: str, way: Callable[[Any, str, Any], None]
) -> None:
    stock, cached = twins(name, how)
    # 1, True and 1.0 are equal and look different; so do 0.0 and -0.0.
    for value in (0, False, 0.0, -0.0, 1, True, 1.0, "1", None, (1, 2), [1], torch.bfloat16):
        for obj in (stock, cached):
            way(obj, "margin", value)
        assert repr(cached) == repr(stock)
        assert str(cached) == f"{cached}" == str(stock)
    for obj in (stock, cached):
        write(obj, "fmt", Format.E4M3)
    assert repr(cached) == repr(stock)


@pytest.mark.parametrize(("name", "how"), PAIRS)
def test_a_deleted_attribute_is_missed_as_by_stock(name: str, how: str) -> None:
    results = []
    for obj in twins(name, how):
        repr(obj)
        object.__delattr__(obj, "name")
        try:
            results.append(repr(obj))
        except AttributeError as error:
            results.append(type(error).__name__)
        write(obj, "name", "back")
        results.append(repr(obj))
    assert results[:2] == results[2:]


@pytest.mark.parametrize(("name", "how"), PAIRS)
def test_the_text_is_made_once_and_then_the_same_object(name: str, how: str) -> None:
    _, cached = pair(name, how)
    obj = cached()
    assert repr(obj) is repr(obj)
    assert str(obj) is repr(obj)
    assert repr(cached()) == repr(obj)


@pytest.mark.parametrize(
    ("name", "how"), [pair for pair in PAIRS if pair[0] in ("mutable", "by hand", "plain", "frozen", "slots")]
)
@pytest.mark.parametrize(
    "change",
    [
        lambda items: items.append(4),
        lambda items: items.__setitem__(0, "new"),
        lambda items: items.clear(),
    ],
)
def test_a_mutable_value_is_never_stale(name: str, how: str, change: Callable[[Any], None]) -> None:
    stock, cached = twins(name, how)
    for wrap in (lambda v: v, lambda v: (1, v), lambda v: {"k": v}, lambda v: (Point(1, v),)):
        items: list[Any] = [1, 2]
        for obj in (stock, cached):
            write(obj, "margin", wrap(items))
        assert repr(cached) == repr(stock)
        change(items)
        assert repr(cached) == repr(stock)


class Unknown:
    """A class whose text depends on what nobody can watch."""

    def __repr__(self) -> str:
        return f"Unknown {volume[0]}"


@pytest.mark.parametrize(
    "value",
    [
        *(Unknown(), Loud.ON, (1, Unknown()), frozenset({Loud.ON}), Point(1, Unknown())),  # type: ignore[arg-type]
        *(torch.zeros(1), {"a": Unknown()}, {1, 2}, bytearray(b"a")),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_cannot_be_watched_is_made_anew(value: Any) -> None:
    obj = dataclass_of((CachedRepr,))(margin=value)
    stock = dataclass_of()(margin=value)
    for step in range(3):
        volume[0] = step
        if isinstance(value, torch.Tensor):
            value.add_(1)
        assert repr(obj) == repr(stock)


@pytest.mark.parametrize(
    "value",
    [
        *(
            1,
            1.5,
            1j,
            True,
            "s",
            b"b",
            None,
            ...,
            range(3),
            Format.E4M3,
            Bits.ONE,
        ),
        *((1, ("a", None)), frozenset({1}), Point(1, 2.0), torch.float8_e4m3fn, torch.device("cpu")),
        *(torch.Size([2, 3]), torch.strided, torch.contiguous_format, int, Point, len, twins),
        *(pathlib.PurePosixPath("/a"), pathlib.Path("b"), (torch.float16, torch.device("meta"))),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_cannot_change_is_kept(value: Any) -> None:
    obj = dataclass_of((CachedRepr,))(margin=value)
    assert repr(obj) == repr(dataclass_of()(margin=value))
    assert repr(obj) is repr(obj)


@pytest.mark.parametrize("outer", ["mutable", "frozen", "by hand", "plain", "slots"])
@pytest.mark.parametrize("wrap", [lambda v: v, lambda v: (1, (v,)), lambda v: Point(v, 1.0)])
def test_a_change_in_a_nested_config_shows_outside(outer: str, wrap: Callable[[Any], Any]) -> None:
    stock_inner, cached_inner = twins("mutable", "mixin")
    stock_middle, cached_middle = twins("inherited", "mixin")
    stock, cached = twins(outer, "mixin")
    for top, middle, inner in (
        (stock, stock_middle, stock_inner),
        (cached, cached_middle, cached_inner),
    ):
        write(middle, "extra", inner)
        write(top, "margin", wrap(middle))
    assert repr(cached) == repr(stock)
    assert repr(cached) is repr(cached)
    for value in (1, True, [1], 2, "deep"):
        for inner in (stock_inner, cached_inner):
            inner.margin = value
        assert repr(cached) == repr(stock)
    assert repr(cached) is repr(cached)


def test_a_text_by_hand_sees_attributes_of_a_nested_config_that_its_text_hides() -> None:
    @dataclasses.dataclass
    class Inner(CachedRepr):
        shown: int = 1
        hidden: int = dataclasses.field(default=2, repr=False)

    @dataclasses.dataclass
    class Outer(CachedRepr):
        inner: Inner = dataclasses.field(default_factory=Inner)

        def __repr__(self) -> str:
            return f"Outer {self.inner.hidden}"

    outer = Outer()
    assert repr(outer) == "Outer 2"
    assert repr(outer) is repr(outer)
    outer.inner.hidden = 3
    assert repr(outer) == "Outer 3"


def test_an_attribute_beside_the_fields_shows_in_a_text_by_hand() -> None:
    for how in ("mixin", "decorator"):
        stock, cached = twins("by hand", how)
        for obj in (stock, cached):
            repr(obj)
            obj.note = 1
        assert repr(cached) == repr(stock)
        for obj in (stock, cached):
            del obj.note
        assert repr(cached) == repr(stock)


def test_a_plain_class_may_show_many_sets_of_attributes() -> None:
    cached, stock = decorated(lambda bases: type("Own", (Plain,), {})), type("Own", (Plain,), {})
    pairs = [(cached(), stock()) for _ in range(12)]
    for index, both in enumerate(pairs):
        for obj in both:
            setattr(obj, f"a{index}", index)
            setattr(obj, "not a name", index)
    for _ in range(2):
        for ours, theirs in pairs:
            assert repr(ours) == repr(theirs)
            ours.margin = theirs.margin = 5
            assert repr(ours) == repr(theirs)


@pytest.mark.parametrize("kind", ["list", "direct", "by list of other"])
def test_cycles_look_as_in_stock(kind: str) -> None:
    texts = []
    for bases in ((), (CachedRepr,)):
        cls = dataclass_of(bases)
        one, two = cls(name="one"), cls(name="two")
        one.margin, two.margin = (two, one) if kind == "direct" else ([two], [one])
        if kind == "by list of other":
            two.margin = one
        for obj in (one, two, one):
            texts.append(repr(obj))
        two.margin = 0
        texts += [repr(two), repr(one)]
    assert texts[:5] == texts[5:]


def test_an_attribute_error_in_a_text_by_hand_is_not_swallowed() -> None:
    @cached_repr
    class Broken:
        def __repr__(self) -> str:
            return str(self.missing)  # type: ignore[attr-defined]

    with pytest.raises(AttributeError, match="missing"):
        repr(Broken())


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


@dataclasses.dataclass
class Config(CachedRepr):
    """Importable, for pickle."""

    margin: Any = 0
    items: Any = ()


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
    *[lambda obj, p=p: pickle.loads(pickle.dumps(obj, p)) for p in range(2, pickle.HIGHEST_PROTOCOL + 1)],
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


def test_threads_that_write_and_read_never_see_a_stale_text() -> None:
    obj = Config()
    wrong: list[str] = []
    stop = threading.Event()

    def look() -> None:
        while not stop.is_set():
            if not repr(obj).startswith("Config(margin="):
                wrong.append(repr(obj))

    readers = [threading.Thread(target=look) for _ in range(3)]
    for reader in readers:
        reader.start()
    for value in range(2000):
        obj.margin = value
        if repr(obj) != f"Config(margin={value}, items=())":
            wrong.append(repr(obj))
    stop.set()
    for reader in readers:
        reader.join()
    assert wrong == []


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


@pytest.mark.parametrize("warm", [False, True])
@pytest.mark.parametrize("generated", [False, True])
def test_compiled_code_sees_the_text_that_eager_code_sees(generated: bool, warm: bool) -> None:
    body = None if generated else {"__repr__": lambda self: f"{self.margin}|{self.name}"}
    for cls in (dataclass_of((), body), dataclass_of((CachedRepr,), body)):
        config = cls(margin="2")
        if warm:
            repr(config)

        def forward(x: torch.Tensor, config: Any = config) -> torch.Tensor:
            return x + len(repr(config))

        torch.compiler.reset()
        # Dynamo breaks the graph at a generated repr, cached or not.
        compiled = torch.compile(forward, backend="eager", fullgraph=not generated)
        for margin in ("2", "20", "2", "2000"):
            config.margin = margin
            assert compiled(torch.zeros(1)) == len(repr(config))


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
