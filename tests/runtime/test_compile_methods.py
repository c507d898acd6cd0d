"""guard_eval="token": objects as arguments, `self` of a method among them, and any number of arguments."""

from __future__ import annotations

import functools
import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import nn

from overhead_runtime import compile as full_compile
from overhead_runtime import compile_stats
from overhead_runtime._dispatch.gatekeeper import Gatekeeper

from .compile_matrix_run import build_native  # type: ignore[import-not-found]  # tests are no package

pytestmark = pytest.mark.usefixtures("fresh_dynamo")

token_compile = functools.partial(full_compile, backend="eager", guard_eval="token")
X = torch.arange(4.0)


@pytest.fixture(params=["native", "python"])
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where states are compared: in the gate, or by the Python dispatcher."""
    build_native()
    compiled = token_compile(lambda x: x + 1)
    for _ in range(2):
        compiled(X)
    if (why := compile_stats(compiled).not_recognised) is not None:
        pytest.skip(why)
    if request.param == "python":
        monkeypatch.setattr(Gatekeeper, "update", lambda self, route, entries: None)
    return str(request.param)


def _plain() -> tuple[type, str]:
    class Holder:
        gain = 2

        def __init__(self) -> None:
            self.shift = 1
            self.items = [1, 2]

        @token_compile
        def apply(self, x: torch.Tensor) -> torch.Tensor:
            y: torch.Tensor = x * self.gain + self.shift + self.items[0]
            return y

    return Holder, "apply"


def _module() -> tuple[type, str]:
    class Net(nn.Module):
        gain = 2

        def __init__(self) -> None:
            super().__init__()
            self.shift = 1
            self.items = [1, 2]
            self.weight = nn.Parameter(torch.ones(4))

        @token_compile
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y: torch.Tensor = x * self.gain * self.weight + self.shift + self.items[0]
            return y

    return Net, "forward"


def _wanted(one: Any, x: torch.Tensor) -> torch.Tensor:
    y: torch.Tensor = x * one.gain * getattr(one, "weight", 1) + one.shift + one.items[0]
    return y


CHANGES: dict[str, Callable[[Any], object]] = {
    "attribute": lambda one: setattr(one, "shift", 7),
    "attribute through __dict__": lambda one: one.__dict__.update(shift=8),
    "__dict__": lambda one: setattr(one, "__dict__", {**one.__dict__, "shift": 9}),
    "class attribute": lambda one: setattr(type(one), "gain", 5),
    "attribute in place of the class's": lambda one: setattr(one, "gain", 6),
    "list item": lambda one: one.items.__setitem__(0, 50),
    "another class": lambda one: setattr(one, "__class__", type("Other", (type(one),), {"gain": 4})),
    "frozen": lambda one: isinstance(one, nn.Module) and one.requires_grad_(False),
}


@pytest.mark.parametrize("make", [_plain, _module])
def test_a_method_is_recognised_and_changes_of_its_object_are_seen(make: Any, form: str) -> None:
    for change in CHANGES.values():
        torch._dynamo.reset()
        cls, name = make()
        one = cls()
        for _ in range(5):
            assert torch.equal(getattr(one, name)(X), _wanted(one, X))
        stats = compile_stats(getattr(cls, name))
        assert (stats.recognised, stats.not_recognised) == (3, None)
        assert bool(stats.dispatched_natively) == (form == "native")
        change(one)
        for _ in range(3):
            result, wanted = getattr(one, name)(X), _wanted(one, X)
            assert torch.equal(result, wanted)
            assert result.requires_grad == wanted.requires_grad


@pytest.mark.parametrize("make", [_plain, _module])
@pytest.mark.usefixtures("form")
def test_instances_are_not_taken_for_each_other(make: Any) -> None:
    cls, name = make()
    first, second = cls(), cls()
    second.shift = 5
    for step in range(24):
        for one in (first, second):
            assert torch.equal(getattr(one, name)(X), _wanted(one, X))
        if step == 12:
            first.shift, second.shift = second.shift, first.shift
    # Plain ones share an entry, which has a state for each. The few calls that note one are not recognised.
    stats = compile_stats(getattr(cls, name))
    assert stats.recognised >= stats.hits - 6


@pytest.mark.usefixtures("form")
def test_one_of_many_objects_that_changes_all_the_time_does_not_hold_the_others_up() -> None:
    cls, name = _plain()
    steady, restless = cls(), cls()
    restless.shift = 3
    steady.shift = 4
    for step in range(40):
        restless.unrelated = step
        for one in (restless, steady):
            assert torch.equal(getattr(one, name)(X), _wanted(one, X))
    before = compile_stats(getattr(cls, name))
    for _ in range(5):
        assert torch.equal(getattr(steady, name)(X), _wanted(steady, X))
    assert compile_stats(getattr(cls, name)).recognised == before.recognised + 5


@pytest.mark.usefixtures("form")
def test_more_objects_than_are_remembered_stay_right() -> None:
    cls, name = _plain()
    many = [cls() for _ in range(40)]
    for index, one in enumerate(many):
        one.shift = index
    for step in range(3):
        for one in many:
            one.items[0] = step
            assert torch.equal(getattr(one, name)(X), _wanted(one, X))


@pytest.mark.usefixtures("form")
def test_objects_that_say_they_are_equal_are_told_apart() -> None:
    asked: list[object] = []

    class Equal:
        def __init__(self, gain: int) -> None:
            self.gain = gain

        def __eq__(self, other: object) -> bool:
            asked.append(other)
            return True

        __hash__ = None  # type: ignore[assignment]

    @token_compile
    def scale(x: torch.Tensor, by: Any) -> torch.Tensor:
        y: torch.Tensor = x * by.gain
        return y

    first, second = Equal(2), Equal(3)
    for one in (first, first, first, first, second, first, second):
        assert torch.equal(scale(X, one), X * one.gain)
    assert compile_stats(scale).recognised >= 2
    assert asked == []


@pytest.fixture
def young_heap() -> Iterator[None]:
    """Collections look at what the test makes, and not through all that others left."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("make", [_plain, _module])
@pytest.mark.usefixtures("form", "young_heap")
def test_an_object_is_not_kept_alive_and_its_successor_is_looked_at(make: Any) -> None:
    cls, name = make()
    for shift in range(6):
        one = cls()
        one.shift = shift % 2
        for _ in range(4):
            assert torch.equal(getattr(one, name)(X), _wanted(one, X))
        alive = weakref.ref(one)
        del one
        gc.collect()
        assert alive() is None
    assert compile_stats(getattr(cls, name)).recognised >= 2


@pytest.mark.usefixtures("form")
def test_an_object_with_slots_is_not_remembered_and_said_so() -> None:
    class Slotted:
        __slots__ = ("gain",)

        def __init__(self) -> None:
            self.gain = 2

    @token_compile
    def scale(x: torch.Tensor, by: Any) -> torch.Tensor:
        y: torch.Tensor = x * by.gain
        return y

    one = Slotted()
    for _ in range(4):
        assert torch.equal(scale(X, one), X * 2)
    one.gain = 3
    assert torch.equal(scale(X, one), X * 3)
    stats = compile_stats(scale)
    assert (stats.recognised, "an argument is neither" in str(stats.not_recognised)) == (0, True)


@pytest.mark.usefixtures("form")
def test_any_number_of_arguments_is_recognised_and_others_are_seen() -> None:
    def total(x: torch.Tensor, *rest: Any, factor: int = 2) -> torch.Tensor:
        y: torch.Tensor = x * factor + len(rest)
        for value in rest:
            y = y + value
        return y

    compiled: Any = token_compile(total, dynamic=False)
    ones = torch.ones(4)
    for _ in range(5):
        assert torch.equal(compiled(X, ones, 3), total(X, ones, 3))
    assert (compile_stats(compiled).recognised, compile_stats(compiled).not_recognised) == (3, None)
    others: list[tuple[Any, ...]] = [
        (X, ones),
        (X, ones, 3, 3),
        (X, ones, 4),
        (X, ones, 3.0),
        (X, ones.double(), 3),
        (X, X, 3),  # one tensor twice
        (X,),
    ]
    for args in others:
        result, wanted = compiled(*args), total(*args)
        assert torch.equal(result, wanted)
        assert result.dtype == wanted.dtype
        assert torch.equal(compiled(X, ones, 3), total(X, ones, 3))
    assert torch.equal(compiled(X, ones, 3, factor=5), total(X, ones, 3, factor=5))
