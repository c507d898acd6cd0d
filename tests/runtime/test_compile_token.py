"""guard_eval="token": what it recognises, what it refuses to remember, and that it verifies itself."""

from __future__ import annotations

import copy
import enum
import functools
import gc
import math
import threading
import types
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

import pytest
import torch
from compile_cases import Added
from torch import nn
from torch._dynamo.testing import CompileCounter

from overhead_lint.native import NativeUnavailable, build
from overhead_runtime import compile as full_compile
from overhead_runtime._dispatch.gatekeeper import Gatekeeper

from .compile_matrix_run import build_native  # type: ignore[import-not-found]  # tests are no package

pytestmark = pytest.mark.usefixtures("fresh_dynamo")

token_compile = functools.partial(full_compile, backend="eager", guard_eval="token")


@pytest.fixture
def native() -> None:
    """Skip where states cannot be compared: no compiler, or a Python that shows no changes of dicts."""
    build_native()
    compiled = token_compile(lambda x: x + 1)
    for _ in range(2):
        compiled(torch.ones(2))
    if compiled.stats().not_recognised is not None:
        pytest.skip(compiled.stats().not_recognised)


@pytest.mark.usefixtures("native")
def test_a_state_is_learnt_once_and_learnt_anew_after_a_change() -> None:
    module, x = Added(), torch.randn(2, 4)
    compiled = token_compile(module)
    for _ in range(5):
        assert torch.equal(compiled(x), module(x))
    assert (compiled.stats().hits, compiled.stats().recognised) == (4, 3)
    module.unrelated = 1  # type: ignore[assignment]
    for _ in range(3):
        compiled(x)
    assert (compiled.stats().hits, compiled.stats().recognised) == (7, 5)
    module.scale = 4
    assert torch.equal(compiled(x), module(x))
    assert compiled.stats().misses == 2


@pytest.mark.usefixtures("native")
def test_a_state_that_always_changes_is_given_up_and_stays_right() -> None:
    module, x = Added(), torch.randn(2, 4)
    compiled = token_compile(module)
    for step in range(40):
        module.unrelated = step  # type: ignore[assignment]
        assert torch.equal(compiled(x), module(x))
    before = compiled.stats()
    for _ in range(5):
        compiled(x)
    assert compiled.stats().recognised == before.recognised
    assert compiled.stats().hits == before.hits + 5


@pytest.mark.usefixtures("native")
def test_floats_are_recognised_by_their_bits() -> None:
    def reciprocal(x: torch.Tensor, by: float = 0.0) -> torch.Tensor:
        return x / (math.copysign(1.0, by) if by == 0 or by != by else by)

    nan, x = float("nan"), torch.randn(2, 4)
    values = [value for value in (0.0, -0.0, nan, -nan, 2.0, 2.5, 2.0, -0.0, True, 1, 1.0) for _ in range(3)]
    results = []
    for how in (functools.partial(torch.compile, backend="eager"), token_compile):
        torch._dynamo.reset()
        compiled: Any = how(reciprocal, dynamic=False)
        results.append([compiled(x, value) for value in values])
    for stock, ours in zip(*results, strict=True):  # Stock takes 0.0 and -0.0 for one.
        assert torch.equal(stock, ours)
    assert compiled.stats().recognised >= 8


def _by_keyword(x: torch.Tensor, *, factor: Any = 2, other: torch.Tensor | None = None) -> torch.Tensor:
    y: torch.Tensor = x * factor if other is None else x * factor + other
    return y


class _ByKeyword(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = 3

    def forward(self, x: torch.Tensor, *, factor: Any = 2, other: Any = None) -> torch.Tensor:
        return _by_keyword(x, factor=factor, other=other) * self.scale


@pytest.mark.parametrize("where", ["native", "python"])
@pytest.mark.parametrize("make", [lambda: _by_keyword, _ByKeyword], ids=["function", "module"])
@pytest.mark.usefixtures("native")
def test_arguments_by_keyword_alone_are_recognised_and_changes_of_them_seen(
    make: Callable[[], Any], where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = make()
    if where == "python":  # the state is compared there, too, where no gate stands before
        monkeypatch.setattr(Gatekeeper, "update", lambda self, route, entries: None)
    compiled = token_compile(plain, dynamic=False)
    x, other, ones = torch.ones(2), torch.ones(2), torch.ones(2)
    same: list[dict[str, Any]] = [
        {},
        {"factor": 3},
        {"factor": 3, "other": other},
        {"other": other, "factor": 3},
    ]
    for given in same:
        for _ in range(4):
            assert torch.equal(compiled(x, **given), plain(x, **given))
        before = compiled.stats().recognised
        assert torch.equal(compiled(x, **given), plain(x, **given))
        assert compiled.stats().recognised == before + 1, given
    changed: list[dict[str, Any]] = [
        {"factor": 4, "other": other},
        {"factor": 3.0, "other": other},
        {"factor": True, "other": other},
        {"factor": ones, "other": other},
        {"factor": 3, "other": other.double()},
        {"factor": 3, "other": torch.ones(1)},
        {"factor": 3, "other": torch.ones(2, requires_grad=True)},
        {"factor": 3, "other": x},  # one tensor twice
        {"factor": 3},
        {"other": 3},
        {"factor": 0},
    ]
    for given in changed:
        for _ in range(3):
            result, wanted = compiled(x, **given), plain(x, **given)
            assert torch.equal(result, wanted), given
            assert (result.dtype, result.requires_grad) == (wanted.dtype, wanted.requires_grad), given
        assert torch.equal(compiled(x, factor=3, other=other), plain(x, factor=3, other=other))
    if isinstance(plain, nn.Module):
        plain.scale = 5  # type: ignore[assignment]
        assert torch.equal(compiled(x, factor=3, other=other), plain(x, factor=3, other=other))
    function: Any = type(plain).forward if isinstance(plain, nn.Module) else plain
    monkeypatch.setitem(function.__kwdefaults__, "factor", 7)
    assert torch.equal(compiled(x), plain(x))


MISSING = object()


@pytest.mark.usefixtures("native")
def test_a_sentinel_is_recognised_and_what_replaces_it_is_not() -> None:
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.shift: Any = MISSING

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + (1 if self.shift is MISSING else 2)

    model, x = Model(), torch.ones(3)
    compiled = token_compile(model)
    for _ in range(4):
        assert torch.equal(compiled(x), x + 1)
    assert (compiled.stats().recognised, compiled.stats().not_recognised) == (2, None)
    model.shift = None  # stock takes one sentinel for another: it guards their type alone
    assert torch.equal(compiled(x), x + 2)


@pytest.mark.usefixtures("native")
def test_marks_of_dynamic_dimensions_are_no_part_of_a_recognised_state() -> None:
    x, marked = torch.ones(3, 2), torch.ones(3, 2)
    torch._dynamo.mark_dynamic(marked, 0)
    compiled = token_compile(lambda x: x + x.shape[0])
    for _ in range(4):
        compiled(x)
    before = compiled.stats()
    assert before.recognised == 2
    assert torch.equal(compiled(marked), marked + 3)
    after = compiled.stats()
    assert (after.recognised, after.misses) == (before.recognised, before.misses + 1)


@pytest.mark.usefixtures("native")
def test_an_optimizer_step_keeps_the_state() -> None:
    module, x = Added(), torch.randn(2, 4)
    compiled = token_compile(module)
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    for _ in range(6):
        optimizer.zero_grad()
        loss = compiled(x).sum()
        torch.testing.assert_close(loss, module(x).sum())
        loss.backward()
        optimizer.step()
    assert compiled.stats().recognised >= 3


class Pictures(nn.Module):
    """A small convolutional net."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU())
        self.head = nn.Linear(8, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(x).mean((2, 3)))  # type: ignore[no-any-return]


class Words(nn.Module):
    """A small transformer encoder."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(10, 16)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True) for _ in range(2)
        )

    def forward(self, x: torch.Tensor, **more: Any) -> torch.Tensor:
        y: torch.Tensor = self.embed(x)
        for layer in self.layers:
            y = layer(y)
        return y


@pytest.mark.usefixtures("native")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
@pytest.mark.parametrize(
    ("make", "batch"),
    [(Pictures, lambda: torch.randn(2, 3, 8, 8)), (Words, lambda: torch.randint(0, 10, (2, 5)))],
    ids=["pictures", "words"],
)
def test_real_layers_are_recognised_and_train_as_eager(make: Any, batch: Any, training: bool) -> None:
    eager = make().train(training)
    module = copy.deepcopy(eager)
    compiled = token_compile(module, verify_every=1)
    both = [(model, torch.optim.AdamW(model.parameters(), 1e-2)) for model in (compiled, eager)]
    for _ in range(5):
        x = batch()
        results = []
        for model, optimizer in both:
            optimizer.zero_grad()
            results.append(model(x))
            if training:
                results[-1].square().sum().backward()
                optimizer.step()
        torch.testing.assert_close(*results)
    assert compiled.stats().recognised == 3
    assert not compiled.stats().fallbacks


@pytest.mark.usefixtures("native")
def test_an_argument_that_is_also_a_parameter_is_not_recognised() -> None:
    module, x = Added(), torch.randn(4, 4)
    compiled = token_compile(module, dynamic=False)
    for _ in range(3):
        compiled(x, nn.Parameter(torch.ones(4, 4)))
    before = compiled.stats().recognised
    assert before == 1
    weight = module.linear.weight
    assert torch.equal(compiled(x, weight), module(x, weight))
    assert compiled.stats().recognised == before


@pytest.mark.usefixtures("native")
def test_inputs_are_not_kept_alive() -> None:
    compiled, x = token_compile(Added()), torch.randn(2, 4)
    for _ in range(3):
        compiled(x)
    seen = weakref.ref(x)
    del x
    gc.collect()
    assert seen() is None
    assert compiled.stats().recognised == 1


@pytest.mark.usefixtures("native")
def test_verification_finds_a_guard_that_disagrees() -> None:
    module, x = Added(), torch.randn(2, 4)
    compiled = token_compile(module, verify_every=2)
    for _ in range(8):
        compiled(x)
    assert compiled.stats().recognised == 6
    # Behind everybody's back: the remembered state holds, the guards no longer.
    entry = compiled.__dict__["_overhead_lint_dispatcher"]._route.entries[0]
    entry.check = lambda names: False
    with pytest.raises(RuntimeError, match="recognised a state whose guards fail"):
        for _ in range(2):
            compiled(x)


class Weird:
    """Says itself what it is equal to."""

    def __eq__(self, other: object) -> bool:
        return other == 1

    def __hash__(self) -> int:
        return 1


@pytest.mark.usefixtures("native")
@pytest.mark.parametrize(
    ("make", "why"),
    [(lambda: deque([1, 2]), "no number"), (lambda: {Weird(), 1.5}, "says itself what it is equal to")],
    ids=["deque", "set of objects with an equality of their own"],
)
def test_what_has_no_version_makes_it_work_as_full(make: Any, why: str) -> None:
    class Reads(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.thing = make()

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + len(self.thing)

    module, x = Reads(), torch.ones(3)
    frames = CompileCounter()
    torch.compile(module, backend=frames)(x)
    if not frames.frame_count:  # torch 2.12, of the set
        pytest.skip("this torch compiles no code that reads such an object")
    torch._dynamo.reset()
    compiled = token_compile(module)
    for _ in range(3):
        assert torch.equal(compiled(x), module(x))
    stats = compiled.stats()
    assert (stats.hits, stats.recognised) == (2, 0)
    assert why in stats.not_recognised
    module.thing.pop()
    assert torch.equal(compiled(x), module(x))


class Holder:
    """A plain object."""


class Computed:
    """A descriptor whose value is not stored where it is read."""

    value = 1

    def __get__(self, instance: Any, owner: Any = None) -> int:
        return type(self).value


def _view() -> tuple[Any, Any]:
    source = {"k": 1}
    return types.MappingProxyType(source), lambda thing: source.update(k=7)


def _frozen_pair() -> tuple[Any, Any]:
    inner = [1]
    return (inner, 2), lambda thing: inner.__setitem__(0, 9)


def _ordered() -> tuple[Any, Any]:
    return OrderedDict(a=1, b=2), lambda thing: thing.move_to_end("a")


def _descriptor() -> tuple[Any, Any]:
    cls = type("WithDescriptor", (), {"k": Computed()})
    return cls(), lambda thing: setattr(Computed, "value", 5)


def _own_getattr() -> tuple[Any, Any]:
    store = {"k": 1}
    cls = type("Lazy", (), {"__getattr__": lambda self, name: store[name]})
    return cls(), lambda thing: store.update(k=6)


def _bound_method() -> tuple[Any, Any]:
    holder = Holder()
    holder.k = 1  # type: ignore[attr-defined]

    def read(self: Any) -> Any:
        return self.k

    return types.MethodType(read, holder), lambda thing: setattr(holder, "k", 8)


def _partial() -> tuple[Any, Any]:
    store = {"k": 1}
    return functools.partial(lambda mapping: mapping["k"], store), lambda thing: store.update(k=4)


def _enumeration() -> tuple[Any, Any]:
    member = enum.Enum("Level", {"LOW": 1, "HIGH": 2}).LOW  # type: ignore[attr-defined]
    return member, lambda thing: setattr(thing, "_value_", 3)


def _nested() -> tuple[Any, Any]:
    inner, outer = Holder(), Holder()
    inner.k, outer.inner = 1, inner  # type: ignore[attr-defined]
    return outer, lambda thing: setattr(thing.inner, "k", 5)


READS: dict[str, tuple[Any, Any]] = {
    "view of a dict": (_view, lambda thing: thing["k"]),
    "tuple with a list": (_frozen_pair, lambda thing: thing[0][0]),
    "order of an OrderedDict": (_ordered, lambda thing: next(iter(thing.values()))),
    "descriptor": (_descriptor, lambda thing: thing.k),
    "__getattr__": (_own_getattr, lambda thing: thing.k),
    "bound method": (_bound_method, lambda thing: thing()),
    "partial": (_partial, lambda thing: thing()),
    "enumeration": (_enumeration, lambda thing: thing.value),
    "nested object": (_nested, lambda thing: thing.inner.k),
}


@pytest.mark.usefixtures("native")
@pytest.mark.parametrize("name", READS)
@pytest.mark.filterwarnings("ignore")
def test_odd_things_are_recognised_rightly_or_not_at_all(name: str) -> None:
    make, read = READS[name]
    thing, change = make()

    class Reads(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.thing = thing

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + read(self.thing)  # type: ignore[no-any-return]

    module, x = Reads(), torch.ones(3)
    stock = torch.compile(module, backend="eager")
    compiled = token_compile(module, verify_every=1)
    for _ in range(3):
        assert torch.equal(compiled(x), module(x))
    try:
        change(thing)
        ours, theirs = compiled(x), stock(x)
        assert torch.equal(ours, module(x)) or torch.equal(ours, theirs)
        assert torch.equal(ours, module(x)) or not torch.equal(theirs, module(x))
    finally:
        Computed.value = 1


@pytest.mark.usefixtures("native")
def test_a_change_while_the_state_is_noted_is_not_taken_for_the_state(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from overhead_runtime._dispatch import fingerprint

    module, x = Added(), torch.randn(2, 4)
    compiled = token_compile(module, dynamic=False)
    compiled(x)
    original = fingerprint.places_read

    def another_thread_writes(*args: Any) -> Any:
        module.scale = 5
        return original(*args)

    monkeypatch.setattr(fingerprint, "places_read", another_thread_writes)
    compiled(x)
    monkeypatch.undo()
    for _ in range(3):
        assert torch.equal(compiled(x), module(x))


@pytest.mark.usefixtures("native")
def test_an_argument_guarded_by_identity_is_not_remembered() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return x + 1

    compiled, first, second = token_compile(function), torch.ones(3), torch.zeros(3)
    for x in (first, second):
        torch._dynamo.mark_static_address(x, guard=True)
    for _ in range(3):
        for x in (first, second):
            assert torch.equal(compiled(x), x + 1)
    assert compiled.stats().recognised == 0


def test_without_a_native_core_it_works_as_full_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def unavailable(name: str) -> Any:
        raise NativeUnavailable("not built")

    monkeypatch.setattr(build, "built", unavailable)
    module, x = Added(), torch.randn(2, 4)
    compiled = token_compile(module)
    for _ in range(3):
        assert torch.equal(compiled(x), module(x))
    stats = compiled.stats()
    assert (stats.hits, stats.recognised, stats.not_recognised) == (2, 0, "not built")


@pytest.mark.usefixtures("native")
def test_threads_and_a_mutator_never_see_a_stale_result() -> None:
    module = Added().eval()
    x = torch.randn(2, 4)
    compiled = token_compile(module)
    expected = []
    for scale in (1, 2):
        module.scale = scale
        compiled(x)
        expected.append(module(x))
    wrong: list[int] = []

    def work() -> None:
        for step in range(300):
            result = compiled(x)
            if not any(torch.equal(result, one) for one in expected):
                wrong.append(step)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for step in range(100):
        module.scale = 1 + step % 2
    for thread in threads:
        thread.join()
    assert wrong == []
    module.scale = 2
    assert torch.equal(compiled(x), expected[1])
