"""guard_eval="token": attributes that get another meaning by a change of what they are looked up in."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
import torch

from overhead_runtime import compile as full_compile

from .compile_matrix_run import build_native  # type: ignore[import-not-found]  # tests are no package

pytestmark = pytest.mark.usefixtures("fresh_dynamo")
X = torch.ones(2)


class Gains(NamedTuple):
    """A record."""

    gain: int


class Held:
    """What the compiled code reads `gain` of, and all that it is looked up in."""

    def __init__(self) -> None:
        self.base_meta = type("BaseMeta", (type,), {})
        self.meta = type("Meta", (self.base_meta,), {})
        self.cls: Any = self.meta("Config", (), {"gain": 2})
        self.module: Any = types.ModuleType("config")
        vars(self.module)["gain"] = 2
        self.record: Any = type("Record", (Gains,), {"__slots__": ()})(2)


def fifty() -> Any:
    """A data descriptor: it comes before what the object itself holds."""
    return property(lambda owner: 50)


def in_metaclass(held: Held) -> None:
    held.meta.gain = fifty()  # type: ignore[attr-defined]


def in_base_of_metaclass(held: Held) -> None:
    held.base_meta.gain = fifty()  # type: ignore[attr-defined]


def another_metaclass(held: Held) -> None:
    held.cls.__class__ = type("Other", (held.meta,), {"gain": fifty()})


def another_class_of_a_module(held: Held) -> None:
    held.module.__class__ = type("Other", (types.ModuleType,), {"gain": fifty()})


def another_class_of_a_named_tuple(held: Held) -> None:
    held.record.__class__ = type("Other", (type(held.record),), {"__slots__": (), "gain": fifty()})


CHANGES: list[tuple[str, Callable[[Held], None]]] = [
    ("cls", in_metaclass),
    ("cls", in_base_of_metaclass),
    ("cls", another_metaclass),
    ("module", another_class_of_a_module),
    ("record", another_class_of_a_named_tuple),
]


@pytest.mark.parametrize("in_module", [False, True], ids=["function", "module"])
@pytest.mark.parametrize(("owner", "change"), CHANGES)
def test_a_descriptor_that_comes_before_an_attribute_is_noticed(
    owner: str, change: Callable[[Held], None], in_module: bool
) -> None:
    build_native()

    def run() -> list[tuple[list[float], list[float]]]:
        held = Held()
        config = getattr(held, owner)

        class Net(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.config = config

            def forward(self, x: torch.Tensor) -> torch.Tensor:
                product: torch.Tensor = x * self.config.gain
                return product

        def function(x: torch.Tensor) -> torch.Tensor:
            product: torch.Tensor = x * config.gain
            return product

        both = []
        makers: list[Any] = [torch.compile, functools.partial(full_compile, guard_eval="token")]
        for make in makers:
            torch._dynamo.reset()
            both.append(make(Net() if in_module else function, backend="eager"))
            for _ in range(4):
                both[-1](X)
        change(held)
        return [(both[0](X).tolist(), both[1](X).tolist()) for _ in range(3)]

    for stock, ours in run():
        assert ours in (stock, [50.0, 50.0])


def test_a_class_and_a_module_are_recognised() -> None:
    why = build_native()
    held = Held()
    cls, module = held.cls, held.module
    compiled: Any = full_compile(lambda x: x * cls.gain + module.gain, backend="eager", guard_eval="token")
    for _ in range(4):
        assert compiled(X).tolist() == [4.0, 4.0]
    if compiled.stats().not_recognised is not None:
        pytest.skip(why or compiled.stats().not_recognised)
    assert compiled.stats().recognised == 2
