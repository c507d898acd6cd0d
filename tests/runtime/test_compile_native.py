"""The native gate of `compile`: what it serves, what it leaves to Python, and that it keeps nothing alive."""

from __future__ import annotations

import contextlib
import functools
import gc
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from compile_cases import Added
from torch import nn

from overhead_lint.native import NativeUnavailable, build, load
from overhead_runtime import compile as any_compile
from overhead_runtime import compile_stats
from overhead_runtime._dispatch import ambient, dict_tags, native

WITHOUT_TAGS = (
    "no tags are built: dicts do not show all here, or torch frees guards that are still told of changes"
)

eager_compile = functools.partial(any_compile, backend="eager")


@pytest.fixture(autouse=True)
def _native(fresh_dynamo: None) -> None:
    try:
        load("dispatch")
    except NativeUnavailable as error:
        pytest.skip(error.why)


def _warm(compiled: Any, *args: Any, **kwargs: Any) -> Any:
    for _ in range(3):
        compiled(*args, **kwargs)
    return compiled


def _native_hits(compiled: Any) -> int:
    return compile_stats(compiled).dispatched_natively


@pytest.mark.parametrize("guard_eval", ["full", "token"])
def test_all_but_the_first_two_calls_are_served_natively(guard_eval: str) -> None:
    module, x = Added(), torch.randn(2, 4)
    compiled = eager_compile(module, guard_eval=guard_eval)
    for _ in range(10):
        assert torch.equal(compiled(x), module(x))
    stats = compiled.stats()
    assert (stats.misses, stats.hits, stats.dispatched_natively) == (1, 9, 8)
    assert stats.not_native is None


@pytest.mark.parametrize("guard_eval", ["full", "token"])
def test_a_switch_of_one_thread_keeps_the_gate_from_calls_of_that_thread_alone(guard_eval: str) -> None:
    module, x = Added(), torch.randn(2, 4)
    compiled = _warm(eager_compile(module, guard_eval=guard_eval), x)
    compiled(x)

    def served(on: bool) -> int:
        before = _native_hits(compiled)
        for flag in ambient.thread_flags():
            setattr(flag.local, flag.name, on)
        with contextlib.suppress(RuntimeError):  # stock refuses to be traced
            compiled(x)
        for flag in ambient.thread_flags():
            setattr(flag.local, flag.name, False)
        return _native_hits(compiled) - before

    in_threads: list[list[int]] = []
    for order in ((False, True, False), (True, False)):
        thread = threading.Thread(target=lambda order=order: in_threads.append([served(on) for on in order]))
        thread.start()
        thread.join()
        in_threads.append([served(False)])
    on = 0 if ambient.thread_flags() else 1
    assert in_threads == [[1, on, 1], [1], [on, 1], [1]]


def test_functions_methods_and_decorated_methods_are_served() -> None:
    class Holder:
        weight = 5

        @eager_compile
        def method(self, x: torch.Tensor) -> torch.Tensor:
            return x * self.weight

    x, module, factor = torch.ones(3), Added(), 2

    def closure(x: torch.Tensor) -> torch.Tensor:
        return x * factor

    function = _warm(eager_compile(closure, dynamic=False), x)
    bound = _warm(eager_compile(module.forward), torch.ones(4))
    holder = Holder()
    _warm(holder.method, x)
    assert [_native_hits(one) for one in (function, bound, Holder.method)] == [1, 1, 1]
    factor, holder.weight, module.scale = 7, 6, 4
    for _ in range(3):
        assert torch.equal(function(x), x * 7)
        assert torch.equal(holder.method(x), x * 6)
        assert torch.equal(bound(torch.ones(4)), module(torch.ones(4)))


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((2.0,), {}),
        ((2.0, 3.0), {}),
        ((2.0,), {"a": 3.0}),
        ((2.0,), {"b": 5.0}),
        ((2.0,), {"b": 5.0, "a": 6.0}),
    ],
)
def test_arguments_bind_as_python_binds_them(args: Any, kwargs: Any) -> None:
    def function(x: Any, /, a: Any = 1.0, *, b: Any = 2.0) -> Any:
        return x * 10 + a * 2 - b / 4

    args = tuple(torch.full((3,), value) for value in args)
    compiled = eager_compile(function, dynamic=False)
    for _ in range(4):
        assert torch.equal(compiled(*args, **kwargs), function(*args, **kwargs))
    assert _native_hits(compiled) == 2
    function.__defaults__ = (4.0,)
    function.__kwdefaults__ = {"b": 9.0}
    for _ in range(3):
        assert torch.equal(compiled(*args, **kwargs), function(*args, **kwargs))


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [((), {}), ((1, 2, 3), {}), ((1,), {"x": 1}), ((1,), {"other": 1}), ((1, 2), {"y": 3})],
)
def test_arguments_that_do_not_bind_raise_as_in_python(args: Any, kwargs: Any) -> None:
    compiled = _warm(eager_compile(Added()), torch.randn(2, 4))
    with pytest.raises(TypeError, match=r"forward\(\)"):
        compiled(*args, **kwargs)
    assert _native_hits(compiled) == 1


def test_star_arguments_go_through_the_gate() -> None:
    def function(*values: torch.Tensor, **named: torch.Tensor) -> Any:
        return sum(values) + len(named)

    x = torch.ones(3)
    compiled = _warm(eager_compile(function), x, other=x)
    assert torch.equal(compiled(x, other=x), x + 1)
    stats = compiled.stats()
    assert (stats.hits, stats.dispatched_natively, stats.not_native) == (3, 2, None)


def test_a_bound_object_among_star_arguments_stays_in_python_and_says_so() -> None:
    class Holder:
        def function(*values: Any) -> Any:
            return values[1] + len(values)

    x = torch.ones(3)
    compiled = _warm(eager_compile(Holder().function), x)
    assert torch.equal(compiled(x), x + 2)
    stats = compiled.stats()
    assert (stats.hits, stats.dispatched_natively) == (3, 0)
    assert stats.not_native == "a bound object among *args is bound in Python"


def test_a_hundred_arguments_and_ten_shapes() -> None:
    names = [f"x{index}" for index in range(100)]
    namespace: dict[str, Any] = {"__name__": __name__}
    body = " + ".join(f"{name}.shape[0]" for name in names)
    exec(f"def function({', '.join(names)}):\n    return x0 + ({body})\n", namespace)
    function = namespace["function"]
    inputs = [[torch.ones(size) for _ in names] for size in range(2, 12)]
    with torch._dynamo.config.patch(recompile_limit=16):
        for guard_eval in ("full", "token"):
            compiled = eager_compile(function, guard_eval=guard_eval, dynamic=False)
            for _ in range(4):
                for args in inputs:
                    assert torch.equal(compiled(*args), function(*args))
            assert _native_hits(compiled) >= 10
            assert torch.equal(compiled(*inputs[0][:-1], inputs[0][0]), function(*inputs[0]))


def _skip_where_nothing_is_recognised(compiled: Any) -> None:
    if (why := compiled.stats().not_recognised) is not None:
        pytest.skip(why)


def test_the_same_tensor_twice_is_not_taken_for_two() -> None:
    def function(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return (x + y) if x is y else (x - y)

    a, b = torch.ones(3), torch.ones(3)
    compiled = _warm(eager_compile(function, guard_eval="token"), a, b)
    _skip_where_nothing_is_recognised(compiled)
    assert compiled.stats().recognised >= 1
    assert torch.equal(compiled(a, a), a + a)
    assert torch.equal(compiled(a, b), a - b)


def test_verification_is_due_in_the_native_gate_too() -> None:
    module, x = Added(), torch.randn(2, 4)
    compiled = eager_compile(module, guard_eval="token", verify_every=4)
    for _ in range(22):
        compiled(x)
    _skip_where_nothing_is_recognised(compiled)
    stats = compiled.stats()
    assert (stats.hits, stats.recognised) == (21, 20)
    assert stats.dispatched_natively == 15


def test_an_error_in_compiled_code_comes_through_and_leaves_no_state() -> None:
    def fails_under_autocast(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return x[y]

    x, good, bad = torch.randn(3, 3), torch.tensor([0, 1]), torch.tensor([0, 7])
    compiled = _warm(eager_compile(fails_under_autocast), x, good)
    before = _native_hits(compiled)
    with pytest.raises(IndexError):
        compiled(x, bad)
    assert _native_hits(compiled) == before + 1
    assert not torch.is_autocast_enabled("cpu")
    assert torch.equal(compiled(x, good), x[good])


def test_nothing_is_kept_alive_and_no_reference_is_lost() -> None:
    module, x = Added(), torch.randn(2, 4)
    compiled = _warm(eager_compile(module, guard_eval="token"), x)
    x_before, none_before = sys.getrefcount(x), sys.getrefcount(None)
    for _ in range(1000):
        compiled(x)
    assert sys.getrefcount(x) == x_before
    assert abs(sys.getrefcount(None) - none_before) < 100
    alive = weakref.ref(module)
    del module, compiled
    torch._dynamo.reset()
    gc.collect()
    assert alive() is None


def test_assigning_to_call_of_the_class_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = _warm(eager_compile(Added()), torch.randn(2, 4))
    cls: Any = type(compiled)
    original = cls.__call__
    monkeypatch.setattr(cls, "__call__", lambda self, *args: "mine")
    assert compiled(torch.randn(2, 4)) == "mine"
    monkeypatch.setattr(cls, "__call__", original)
    assert compiled(torch.randn(2, 4)).shape == (2, 4)


def test_threads_share_a_gate() -> None:
    module = Added().eval()
    inputs = [torch.randn(rows, 4) for rows in (2, 3)]
    expected = [module(x) for x in inputs]
    compiled = eager_compile(module, dynamic=False)
    for x in inputs * 3:
        compiled(x)
    wrong: list[int] = []

    def work(which: int) -> None:
        for step in range(500):
            index = (which + step) % 2
            if not torch.equal(compiled(inputs[index]), expected[index]):
                wrong.append(step)

    threads = [threading.Thread(target=work, args=(which,)) for which in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert _native_hits(compiled) > 1000


def test_a_call_runs_the_entry_whose_guards_passed_though_another_thread_reorders_them() -> None:
    def scaled(x: torch.Tensor, factor: int) -> torch.Tensor:
        return x * factor

    compiled = eager_compile(scaled, dynamic=False)
    x = torch.ones(2)
    for factor in (2, 3, 4):
        _warm(compiled, x, factor)
    dispatcher = compiled.__dict__["_overhead_lint_dispatcher"]
    entries = dispatcher._route.entries
    passes = entries[1].check
    results: list[float] = []
    factors = [n for n in (4, 3, 2) if passes({"x": x, "factor": n})]
    (others,) = [[n for n in (4, 3, 2) if e.check({"x": x, "factor": n})] for e in entries[2:]]

    def interrupted(names: dict[str, Any]) -> bool:
        accepted: bool = passes(names)
        if accepted and not results:
            results.append(0)
            results[0] = compiled(x, others[0])[0].item()
        return accepted

    entries[1].check = interrupted
    dispatcher.keeper.disarm()
    dispatcher.keeper.update(dispatcher._route, entries)
    before = _native_hits(compiled)
    assert compiled(x, factors[0])[0].item() == factors[0]
    assert results == others
    assert _native_hits(compiled) == before + 2


def _counting_checks(compiled: Any) -> list[int]:
    """Has the gate count, from now on, which entries it asks: their places in the order of the dispatcher."""
    dispatcher = getattr(compiled, "_overhead_lint_dispatcher")  # noqa: B009 - of a module and a function
    entries = dispatcher._route.entries
    asked: list[int] = []

    def counting(place: int, check: Callable[[dict[str, Any]], bool]) -> Callable[[dict[str, Any]], bool]:
        def counted(names: dict[str, Any]) -> bool:
            asked.append(place)
            return check(names)

        return counted

    for place, entry in enumerate(entries):
        entry.check = counting(place, entry.check)
    dispatcher.keeper.disarm()
    dispatcher.keeper.update(dispatcher._route, entries)
    return asked


def _sized(x: torch.Tensor, factor: Any = 2) -> torch.Tensor:
    y: torch.Tensor = x * x.shape[0] * factor
    return y


@pytest.mark.parametrize(
    "calls",
    [
        [(torch.ones(size),) for size in range(2, 9)],
        [(torch.ones(2, dtype=dtype),) for dtype in (torch.float32, torch.float64, torch.int64)],
        [(torch.ones(2, requires_grad=flag),) for flag in (True, False)],
        [(torch.ones(2), factor) for factor in (2, 3, 2.5, 3.5, True)],
        [(torch.ones(shape),) for shape in ((2, 3), (3, 2), (2, 1, 3), (6,))],
    ],
    ids=["sizes", "types", "gradients", "numbers", "shapes"],
)
def test_of_many_entries_the_one_that_served_such_arguments_is_asked_first(calls: list[Any]) -> None:
    compiled = any_compile(_sized, backend="eager", dynamic=False)
    expected = [_sized(*args) for args in calls]
    with torch._dynamo.config.patch(specialize_float=True):
        for args in calls:
            _warm(compiled, *args)
        asked = _counting_checks(compiled)
        for _ in range(3):  # Twice to learn: which argument tells them apart, and what it says of which.
            asked.clear()
            for args, result in zip(calls, expected, strict=True):
                assert torch.equal(compiled(*args), result)
        assert len(asked) == len(set(asked)) == len(calls)
        assert compile_stats(compiled).entries == len(calls)


def _with_note(step: object, x: torch.Tensor, note: object) -> torch.Tensor:
    y: torch.Tensor = x * x.shape[0]
    return y


def test_entries_are_told_apart_by_the_arguments_that_differ_between_them() -> None:
    compiled = any_compile(_with_note, backend="eager", dynamic=False)
    calls = [torch.ones(size) for size in range(2, 7)]
    notes = [object() for _ in range(100)]  # All alive, so that no two of them are at one address.
    for x in calls:
        _warm(compiled, notes.pop(), x, notes.pop())
    asked = _counting_checks(compiled)
    for _ in range(4):  # The others are new in each call: once that has shown, they are not read.
        asked.clear()
        for x in calls:
            assert torch.equal(compiled(notes.pop(), x, notes.pop()), _with_note(None, x, None))
    assert len(asked) == len(set(asked)) == len(calls)


def test_entries_of_another_function_with_fewer_arguments_are_found() -> None:
    compiled = any_compile(_changing, backend="eager", dynamic=False)
    before = _changing.__code__
    try:
        for code, spare in ((before, (1, 2)), (_one_sized.__code__, ())):
            _changing.__code__ = code
            for _ in range(4):
                for size in (2, 3, 4):
                    x = torch.ones(size)
                    assert torch.equal(compiled(*spare, x), x * size)
        assert compile_stats(compiled).dispatched_natively > 8
    finally:
        _changing.__code__ = before


def _changing(first: int, second: int, x: torch.Tensor) -> torch.Tensor:
    return x * x.shape[0]


def _one_sized(x: torch.Tensor) -> torch.Tensor:
    return x * x.shape[0]


def test_each_instance_of_a_class_finds_its_own_entry_at_once() -> None:
    class Net(nn.Module):
        def __init__(self, scale: float) -> None:
            super().__init__()
            self.scale = scale

        @functools.partial(any_compile, backend="eager", dynamic=False)
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * self.scale

    nets, x = [Net(float(scale)) for scale in (2, 3, 4)], torch.ones(2)
    with torch._dynamo.config.patch(specialize_float=True):
        for net in nets:
            for _ in range(3):
                net(x)
        asked = _counting_checks(Net.forward)
        for _ in range(2):
            asked.clear()
            assert [net(x)[0].item() for net in nets] == [2, 3, 4]
        assert sorted(asked) == [0, 1, 2]
        nets[0].scale, nets[2].scale = nets[2].scale, nets[0].scale  # The prediction is wrong now.
        assert [net(x)[0].item() for net in nets] == [4, 3, 2]
        assert compile_stats(Net.forward).misses == 3


def test_a_predicted_entry_that_is_gone_is_not_run() -> None:
    compiled = any_compile(_sized, backend="eager", dynamic=False)
    calls = [torch.ones(size) for size in (2, 3, 4)]
    for _ in range(3):
        for x in calls:
            _warm(compiled, x)
    torch._dynamo.reset()
    for _ in range(3):
        for x in calls:
            assert torch.equal(compiled(x), _sized(x))
    assert compile_stats(compiled).misses == 6


def test_without_the_native_core_python_serves_all_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    # A cache without the library: nothing is compiled, and no compiler is looked for.
    monkeypatch.setattr(build, "modules", {})
    monkeypatch.setenv("OVERHEAD_LINT_CACHE", str(tmp_path))
    monkeypatch.setenv("CXX", str(tmp_path / "none"))
    monkeypatch.setattr(native, "_told", [])
    why = "dispatch is not built: run overhead-lint native build dispatch"
    for _ in range(2):
        torch._dynamo.reset()
        module, x = Added(), torch.randn(2, 4)
        compiled = _warm(eager_compile(module), x)
        assert torch.equal(compiled(x), module(x))
        stats = compiled.stats()
        assert (stats.hits, stats.dispatched_natively, stats.not_native) == (3, 0, why)
    assert [record.message for record in caplog.records if record.name == native.__name__] == [
        f"overhead_runtime.compile dispatches calls in Python: {why}"
    ]
    assert list(tmp_path.iterdir()) == []


def test_the_environment_keeps_compile_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERHEAD_LINT_RUNTIME", "python")
    compiled = _warm(eager_compile(Added()), torch.randn(2, 4))
    stats = compiled.stats()
    assert (stats.hits, stats.dispatched_natively) == (2, 0)
    assert stats.not_native == "OVERHEAD_LINT_RUNTIME=python keeps the runtime to Python"


def test_globals_of_the_user_are_read_where_they_are() -> None:
    namespace: dict[str, Any] = {"__name__": __name__, "torch": torch, "WEIGHT": torch.ones(3)}
    exec("def function(x):\n    global COUNT\n    COUNT = x.shape[0]\n    return x * WEIGHT\n", namespace)
    x = torch.ones(3)
    compiled = _warm(eager_compile(namespace["function"], dynamic=False), x)
    assert _native_hits(compiled) == 1
    namespace["WEIGHT"] = torch.full((3,), 4.0)
    namespace["COUNT"] = 0
    assert torch.equal(compiled(x), x * 4)
    assert namespace["COUNT"] == 3


@pytest.mark.parametrize("tags", [False, True])
def test_recursive_tags_are_for_the_compilation_only(tags: bool) -> None:
    from torch._dynamo import config

    if tags and not dict_tags.are_trusted():
        pytest.skip(WITHOUT_TAGS)
    x = torch.randn(2, 4)
    before = (config.use_recursive_dict_tags_for_guards, config.assume_dunder_attributes_remain_unchanged)
    compiled = _warm(eager_compile(Added(), recursive_tags=tags), x)
    after = (config.use_recursive_dict_tags_for_guards, config.assume_dunder_attributes_remain_unchanged)
    assert after == before
    root = compiled.__dict__["_overhead_lint_dispatcher"]._route.entries[0].root
    assert _has_tag_safe_root(root) is (tags or before[0])  # torch 2.11 has them without being asked


def test_threads_that_compile_at_once_get_tags_and_their_configuration_back() -> None:
    from torch._dynamo import config

    def settings() -> tuple[Any, ...]:
        return (config.use_recursive_dict_tags_for_guards, config.assume_dunder_attributes_remain_unchanged)

    if dict_tags.tags_while_compiling._owner(config) == 0:
        pytest.skip("all threads share the configuration of this torch")
    if not dict_tags.are_trusted():
        pytest.skip(WITHOUT_TAGS)
    inside, outside = threading.Event(), threading.Event()
    seen: list[Any] = []

    def work() -> None:
        seen.append(settings())
        with dict_tags.tags_while_compiling:
            seen.append(settings())
            inside.set()
            outside.wait(60)
        seen.append(settings())

    before = settings()
    thread = threading.Thread(target=work)
    with dict_tags.tags_while_compiling:
        thread.start()
        inside.wait(60)
    seen.append(settings())
    outside.set()
    thread.join()
    assert seen == [before, (True, False), before, before]


def _has_tag_safe_root(manager: Any) -> bool:
    return manager.is_tag_safe_root() or any(map(_has_tag_safe_root, manager.get_child_managers()))


def test_defaults_of_a_method_are_seen_under_tags_as_in_stock_without() -> None:
    from torch._dynamo import config

    def after_a_change(how: Callable[[nn.Module], Any]) -> torch.Tensor:
        class Shifted(nn.Module):
            def shift(self, x: torch.Tensor, by: int = 1) -> torch.Tensor:
                return x + by

            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return self.shift(x)

        class Outer(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.inner = Shifted()

            def forward(self, x: torch.Tensor) -> torch.Tensor:
                y: torch.Tensor = self.inner(x)
                return y

        compiled = _warm(how(Outer()), torch.ones(3))
        Shifted.shift.__defaults__ = (5,)
        return compiled(torch.ones(3))  # type: ignore[no-any-return]

    with config.patch(use_recursive_dict_tags_for_guards=False):
        stock = after_a_change(lambda module: torch.compile(module, backend="eager"))
    ours = after_a_change(lambda module: eager_compile(module, recursive_tags=True))
    assert torch.equal(ours, stock)  # 6, but for torch 2.11, which guards no defaults of methods


@contextlib.contextmanager
def _fx_traces() -> Iterator[None]:
    """What `torch.fx.symbolic_trace` does to say that it is at work in this thread."""
    symbolic_trace = torch.fx._symbolic_trace
    if hasattr(symbolic_trace, "_is_fx_tracing_context"):
        with symbolic_trace._is_fx_tracing_context(True):
            yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(symbolic_trace, "_is_fx_tracing_flag", True)
        yield


def test_while_fx_traces_in_this_thread_a_call_is_left_to_stock() -> None:
    module, x = Added(), torch.randn(2, 4)
    compiled = _warm(eager_compile(module), x)
    before = _native_hits(compiled)
    with _fx_traces(), pytest.raises(RuntimeError, match="using FX to symbolically trace"):
        compiled(x)
    assert _native_hits(compiled) == before
    assert compiled.stats().fallbacks == {"being traced by torch.jit or torch.fx": 1}
    assert torch.equal(compiled(x), module(x))
    assert _native_hits(compiled) == before + 1


@pytest.mark.skipif(
    not hasattr(torch.fx._symbolic_trace, "_is_fx_tracing_tls"), reason="fx traces for the whole process here"
)
def test_while_fx_traces_in_another_thread_calls_are_served() -> None:
    module, x = Added(), torch.randn(2, 4)
    compiled = _warm(eager_compile(module), x)
    before = _native_hits(compiled)
    thread = threading.Thread(target=compiled, args=(x,))
    with _fx_traces():
        thread.start()
        thread.join()
    assert _native_hits(compiled) == before + 1


UNCOMPILED_INSIDE: Any = getattr(torch._dynamo.eval_frame, "_use_eager_on_nested_compile", None)


@pytest.mark.skipif(UNCOMPILED_INSIDE is None, reason="this torch compiles in nested traces")
def test_while_torch_wants_nested_calls_uncompiled_stock_serves_them() -> None:
    module, x = Added(), torch.randn(2, 4)
    compiled = _warm(eager_compile(module), x)
    before = _native_hits(compiled)
    with UNCOMPILED_INSIDE():
        assert torch.equal(compiled(x), module(x))
    assert _native_hits(compiled) == before
    assert compiled.stats().fallbacks == {"inside a trace of torch.compile or torch.export": 1}
