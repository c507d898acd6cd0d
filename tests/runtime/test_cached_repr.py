"""`CachedRepr` and `cached_repr`: each class has a twin without them, and must look the same."""

from __future__ import annotations

import dataclasses
import enum
import functools
import pathlib
import threading
from collections.abc import Callable
from typing import Any

import pytest
import torch
from key_classes import PAIRS, WAYS, Config, Format, Plain, Point, dataclass_of, decorated, pair, twins, write

from overhead_runtime import CachedRepr, cached_repr


class Bits(enum.Flag):
    """A flag."""

    ONE = 1


class Loud(enum.Enum):
    """An enum with a text of its own, which may depend on anything."""

    ON = 1

    def __repr__(self) -> str:
        return f"Loud.{volume[0]}"


volume = [1]


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


def test_a_text_that_a_tuple_around_it_cut_short_is_not_kept() -> None:
    texts = []
    for base in (object, CachedRepr):

        class Node(base):  # type: ignore[misc, valid-type]
            inner: Any = None

            def __repr__(self) -> str:
                return f"Node({self.inner!r})"

        node, other = Node(), Node()
        node.inner = other.inner = (node,)
        texts.append([repr(other), repr(node), repr((other,)), repr(other), repr(node)])
    assert texts[0] == texts[1]


def test_an_attribute_error_in_a_text_by_hand_is_not_swallowed() -> None:
    @cached_repr
    class Broken:
        def __repr__(self) -> str:
            return str(self.missing)  # type: ignore[attr-defined]

    with pytest.raises(AttributeError, match="missing"):
        repr(Broken())


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


@functools.cache
def traces_sizes() -> bool:
    """Whether Dynamo traces the size of a ``__dict__``, by which a kept text tells that an attribute is new.

    That of torch 2.11 does not: the text is made all the same, after a break of the graph.
    """

    class Plain:
        """No more than attributes."""

    plain = Plain()
    torch.compiler.reset()
    compiled = torch.compile(lambda x: x + len(plain.__dict__), backend="eager", fullgraph=True)
    try:
        compiled(torch.zeros(1))
    except torch._dynamo.exc.Unsupported:
        return False
    return True


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
        compiled = torch.compile(forward, backend="eager", fullgraph=not generated and traces_sizes())
        for margin in ("2", "20", "2", "2000"):
            config.margin = margin
            assert compiled(torch.zeros(1)) == len(repr(config))
