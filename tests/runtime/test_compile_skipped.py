"""`compile` of frames of which Dynamo compiles nothing: after a few calls it leaves them to stock at once."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch._C._dynamo.eval_frame import reset_code

from overhead_runtime import compile as any_compile
from overhead_runtime._dispatch import attempts, dict_tags, dynamo, signature

pytestmark = pytest.mark.usefixtures("fresh_dynamo")

X = torch.ones(4)
FEW = 5


def returned(x: torch.Tensor) -> torch.Tensor:
    return x


def counted(x: torch.Tensor) -> int:
    return x.shape[0] + 1


class Same(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


class Toggled:
    on = False


def toggled(x: torch.Tensor) -> torch.Tensor:
    return x + 1 if Toggled.on else x


class ToggledModule(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1 if Toggled.on else x


def breaks_in_a_loop(x: torch.Tensor) -> torch.Tensor:
    for _ in range(2):
        x = x + 1
        torch._dynamo.graph_break()
    return x


@pytest.fixture(autouse=True)
def _off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Toggled, "on", False)


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the dispatcher does for a call: binding, looking for entries, switching tags on."""
    done: list[str] = []

    def count(owner: Any, name: str) -> None:
        original = getattr(owner, name)

        def counting(*args: Any, **kwargs: Any) -> Any:
            done.append(name)
            return original(*args, **kwargs)

        monkeypatch.setattr(owner, name, counting)

    count(signature.Signature, "bind")
    count(dynamo, "live_entries")
    count(dict_tags._TagsWhileCompiling, "__enter__")
    return done


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("guard_eval", ["full", "token"])
@pytest.mark.parametrize(
    "make",
    [lambda: returned, lambda: counted, Same, lambda: breaks_in_a_loop],
    ids=["function", "shape", "module", "loop with a graph break"],
)
def test_a_skipped_frame_costs_the_dispatcher_only_its_first_calls(
    make: Callable[[], Any], guard_eval: str, work: list[str]
) -> None:
    model = make()
    compiled = any_compile(model, backend="eager", guard_eval=guard_eval)
    for _ in range(FEW):
        compiled(X)
    first = len(work)
    assert first > 0
    for _ in range(50):
        torch.testing.assert_close(compiled(X), model(X))
    assert len(work) == first
    stats = compiled.stats()
    assert stats.misses <= FEW
    assert stats.entries == stats.hits == 0
    assert stats.fallbacks == {"Dynamo compiled nothing of the frame": 50 + FEW - stats.misses}


@pytest.mark.parametrize("make", [lambda: toggled, ToggledModule], ids=["function", "module"])
def test_after_a_reset_the_frame_is_served_again(make: Callable[[], Any]) -> None:
    compiled = any_compile(make(), backend="eager")
    for _ in range(20):
        assert compiled(X) is X
    Toggled.on = True
    torch._dynamo.reset()
    for _ in range(10):
        assert torch.equal(compiled(X), X + 1)
    stats = compiled.stats()
    assert (stats.entries, stats.hits) == (1, 9)
    assert sum(stats.fallbacks.values()) + stats.misses == 21


def test_a_reset_shows_though_another_callable_used_what_came_after_it() -> None:
    compiled, other = (any_compile(toggled, backend="eager") for _ in range(2))
    for _ in range(20):
        compiled(X)
    Toggled.on = True
    torch._dynamo.reset()
    for one in (other, compiled):
        for _ in range(10):
            assert torch.equal(one(X), X + 1)
    assert compiled.stats().hits == 9


def test_an_entry_that_appears_without_a_reset_is_taken_up() -> None:
    compiled = any_compile(toggled, backend="eager")
    for _ in range(20):
        compiled(X)
    Toggled.on = True
    forget: Any = reset_code
    forget(toggled.__code__)
    for _ in range(10):
        assert torch.equal(compiled(X), X + 1)
    # Stock compiles in the first and serves the second, after which the entry is found.
    assert compiled.stats().hits == 8


def test_frames_without_tensors_are_left_until_one_comes() -> None:
    def shifted(x: Any) -> Any:
        return x + 1

    compiled = any_compile(shifted, backend="eager")
    for _ in range(20):
        assert compiled(3) == 4
    copy: Any = types.FunctionType(shifted.__code__.replace(), globals())
    stock: Any = torch.compile(copy, backend="eager")
    for _ in range(20):
        stock(3)
    counts = []
    for one, function in ((compiled, shifted), (stock, copy)):
        for _ in range(5):
            assert torch.equal(one(X), X + 1)
        counts.append(len(dynamo.live_entries(function.__code__, "eager", -1)))
    assert counts[0] == counts[1]
    assert compiled.stats().hits == (4 if counts[0] else 0)


def test_a_frame_that_is_compiled_elsewhere_meanwhile_stays_served(work: list[str]) -> None:
    settled = any_compile(returned, backend="eager")
    for _ in range(20):
        settled(X)
    other = any_compile(lambda x: x * 2, backend="eager")
    for _ in range(3):
        other(X)
        settled(X)
    before = len(work)
    for _ in range(20):
        assert settled(X) is X
    assert len(work) - before <= 3 * FEW


@pytest.mark.filterwarnings("ignore")
def test_past_the_recompile_limit_nothing_is_switched_on_or_looked_up_for_a_miss(work: list[str]) -> None:
    def scaled(x: torch.Tensor, by: int) -> torch.Tensor:
        return x * by

    compiled = any_compile(scaled, backend="eager", dynamic=False)
    for by in range(20):
        compiled(X, by)
    work.clear()
    for by in range(100, 120):
        assert torch.equal(compiled(X, by), X * by)
    assert set(work) == {"bind"}
    hits = compiled.stats().hits
    assert torch.equal(compiled(X, 1), X)
    assert compiled.stats().hits == hits + 1


def test_a_torch_that_does_not_count_frames_is_never_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "_COUNT", "no_such_name")
    compiled = any_compile(returned, backend="eager")
    for _ in range(20):
        assert compiled(X) is X
    assert compiled.stats().misses == 20
