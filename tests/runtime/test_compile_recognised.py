"""guard_eval="token": sets, slots, containers among the arguments, guards on sizes, and changes of them."""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter, OrderedDict, defaultdict, namedtuple
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import nn

from overhead_runtime import compile as full_compile
from overhead_runtime._dispatch.comparisons import sizes_read
from overhead_runtime._dispatch.gatekeeper import Gatekeeper
from overhead_runtime._dispatch.unsupported import Unsupported

from .compile_matrix_run import build_native  # type: ignore[import-not-found]  # tests are no package

pytestmark = pytest.mark.usefixtures("fresh_dynamo")

token_compile = functools.partial(full_compile, backend="eager", guard_eval="token")
X = torch.arange(4.0)


@pytest.fixture(params=["native", "python", "verified"])
def verify_every(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Have states compared in the gate, by the Python dispatcher, or checked by the guards, too."""
    build_native()
    compiled = token_compile(lambda x: x + 1)
    for _ in range(2):
        compiled(X)
    if (why := compiled.stats().not_recognised) is not None:
        pytest.skip(why)
    if request.param == "python":
        monkeypatch.setattr(Gatekeeper, "update", lambda self, route, entries: None)
    return int(request.param == "verified")


class Reads(nn.Module):
    """A module that hands something it holds to a function."""

    def __init__(self, thing: Any, read: Callable[[Any, torch.Tensor], torch.Tensor]) -> None:
        super().__init__()
        self.thing = thing
        self.read = read

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.read(self.thing, x)


class Slotted:
    """Has nothing but slots."""

    __slots__ = ("k", "more")

    def __init__(self) -> None:
        self.k: Any = 1
        self.more: Any = [1]


class OtherSlotted:
    """Has the same layout."""

    __slots__ = ("k", "more")


class Both(Slotted):
    """Has a dict, too."""

    def __init__(self) -> None:
        super().__init__()
        self.j = 2


@dataclasses.dataclass(slots=True)
class Config:
    """A dataclass without a dict."""

    k: int = 1


class Computes:
    """Has an attribute that is computed."""

    def __init__(self) -> None:
        self._k: Any = 1

    @property
    def k(self) -> Any:
        return self._k


def _computed() -> Any:
    return type("Own", (Computes,), {"k": vars(Computes)["k"]})()


class Marked(torch.Tensor):
    """A tensor of another class."""


def _exchange(items: set[int]) -> None:
    items.discard(1)
    items.add(9)


def _reorder(counts: Counter[str]) -> None:
    counts["a"] = counts.pop("a")


def _k(thing: Any, x: torch.Tensor) -> torch.Tensor:
    return x * thing.k  # type: ignore[no-any-return]


def _more(thing: Any, x: torch.Tensor) -> torch.Tensor:
    return x * sum(thing.more) + thing.k  # type: ignore[no-any-return]


def _contains(thing: Any, x: torch.Tensor) -> torch.Tensor:
    return x + 1 if 1 in thing else x


def _sum(thing: Any, x: torch.Tensor) -> torch.Tensor:
    return x + sum(thing)  # type: ignore[no-any-return]


def _item(thing: Any, x: torch.Tensor) -> torch.Tensor:
    return x + thing["a"]  # type: ignore[no-any-return]


def _weighted(thing: Any, x: torch.Tensor) -> torch.Tensor:
    for index, value in enumerate(thing.values()):
        x = x + index * value
    return x


def _apply(thing: Any, x: torch.Tensor) -> torch.Tensor:
    return thing(x)  # type: ignore[no-any-return]


def _times(thing: Any, x: torch.Tensor) -> torch.Tensor:
    return x * thing  # type: ignore[no-any-return]


def _set(name: str, value: Any) -> Callable[[Any], None]:
    return lambda thing: setattr(thing, name, value)


READS: dict[str, tuple[Callable[[], Any], Callable[..., torch.Tensor], Callable[[Any], object]]] = {
    "set, item gone": (lambda: {1, 2}, _contains, lambda thing: thing.discard(1)),
    "set, item for another": (lambda: {1, 2}, _contains, _exchange),
    "set, item more": (lambda: {1, 2}, _sum, lambda thing: thing.add(5)),
    "set, items for others": (lambda: {1, 2}, _sum, _exchange),
    "set, cleared": (lambda: {1, 2}, _sum, lambda thing: thing.clear()),
    "slot": (Slotted, _k, _set("k", 5)),
    "slot, of another type": (Slotted, _k, _set("k", 1.5)),
    "slot, list in it": (Slotted, _more, lambda thing: thing.more.append(7)),
    "slot, another class": (Slotted, _k, lambda thing: setattr(thing, "__class__", OtherSlotted)),
    "slot beside a dict": (Both, _k, _set("k", 5)),
    "dict beside a slot": (Both, lambda thing, x: x * thing.k * thing.j, _set("j", 5)),
    "slot by its descriptor": (Slotted, _k, lambda thing: vars(Slotted)["k"].__set__(thing, 6)),
    "dataclass": (Config, _k, _set("k", 5)),
    "property": (Computes, _k, _set("_k", 5)),
    "property, another one": (
        _computed,
        _k,
        lambda thing: setattr(type(thing), "k", property(lambda self: 9)),
    ),
    "property, overridden": (_computed, _k, lambda thing: setattr(type(thing), "k", 8)),
    "namespace": (lambda: SimpleNamespace(k=1), _k, _set("k", 5)),
    "namespace, its dict": (lambda: SimpleNamespace(k=1), _k, lambda thing: vars(thing).update(k=3)),
    "defaultdict": (lambda: defaultdict(int, a=1), _item, lambda thing: thing.update(a=4)),
    "counter": (lambda: Counter("aab"), _item, lambda thing: thing.update("aa")),
    "counter, its order": (lambda: Counter("aab"), _weighted, _reorder),
    "order of a dict": (
        lambda: OrderedDict(a=1, b=2),
        _weighted,
        lambda thing: thing.update(a=thing.pop("a")),
    ),
    "item of an ordered dict": (
        lambda: OrderedDict(a=1, b=2),
        _weighted,
        lambda thing: thing.update(b=5),
    ),
    "partial, a keyword": (
        lambda: functools.partial(torch.mul, other=2),
        _apply,
        lambda thing: thing.keywords.update(other=5),
    ),
    "partial, all of it": (
        lambda: functools.partial(torch.mul, other=2),
        _apply,
        lambda thing: thing.__setstate__((torch.add, (), {"other": 2}, {})),
    ),
    "tensor of another class": (
        lambda: torch.ones(4).as_subclass(Marked),
        _times,
        lambda thing: thing.resize_(1),
    ),
}


@pytest.mark.parametrize("case", READS)
def test_what_a_module_holds_is_recognised_and_a_change_of_it_seen(case: str, verify_every: int) -> None:
    make, read, change = READS[case]
    module = Reads(make(), read)
    compiled = token_compile(module, verify_every=verify_every, dynamic=False)
    for _ in range(4):
        assert torch.equal(compiled(X), module(X))
    assert (compiled.stats().recognised, compiled.stats().not_recognised) == (2, None)
    change(module.thing)
    for _ in range(3):
        result, wanted = compiled(X), module(X)
        assert torch.equal(result, wanted)
        assert result.dtype == wanted.dtype


Pair = namedtuple("Pair", ["tensor", "factor"])
Other = namedtuple("Other", ["tensor", "factor"])


def _pair(t: Any) -> torch.Tensor:
    return t[0] * t[1] + len(t)  # type: ignore[no-any-return]


def _named(t: Any) -> torch.Tensor:
    return t.tensor * t.factor + (1 if type(t) is Pair else 2)  # type: ignore[no-any-return]


def _by_name(t: Any) -> torch.Tensor:
    result = torch.zeros(4)
    for index, (name, value) in enumerate(t.items()):
        result = result + value * (index + len(name))
    return result


def _deep(t: Any) -> torch.Tensor:
    return t[0]["a"][0] + t[0]["a"][1] * t[1]  # type: ignore[no-any-return]


def _collected(x: torch.Tensor, *more: Any, **named: Any) -> torch.Tensor:
    for value in more:
        x = x + value
    for index, (name, value) in enumerate(named.items()):
        x = x * value + index + len(name)
    return x


def _scaled(x: torch.Tensor, how: Any) -> torch.Tensor:
    return x.to(how) + 1


def _applied(x: torch.Tensor, how: Any) -> torch.Tensor:
    return how(x)  # type: ignore[no-any-return]


def _viewed(x: torch.Tensor, how: Any) -> torch.Tensor:
    return x.view(how) * len(how)


Y, Z = torch.full((4,), 3.0), torch.full((4,), 5.0)
Call = tuple[tuple[Any, ...], dict[str, Any]]


def _call(*args: Any, **named: Any) -> Call:
    return args, named


ARGUMENTS: dict[str, tuple[Callable[..., torch.Tensor], Call, list[Call]]] = {
    "tuple": (
        _pair,
        _call((X, 2)),
        [
            *(_call((X, 3)), _call((X, 2.0)), _call((X, True)), _call([X, 2]), _call((X, 2, 3))),
            *(_call((X.double(), 2)), _call((X[:2], 2)), _call((X, Y))),
        ],
    ),
    "tensors in a list": (
        _pair,
        _call([X, Y]),
        [_call([X, X]), _call([X, Y, Z]), _call((X, Y)), _call([X, Y.clone().requires_grad_()])],
    ),
    "named tuple": (
        _named,
        _call(Pair(X, 2)),
        [_call(Pair(X, 3)), _call(Other(X, 2)), _call(Pair(X.double(), 2))],
    ),
    "dict": (
        _by_name,
        _call({"a": X, "b": 2}),
        [
            *(_call({"b": 2, "a": X}), _call({"a": X, "bb": 2}), _call({"a": X})),
            *(_call({"a": X, "b": 3}), _call({"a": X, "b": Y}), _call(OrderedDict(a=X, b=2))),
        ],
    ),
    "deep": (
        _deep,
        _call([{"a": (X, Y)}, 2]),
        [_call([{"a": (X, X)}, 2]), _call([{"a": [X, Y]}, 2]), _call([{"a": (X, Y)}, 3])],
    ),
    "any number, by name": (
        _collected,
        _call(X, a=2, b=Y),
        [
            *(_call(X, b=Y, a=2), _call(X, a=2, c=Y), _call(X, a=3, b=Y), _call(X, a=2, b=X)),
            *(_call(X, a=2), _call(X, 2, Y), _call(X, a=2, b=Y, bb=1), _call(X, a=2.0, b=Y)),
        ],
    ),
    "any number, both ways": (
        _collected,
        _call(X, 2, a=Y),
        [_call(X, 3, a=Y), _call(X, 2, Y), _call(X, 2, b=Y), _call(X, 2, a=(Y[:1])), _call(X, 2, 2, a=Y)],
    ),
    "type": (_scaled, _call(X, torch.float64), [_call(X, torch.float32), _call(X, torch.device("cpu"))]),
    "device": (_scaled, _call(X, torch.device("cpu")), [_call(X, torch.float64)]),
    "function": (_applied, _call(X, torch.relu), [_call(X, torch.sigmoid), _call(X, torch.neg)]),
    "size": (
        _viewed,
        _call(X, torch.Size([2, 2])),
        [_call(X, torch.Size([4, 1])), _call(X, torch.Size([4])), _call(X, (2, 2))],
    ),
}


@pytest.mark.parametrize("dynamic", [False, None])
@pytest.mark.parametrize("case", ARGUMENTS)
def test_arguments_are_recognised_and_others_seen(case: str, dynamic: bool | None, verify_every: int) -> None:
    function, first, others = ARGUMENTS[case]
    compiled = token_compile(function, dynamic=dynamic, verify_every=verify_every)

    def check(call: Call) -> None:
        result, wanted = compiled(*call[0], **call[1]), function(*call[0], **call[1])
        assert torch.equal(result, wanted)
        assert (result.dtype, result.requires_grad) == (wanted.dtype, wanted.requires_grad)

    for _ in range(4):
        check(first)
    assert (compiled.stats().recognised, compiled.stats().not_recognised) == (2, None)
    for other in others:
        for _ in range(3):
            check(other)
        check(first)
        check(first)
    assert compiled.stats().recognised > 2 + len(others)


def test_a_tensor_in_a_container_that_is_also_a_parameter_is_not_recognised(verify_every: int) -> None:
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(4))

        def forward(self, given: list[torch.Tensor]) -> torch.Tensor:
            return given[0] * self.weight

    model = Model()
    compiled = token_compile(model, verify_every=verify_every)
    for _ in range(4):
        compiled([nn.Parameter(torch.ones(4))])
    before = compiled.stats().recognised
    assert before == 2
    assert torch.equal(compiled([model.weight]), model([model.weight]))
    assert compiled.stats().recognised == before


def test_containers_that_hold_themselves_or_what_nobody_knows_are_not_remembered(verify_every: int) -> None:
    def first(t: Any) -> torch.Tensor:
        return t[0] + 1  # type: ignore[no-any-return]

    endless: list[Any] = [X]
    endless.append(endless)
    for given in (endless, [X, Slotted()]):
        torch._dynamo.reset()
        compiled = token_compile(first, verify_every=verify_every)
        for _ in range(4):
            assert torch.equal(compiled(given), X + 1)
        assert compiled.stats().recognised == 0


def test_objects_in_containers_are_recognised_as_themselves(verify_every: int) -> None:
    def scaled(parts: list[Any], x: torch.Tensor) -> torch.Tensor:
        for part in parts:
            x = x * part.k + part.j
        return x

    compiled = token_compile(scaled, verify_every=verify_every, dynamic=False)
    one, two, other = (Both() for _ in range(3))
    one.k, two.k, other.k = 2, 1, 9
    for _ in range(4):
        assert torch.equal(compiled([one, two], X), scaled([one, two], X))
    assert (compiled.stats().recognised, compiled.stats().not_recognised) == (2, None)
    changes: tuple[Callable[[], object], ...] = (
        *(lambda: setattr(one, "k", 5), lambda: setattr(two, "k", 3), lambda: setattr(two, "j", 3)),
        lambda: setattr(one, "__dict__", {"j": 7}),
    )
    for change in changes:
        change()
        for _ in range(3):
            assert torch.equal(compiled([one, two], X), scaled([one, two], X))
            assert torch.equal(compiled([two], X), scaled([two], X))
    for _ in range(3):
        assert torch.equal(compiled([other, two], X), scaled([other, two], X))


def test_sizes_that_guards_compare_are_recognised(verify_every: int) -> None:
    def halves(x: torch.Tensor, parts: list[torch.Tensor], least: int) -> torch.Tensor:
        if x.shape[0] > least and x.shape[0] * 2 == parts[0].shape[0] and x.shape[0] % 2 == 0:
            return x * 2 + parts[0][: x.shape[0]]
        return x

    def check(size: int, other: int, least: int) -> None:
        x, parts = torch.ones(size), [torch.ones(other)]
        assert torch.equal(compiled(x, parts, least), halves(x, parts, least))

    compiled = token_compile(halves, dynamic=True, verify_every=verify_every)
    for _ in range(4):
        check(8, 16, 3)
    before = compiled.stats()
    assert (before.recognised, before.not_recognised) == (2, None)
    for size, other, least in ((10, 20, 3), (8, 17, 3), (9, 18, 3), (8, 16, 8), (8, 16, 3)):
        for _ in range(3):
            check(size, other, least)
    assert compiled.stats().recognised > before.recognised


@pytest.mark.parametrize(
    ("part", "sources"),
    [
        ("L['y'].size()[0] == 2*L['x'].size()[0]  # because", {"L['x']", "L['y']"}),
        ("2 <= L['x'].stride()[1] and not L['n'] < 3", {"L['x']", "L['n']"}),
        ("Mod(L['t'][0].storage_offset(), 4) == 0", {"L['t'][0]"}),
        ("FloorDiv(L['self']._modules['a'].w.size()[0], 2) != 1", {"L['self']._modules['a'].w"}),
    ],
)
def test_what_a_guard_on_sizes_reads(part: str, sources: set[str]) -> None:
    assert sizes_read(part) == sources


@pytest.mark.parametrize(
    "part",
    [
        *("L['x'].item() == 1", "check(L['x'])", "L['x'].size(L['n'])[0] == 1", "L['x'][L['n']] == 1"),
        *("x == 1", "len(L['x']) == 2", "[L['x']] == 1", "L['x'] ==", "L['x'].size() is math.inf"),
    ],
)
def test_a_guard_that_may_read_more_than_sizes_is_not_taken_for_one(part: str) -> None:
    with pytest.raises(Unsupported, match="a guard on several values"):
        sizes_read(part)


def _by_position_only(x: torch.Tensor, /, *more: Any, scale: Any = 2, **named: Any) -> torch.Tensor:
    for value in (*more, *named.values()):
        x = x + value
    return x * scale + len(named)  # type: ignore[no-any-return]


@pytest.mark.parametrize("guard_eval", ["full", "token"])
def test_any_number_of_arguments_is_bound_by_the_gate(guard_eval: str) -> None:
    build_native()
    compiled = full_compile(_by_position_only, backend="eager", guard_eval=guard_eval, dynamic=False)
    # A name that is equal to a parameter's and another object, as names out of files are.
    scale = "".join(["sc", "ale"])
    calls: list[Call] = [
        *(_call(X), _call(X, 1, 2.0), _call(X, x=3), _call(X, 1, x=3, scale=4), _call(X, scale=4)),
        *(_call(X, a=Y, b=1), ((X,), {scale: 5}), ((X, 1), {scale: 5, "a": Y})),
    ]
    for args, named in calls:
        for _ in range(3):
            assert torch.equal(compiled(*args, **named), _by_position_only(*args, **named))
    stats = compiled.stats()
    assert stats.not_native is None
    assert (
        stats.dispatched_natively == len(calls) - 2
    )  # the slow way compares names that are not the same object
    assert torch.equal(compiled(X, scale=1, more=2), _by_position_only(X, scale=1, more=2))
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        compiled(x=X)


def test_a_module_takes_no_self_by_name(verify_every: int) -> None:
    class Model(nn.Module):
        def forward(this, x: torch.Tensor, **named: Any) -> torch.Tensor:  # noqa: N805 - the name is the point
            return x + len(named)

    model = Model()
    compiled = token_compile(model, verify_every=verify_every)
    for _ in range(3):
        assert torch.equal(compiled(X, a=1), X + 1)
    with pytest.raises(TypeError, match="multiple values for argument 'self'"):
        model(X, self=1)
    with pytest.raises(TypeError, match="multiple values for argument 'self'"):
        compiled(X, self=1)
