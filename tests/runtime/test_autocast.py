"""`autocast`, beside `torch.autocast`: each scenario runs with both, and their traces must be equal."""

from __future__ import annotations

import copy
import pickle
import threading
import warnings
import weakref
from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest
import torch
from runtime_forms import FORMS, function

State = tuple[bool, torch.dtype, bool]
Build = Callable[..., Any]
BF16, FP16, FP32 = torch.bfloat16, torch.float16, torch.float32


def state(device: str = "cpu") -> State:
    """What autocast can change in this thread."""
    return (
        torch.is_autocast_enabled(device),
        torch.get_autocast_dtype(device),
        torch.is_autocast_cache_enabled(),
    )


@pytest.fixture(params=FORMS)
def autocast(request: pytest.FixtureRequest) -> Build:
    return function("autocast", request.param)


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    before = state()
    yield
    assert state() == before
    assert torch.autocast_increment_nesting() == 1
    assert torch.autocast_decrement_nesting() == 0


def attributes(context: Any) -> tuple[Any, ...]:
    return context.device, context.fast_dtype, context._enabled, context._cache_enabled


ARGUMENTS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    (("cpu",), {}),
    (("cpu", BF16), {}),
    (("cpu", FP16), {}),
    (("cpu", BF16, True, False), {}),
    ((), {"device_type": "cpu", "dtype": BF16, "enabled": True, "cache_enabled": True}),
    (("cpu",), {"dtype": BF16, "enabled": False}),
    (("cpu",), {"dtype": FP32, "enabled": False}),
    (("cpu",), {"dtype": None, "cache_enabled": False}),
    (("cpu",), {"dtype": FP32}),
    (("cpu",), {"dtype": torch.int64}),
    (("cuda",), {}),
    (("cuda", BF16), {}),
    (("cuda",), {"enabled": False}),
    (("xpu", BF16), {}),
    (("mps", FP16), {"enabled": False}),
    (("cpu",), {"enabled": 1}),
    (("cpu",), {"enabled": 0}),
    (("cpu",), {"enabled": "yes"}),
    (("cpu",), {"cache_enabled": 1}),
    (("cpu",), {"dtype": "bfloat16"}),
    (("cpu",), {"dtype": "bfloat16", "enabled": False}),
    (("cpu",), {"dtype": [BF16]}),
    (("gpu",), {}),
    (("",), {}),
    ((None,), {}),
    ((0,), {}),
    ((torch.device("cpu"),), {}),
    ((["cpu"],), {}),
    ((), {}),
    (("cpu",), {"dtyp": BF16}),
    (("cpu", BF16, True, False, 1), {}),
]


@pytest.mark.parametrize("twice", [False, True], ids=["first", "again"])
@pytest.mark.parametrize(("args", "kwargs"), ARGUMENTS, ids=lambda value: repr(value))
def test_same_attributes_state_warnings_and_errors(
    autocast: Build, args: tuple[Any, ...], kwargs: dict[str, Any], twice: bool
) -> None:
    if twice:  # The second construction takes the path of arguments that were seen before.
        outcome(autocast, args, kwargs)
    assert outcome(autocast, args, kwargs) == outcome(torch.autocast, args, kwargs)


def outcome(build: Build, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    before = state()
    seen: list[Any] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            context = build(*args, **kwargs)
            seen.append(attributes(context))
            with context as entered:
                seen += [entered is context, state(context.device)]
        except Exception as error:
            seen.append(type(error))
            while torch.autocast_increment_nesting() != 1:  # Stock leaves the count wrong when it raises.
                torch.autocast_decrement_nesting()
                torch.autocast_decrement_nesting()
            torch.autocast_decrement_nesting()
            torch.set_autocast_enabled("cpu", before[0])
            torch.set_autocast_dtype("cpu", before[1])
            torch.set_autocast_cache_enabled(before[2])
    seen.append([(w.category, str(w.message)) for w in caught])
    return seen


def test_a_failing_entry_changes_nothing(autocast: Build) -> None:
    before = state()
    for bad in (autocast("cpu", enabled="yes"), autocast("cpu", cache_enabled=1)):
        with pytest.raises(TypeError), bad:
            pass
        assert state() == before


def test_is_a_torch_autocast(autocast: Build) -> None:
    assert isinstance(autocast("cpu"), torch.autocast)
    assert isinstance(autocast("cpu", dtype=BF16), torch.autocast)


def nested(build: Build) -> list[Any]:
    seen: list[Any] = []
    with build("cpu", dtype=FP16, cache_enabled=False):
        seen.append(state())
        with build("cpu", dtype=BF16):
            seen.append(state())
            with build("cpu", enabled=False):
                seen.append(state())
            seen.append(state())
        seen.append(state())
    return [*seen, state()]


def defaults_follow_the_surroundings(build: Build) -> list[Any]:
    torch.set_autocast_dtype("cpu", FP16)
    early = build("cpu")
    torch.set_autocast_dtype("cpu", BF16)
    torch.set_autocast_cache_enabled(False)
    late = build("cpu")
    torch.set_autocast_cache_enabled(True)
    seen: list[Any] = [attributes(early), attributes(late)]
    for context in (early, late):
        with context:
            seen.append(state())
    return [*seen, state()]


def raw_setters_inside_are_undone(build: Build) -> list[Any]:
    seen: list[Any] = []
    for enabled in (True, False):
        with build("cpu", dtype=BF16, enabled=enabled):
            torch.set_autocast_enabled("cpu", not enabled)
            torch.set_autocast_dtype("cpu", FP16)
            torch.set_autocast_cache_enabled(False)
        seen.append(state())
    return seen


def exception_inside(build: Build) -> list[Any]:
    seen: list[Any] = []
    try:
        with build("cpu", dtype=FP16):
            raise KeyError("inside")
    except KeyError as error:
        seen.append(error.args)
    return [*seen, state()]


def decorated(build: Build) -> list[Any]:
    @build("cpu", dtype=FP16)  # type: ignore[untyped-decorator]
    def inside(x: torch.Tensor, *, scale: float) -> tuple[Any, ...]:
        """Say what is in force."""
        return state(), (x @ x * scale).dtype

    return [inside(torch.ones(2, 2), scale=2.0), inside.__name__, inside.__doc__, state()]


def ended_out_of_order(build: Build) -> list[Any]:
    def block() -> Generator[State, None, None]:
        with build("cpu", dtype=BF16):
            yield state()

    first, second = block(), block()
    seen: list[Any] = [next(first), next(second), state()]
    for generator in (first, second):
        generator.close()
        seen.append(state())
    torch.set_autocast_enabled("cpu", False)  # Stock's own leak: the last to end restores what it saw.
    return seen


def ended_in_another_thread(build: Build) -> list[Any]:
    context: Any = build("cpu", dtype=FP16)
    context.__enter__()
    seen: list[Any] = [state()]

    def leave() -> None:
        seen.append(state())
        context.__exit__(None, None, None)
        seen.append(state())

    in_thread(leave)
    seen.append(state())
    torch.set_autocast_enabled("cpu", False)
    torch.set_autocast_dtype("cpu", BF16)
    torch.autocast_decrement_nesting()
    return seen


def casts_are_dropped_at_the_outermost_exit(build: Build) -> list[Any]:
    layer = torch.nn.Linear(4, 4)
    x = torch.ones(2, 4)
    seen = []
    with build("cpu", dtype=BF16):
        with build("cpu", dtype=BF16):
            layer(x)
        with torch.no_grad():
            layer.weight.fill_(1.0)
            layer.bias.zero_()
        seen.append(bool((layer(x) == 4).all()))  # Stale: the cast of the old weight is kept.
    with build("cpu", dtype=BF16):
        seen.append(bool((layer(x) == 4).all()))
    return seen


def uncached_casts(build: Build) -> list[Any]:
    layer = torch.nn.Linear(4, 4)
    x = torch.ones(2, 4)
    with build("cpu", dtype=BF16, cache_enabled=False):
        layer(x)
        with torch.no_grad():
            layer.weight.fill_(1.0)
            layer.bias.zero_()
        return [bool((layer(x) == 4).all())]


def in_thread(body: Callable[[], None]) -> None:
    thread = threading.Thread(target=body)
    thread.start()
    thread.join()


@pytest.mark.parametrize(
    "scenario",
    [
        nested,
        defaults_follow_the_surroundings,
        raw_setters_inside_are_undone,
        exception_inside,
        decorated,
        ended_out_of_order,
        ended_in_another_thread,
        casts_are_dropped_at_the_outermost_exit,
        uncached_casts,
    ],
    ids=lambda scenario: scenario.__name__,
)
def test_same_trace_as_stock(autocast: Build, scenario: Callable[[Build], list[Any]]) -> None:
    assert scenario(autocast) == scenario(torch.autocast)


def test_one_instance_entered_again_restores_each_level(autocast: Build) -> None:
    outside = state()
    shared = autocast("cpu", dtype=FP16)
    with shared:
        inside = state()
        with torch.autocast("cpu", enabled=False), shared:
            assert state() == inside
            with shared:
                pass
            assert state() == inside
        assert state() == inside
    assert state() == outside


def test_a_recursive_decorated_function_restores_each_level(autocast: Build) -> None:
    outside = state()

    @autocast("cpu", dtype=FP16)  # type: ignore[untyped-decorator]
    def down(n: int) -> list[State]:
        return [state(), *(down(n - 1) if n else []), state()]

    assert set(down(3)) == {(True, FP16, True)}
    assert state() == outside


def test_one_instance_in_overlapping_threads_restores_each_thread(autocast: Build) -> None:
    shared = autocast("cpu", dtype=FP16)
    barrier = threading.Barrier(4)
    wrong: list[Any] = []

    def body(index: int) -> None:
        torch.set_autocast_dtype("cpu", BF16 if index % 2 else FP16)
        before = state()
        for _ in range(50):
            barrier.wait()
            with shared:
                barrier.wait()
                if state() != (True, FP16, True):
                    wrong.append(("inside", state()))
                if index == 0:
                    with shared:
                        pass
            if state() != before:
                wrong.append(("after", state()))

    threads = [threading.Thread(target=body, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_block_may_end_after_its_thread_and_after_others_in_it(autocast: Build) -> None:
    first, second = autocast("cpu", dtype=FP16), autocast("cpu", dtype=FP16)

    def begin() -> None:
        first.__enter__()
        second.__enter__()

    in_thread(begin)
    before = state()
    for block, after in ((second, (True, FP16, True)), (first, before)):
        torch.autocast_increment_nesting()  # The count is the thread's own, and that thread has ended.
        block.__exit__(None, None, None)
        assert state() == after  # What that thread had at the block's entry.
        block.__exit__(None, None, None)
        assert state() == after  # As in stock, once more.


def test_attributes_may_be_set_as_those_of_stock(autocast: Build) -> None:
    block = autocast("cpu", dtype=BF16)
    block.fast_dtype, block._enabled, block._cache_enabled = FP16, False, False
    with block:
        assert state() == (False, FP16, False)
    block.note = "kept"
    assert block.note == "kept"


def test_nothing_of_a_dropped_block_shows_in_the_next(autocast: Build) -> None:
    for _ in range(6):
        block = autocast("cpu", dtype=BF16)
        assert attributes(block) == ("cpu", BF16, True, True)
        assert not hasattr(block, "mark")
        block.mark, block.fast_dtype, block._enabled = 1, FP32, False
        del block
        block = autocast("cpu", dtype=BF16)
        dropped = weakref.ref(block)
        del block
        autocast("cpu", dtype=BF16)
        assert dropped() is None or dropped() is not autocast("cpu", dtype=BF16)


def test_blocks_that_are_held_are_different_ones(autocast: Build) -> None:
    held = [
        autocast("cpu", dtype=dtype, enabled=enabled)
        for dtype in (BF16, FP16)
        for enabled in (True, False) * 4
    ]
    assert len(set(map(id, held))) == len(held)
    assert [attributes(block)[:3] for block in held[:2]] == [("cpu", BF16, True), ("cpu", BF16, False)]
    entered = autocast("cpu", dtype=BF16).__enter__()
    assert autocast("cpu", dtype=BF16) is not entered
    entered.__exit__(None, None, None)


def test_exit_without_enter_raises_as_stock_and_changes_nothing(autocast: Build) -> None:
    with pytest.raises(AttributeError):
        torch.autocast("cpu").__exit__(None, None, None)
    torch.autocast_increment_nesting()  # Stock counted down before it raised.
    before = state()
    with pytest.raises(AttributeError, match="prev"):
        autocast("cpu").__exit__(None, None, None)
    assert state() == before


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c))])
def test_a_copy_works_apart_from_its_original(autocast: Build, duplicate: Callable[[Any], Any]) -> None:
    original = autocast("cpu", dtype=FP16, cache_enabled=False)
    with original:
        twin = duplicate(original)
        assert attributes(twin) == attributes(original)
        with twin, original:
            assert state() == (True, FP16, False)
    with twin:
        assert state() == (True, FP16, False)


class Net(torch.nn.Module):
    """A model that builds its block in each forward, or was given one."""

    def __init__(self, build: Build, shared: bool) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
        self.build = build
        self.context = build("cpu", dtype=BF16) if shared else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # No `or`: before torch 2.13 Dynamo does not know that a context counts as true.
        with self.build("cpu", dtype=BF16) if self.context is None else self.context:
            y = self.layer(x)
            with self.build("cpu", enabled=False):
                result: torch.Tensor = y.float() @ x.T
                return result


@pytest.mark.parametrize("shared", [False, True], ids=["built", "shared"])
@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_traces_in_one_graph_with_stock_numbers(autocast: Build, shared: bool, backend: str) -> None:
    x = torch.randn(3, 4)
    stock = Net(torch.autocast, False)
    ours = Net(autocast, shared)
    ours.load_state_dict(stock.state_dict())
    compiled = torch.compile(ours, backend=backend, fullgraph=True)
    torch.testing.assert_close(compiled(x), stock(x), rtol=0, atol=0)


def test_a_compiled_function_inside_the_block_is_the_one_compiled_inside_stock(autocast: Build) -> None:
    compiled = torch.compile(lambda x: x @ x, backend="eager", fullgraph=True)
    x = torch.ones(2, 2)
    with torch.autocast("cpu", dtype=BF16):
        assert compiled(x).dtype is BF16
    with torch.compiler.set_stance("fail_on_recompile"), autocast("cpu", dtype=BF16):
        assert compiled(x).dtype is BF16


@pytest.mark.parametrize("strict", [True, False], ids=["strict", "nonstrict"])
def test_exports_to_the_graph_of_stock(autocast: Build, strict: bool) -> None:
    x = torch.randn(3, 4)
    stock = torch.export.export(Net(torch.autocast, False), (x,), strict=strict)
    ours = torch.export.export(Net(autocast, False), (x,), strict=strict)
    assert graph_text(ours) == graph_text(stock)
    assert "autocast" in graph_text(ours)


def graph_text(program: torch.export.ExportedProgram) -> str:
    return str(program.graph_module.code)


def test_a_function_mode_sees_what_it_sees_of_stock(autocast: Build) -> None:
    seen: list[str] = []

    class Mode(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            seen.append(torch.overrides.resolve_name(func) or repr(func))
            return func(*args, **(kwargs or {}))

    traces = []
    for build in (torch.autocast, autocast):
        seen.clear()
        with Mode(), build("cpu", dtype=BF16):
            torch.ones(2, 2) @ torch.ones(2, 2)
        traces.append((list(seen), state()))
    assert traces[0] == traces[1]
