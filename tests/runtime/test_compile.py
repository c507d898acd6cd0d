"""`compile` beside `torch.compile`: the same results, attributes and errors, and hits where it should hit."""

from __future__ import annotations

import copy
import functools
import gc
import pickle
import shutil
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from overhead_lint.runtime.compile import compile as fast_compile
from overhead_lint.runtime.compile import compile_stats

pytestmark = pytest.mark.usefixtures("fresh_dynamo")

Compile = Callable[..., Any]


class Scaled(nn.Module):
    """A linear layer with attributes that Dynamo guards."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.scale = 3

    def forward(self, x: torch.Tensor, shift: float = 0.0) -> torch.Tensor:
        y: torch.Tensor = self.linear(x) * self.scale + shift
        return y * 2 if self.training else y


@pytest.fixture(params=[torch.compile, fast_compile], ids=["stock", "ours"])
def compile_(request: pytest.FixtureRequest) -> Any:
    return request.param


def _warm(function: Any, *args: Any) -> Any:
    for _ in range(2):
        function(*args)
    return function


def test_a_second_call_hits_and_gives_the_same_result() -> None:
    module, x = Scaled(), torch.randn(2, 4)
    compiled = fast_compile(module, backend="eager")
    first, second = compiled(x), compiled(x)
    assert torch.equal(first, module(x))
    assert torch.equal(second, module(x))
    stats = compiled.stats()
    assert (stats.hits, stats.misses, dict(stats.fallbacks), stats.entries) == (1, 1, {}, 1)
    assert stats.unsupported is None


def test_parameters_may_be_swapped_where_conversions_swap_them() -> None:
    module, x = Scaled(), torch.randn(2, 4)
    torch.__future__.set_swap_module_params_on_conversion(True)
    try:
        compiled = _warm(fast_compile(module, backend="eager"), x)
        module.double()  # Under recursive dict tags each parameter has a weak reference, and is not swapped.
        assert torch.equal(compiled(x.double()), module(x.double()))
    finally:
        torch.__future__.set_swap_module_params_on_conversion(False)


def test_importing_the_module_leaves_dynamo_alone() -> None:
    code = "import sys, overhead_lint.runtime.compile; sys.exit('torch._dynamo' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_keywords_and_defaults_hit_too() -> None:
    module, x = Scaled(), torch.randn(2, 4)
    compiled = fast_compile(module, backend="eager", dynamic=False)
    for _ in range(2):
        for args, kwargs in (((x,), {}), ((x, 1.5), {}), ((x,), {"shift": 1.5}), ((), {"x": x})):
            assert torch.equal(compiled(*args, **kwargs), module(*args, **kwargs))
    assert compiled.stats().hits >= 5


@pytest.mark.parametrize(
    ("args", "kwargs"), [((), {}), ((1, 2, 3), {}), ((1,), {"x": 1}), ((1,), {"other": 1})]
)
def test_arguments_that_do_not_bind_raise_as_stock(args: Any, kwargs: Any) -> None:
    x = torch.randn(2, 4)
    messages = []
    for how in (torch.compile, fast_compile):
        compiled = _warm(how(Scaled(), backend="eager"), x)
        with pytest.raises(TypeError) as error:
            compiled(*args, **kwargs)
        messages.append(str(error.value))
    assert messages[0] == messages[1]


def test_an_argument_named_self_is_refused_as_in_stock() -> None:
    class Odd(nn.Module):
        def forward(this, self: torch.Tensor) -> torch.Tensor:  # noqa: N805
            return self + 1

    x = torch.randn(2, 4)
    messages = []
    for how in (torch.compile, fast_compile):
        compiled = how(Odd(), backend="eager")
        for _ in range(4):
            assert torch.equal(compiled(x), x + 1)
        with pytest.raises(TypeError) as error:
            compiled(self=x)
        messages.append(str(error.value))
    assert messages[0] == messages[1]


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((2.0,), {}),
        ((2.0, 3.0), {"b": 5.0}),
        ((2.0, 3.0, 4.0, 5.0), {"b": 5.0, "more": 6.0}),
        ((2.0,), {"x": 7.0}),
        ((), {"a": 2.0}),
        ((2.0,), {"a": 3.0}),
        ((), {}),
    ],
)
def test_every_kind_of_parameter_binds_as_python_does(args: Any, kwargs: Any) -> None:
    def function(x: Any, /, a: Any = 1.0, *rest: Any, b: Any = 2.0, **more: Any) -> Any:
        return x * 10 + a * 2 - b / 4 + sum(rest) + len(more) + more.get("more", 0.0) + more.get("x", 0.0)

    args = tuple(torch.full((3,), value) for value in args)
    compiled = fast_compile(function, backend="eager", dynamic=False)
    if not args:
        with pytest.raises(TypeError):
            compiled(*args, **kwargs)
        return
    for _ in range(3):
        assert torch.equal(compiled(*args, **kwargs), function(*args, **kwargs))
    assert compiled.stats().hits == 2


def test_attributes_are_those_of_stock() -> None:
    module = Scaled()
    stock: Any = torch.compile(module, backend="eager")
    ours = fast_compile(module, backend="eager")
    assert isinstance(ours, type(stock))
    assert ours._orig_mod is module
    assert list(ours.state_dict()) == list(stock.state_dict())
    assert [name for name, _ in ours.named_parameters()] == [name for name, _ in stock.named_parameters()]
    ours.eval()
    assert not module.training
    ours.scale = 7
    assert module.scale == 7
    assert ours.get_compiler_config() == stock.get_compiler_config()
    with pytest.raises(AttributeError, match="missing"):
        _ = ours.missing


@pytest.mark.parametrize(
    "say",
    [
        repr,
        lambda module: says(torch.fx.symbolic_trace, module),
        lambda module: says(module.load_state_dict, {}),
        lambda module: says(module.get_submodule, "none"),
    ],
    ids=["printed", "traced by torch.fx", "another state", "no such part"],
)
def test_messages_call_the_class_what_stock_calls_it(say: Callable[[Any], str]) -> None:
    ours, stock = (make(Scaled(), backend="eager") for make in (fast_compile, torch.compile))
    assert say(ours) == say(stock)
    assert "OptimizedModule" in say(ours)


def test_the_class_is_found_by_its_qualified_name() -> None:
    kind = type(fast_compile(Scaled(), backend="eager"))
    assert pickle.loads(pickle.dumps(kind)) is kind


def says(function: Callable[..., Any], *args: Any) -> str:
    with pytest.raises((NotImplementedError, RuntimeError, AttributeError)) as told:
        function(*args)
    return str(told.value)


def test_a_module_with_its_own_stats_keeps_them() -> None:
    module = Scaled()
    module.stats = "mine"  # type: ignore[assignment]
    compiled = _warm(fast_compile(module, backend="eager"), torch.randn(2, 4))
    assert compiled.stats == "mine"
    assert compile_stats(compiled).hits == 1


def test_decorator_forms_on_functions_and_methods(compile_: Compile) -> None:
    @compile_
    def plain(x: torch.Tensor) -> torch.Tensor:
        """Doc."""
        return x + 1

    @compile_(backend="eager", fullgraph=True)  # type: ignore[untyped-decorator]
    def configured(x: torch.Tensor, *, k: int = 2) -> torch.Tensor:
        return x * k

    class Holder:
        weight = 5

        @compile_(backend="eager")  # type: ignore[untyped-decorator]
        def method(self, x: torch.Tensor) -> torch.Tensor:
            return x * self.weight

    assert plain.__name__ == "plain"
    assert plain.__doc__ == "Doc."
    assert plain.__wrapped__ is plain._torchdynamo_orig_callable
    x, holder = torch.ones(3), Holder()
    for _ in range(3):
        assert torch.equal(configured(x), x * 2)
        assert torch.equal(configured(x, k=4), x * 4)
        assert torch.equal(holder.method(x), x * 5)
    holder.weight = 6
    assert torch.equal(holder.method(x), x * 6)
    if compile_ is fast_compile:
        assert configured.stats().hits >= 3
        assert Holder.method.stats().hits >= 1


def test_bound_methods_and_closures_hit() -> None:
    module, x = Scaled(), torch.randn(2, 4)
    method = _warm(fast_compile(module.forward, backend="eager"), x)
    assert torch.equal(method(x), module(x))
    assert method.stats().hits == 2
    factor = 3

    def closure(x: torch.Tensor) -> torch.Tensor:
        return x * factor

    compiled = _warm(fast_compile(closure, backend="eager", dynamic=False), x)
    assert torch.equal(compiled(x), x * 3)
    factor = 5
    assert torch.equal(compiled(x), x * 5)
    assert compiled.stats().hits == 2


def test_unknown_modes_are_refused_and_stock_mode_only_counts() -> None:
    with pytest.raises(ValueError, match="guard_eval must be 'full', 'token' or 'stock', not 'fast'"):
        fast_compile(Scaled(), guard_eval="fast")
    with pytest.raises(ValueError, match="verify_every must be 0 or more, not -1"):
        fast_compile(Scaled(), guard_eval="token", verify_every=-1)
    for given in (1.5, None, True, "2"):
        with pytest.raises(TypeError, match=f"verify_every must be a whole number, not {given!r}"):
            fast_compile(Scaled(), guard_eval="token", verify_every=given)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="recursive_tags must be True, False or None, not 'x'"):
        fast_compile(Scaled(), recursive_tags="x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="verify_every is for guard_eval='token'"):
        fast_compile(Scaled(), verify_every=3)
    with pytest.raises(TypeError, match="no_such_option"):
        fast_compile(Scaled(), no_such_option=1)
    compiled = _warm(fast_compile(Scaled(), backend="eager", guard_eval="stock"), torch.randn(2, 4))
    stats = compiled.stats()
    assert (stats.hits, stats.unsupported) == (0, "guard_eval='stock'")


def test_switched_off_compilation_returns_what_stock_returns() -> None:
    module = Scaled()
    assert fast_compile(module, disable=True) is module
    assert compile_stats(module).unsupported == "torch.compile returned this uncompiled"


def test_copies_work_and_keep_the_mode() -> None:
    x = torch.randn(2, 4)
    compiled = _warm(fast_compile(Scaled(), backend="eager", guard_eval="stock"), x)
    twin = copy.deepcopy(compiled)
    assert torch.equal(twin(x), compiled(x))
    assert compile_stats(twin).guard_eval == "stock"
    assert twin._orig_mod is not compiled._orig_mod
    twin._orig_mod.scale = 11
    assert not torch.equal(twin(x), compiled(x))


def test_reset_drops_the_entries() -> None:
    x = torch.randn(2, 4)
    compiled = _warm(fast_compile(Scaled(), backend="eager"), x)
    torch._dynamo.reset()
    compiled(x)
    assert (compiled.stats().hits, compiled.stats().misses) == (1, 2)
    compiled(x)
    assert compiled.stats().hits == 2


def test_several_entries_serve_shapes_and_modes() -> None:
    module = Scaled()
    compiled = fast_compile(module, backend="eager", dynamic=False)
    inputs = [torch.randn(rows, 4) for rows in (2, 3)]
    for _ in range(3):
        for training in (True, False):
            module.train(training)
            for x in inputs:
                assert torch.equal(compiled(x), module(x))
    stats = compiled.stats()
    assert (stats.hits, stats.misses, stats.entries) == (8, 4, 4)


def test_backward_through_a_hit_gives_the_same_gradients() -> None:
    module, x = Scaled(), torch.randn(2, 4)
    compiled = _warm(fast_compile(module, backend="aot_eager"), x)
    ours = torch.autograd.grad(compiled(x).sum(), list(module.parameters()))
    eager = torch.autograd.grad(module(x).sum(), list(module.parameters()))
    for left, right in zip(ours, eager, strict=True):
        torch.testing.assert_close(left, right)
    assert compiled.stats().hits == 2


def test_two_threads_get_their_own_results() -> None:
    module = Scaled().eval()
    inputs = [torch.randn(rows, 4) for rows in (2, 3)]
    expected = [module(x) for x in inputs]
    compiled = fast_compile(module, backend="eager", dynamic=False)
    for x in inputs:
        compiled(x)
    wrong: list[int] = []

    def work(which: int) -> None:
        for step in range(300):
            index = (which + step) % 2
            if not torch.equal(compiled(inputs[index]), expected[index]):
                wrong.append(step)

    threads = [threading.Thread(target=work, args=(which,)) for which in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert compiled.stats().hits > 500


def test_calls_while_another_thread_compiles_are_left_to_stock_and_counted() -> None:
    ran: list[int] = []
    begun, go_on = threading.Event(), threading.Event()

    def backend(graph: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> Callable[..., Any]:
        def run(*args: Any) -> Any:
            ran.append(1)
            return graph(*args)

        return run

    def slow(graph: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> Callable[..., Any]:
        begun.set()
        assert go_on.wait(60)
        return graph

    x = torch.randn(2, 4)
    compiled = _warm(fast_compile(Scaled(), backend=backend), x)
    ran.clear()
    slowly: Any = torch.compile(torch.sin, backend=slow)
    other = threading.Thread(target=slowly, args=(x,))
    other.start()
    assert begun.wait(60)
    try:
        assert torch.compiler.is_compiling()  # one flag for all threads
        compiled(x)
    finally:
        go_on.set()
        other.join()
    assert ran == [1]
    assert sum(compiled.stats().fallbacks.values()) == 1


def test_an_error_inside_compiled_code_is_stocks_and_leaves_no_state() -> None:
    def fails_under_autocast(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return x[y]

    x, good, bad = torch.randn(3, 3), torch.tensor([0, 1]), torch.tensor([0, 7])
    for how in (torch.compile, fast_compile):
        compiled = _warm(how(fails_under_autocast, backend="eager"), x, good)
        with pytest.raises(IndexError):
            compiled(x, bad)
        assert not torch.is_autocast_enabled("cpu")
        assert torch.equal(compiled(x, good), x[good])
    assert compiled.stats().hits == 4, "the calls that raised must have been dispatched"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("tail", [False, True], ids=["resumes", "in the return"])
def test_graph_breaks_stay_with_stock_and_what_follows_is_compiled(tail: bool) -> None:
    graphs: list[int] = []

    def backend(graph: torch.fx.GraphModule, example: list[torch.Tensor]) -> Any:
        graphs.append(1)
        return graph.forward

    def inner(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    def calls_inner(x: torch.Tensor) -> torch.Tensor:
        return inner(x)

    disable: Any = torch.compiler.disable
    opaque = disable(calls_inner, recursive=False)

    def broken(x: torch.Tensor) -> torch.Tensor:
        y = x + 1
        if tail:
            return opaque(y)  # type: ignore[no-any-return]
        return opaque(y) + 1  # type: ignore[no-any-return]

    compiled, x = fast_compile(broken, backend=backend), torch.ones(3)
    for _ in range(3):
        assert torch.equal(compiled(x), broken(x))
    stats = compiled.stats()
    assert stats.hits == 0
    assert stats.fallbacks == {"graph break": 2}
    count = len(graphs)
    torch._dynamo.reset()
    stock = torch.compile(broken, backend=backend)
    for _ in range(3):
        stock(x)
    assert len(graphs) == 2 * count


@pytest.mark.filterwarnings("ignore")
def test_past_the_recompile_limit_results_stay_right() -> None:
    class Counting(nn.Module):
        label = "0"

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + len(self.label) if self.label > "3" else x - len(self.label)

    module, x = Counting(), torch.ones(3)
    compiled = fast_compile(module, backend="eager")
    for step in range(20):
        module.label = str(step)
        assert torch.equal(compiled(x), module(x))
    module.label = "0"
    assert torch.equal(compiled(x), module(x))
    assert compiled.stats().hits >= 1


def test_another_backend_on_the_same_code_is_not_mixed_up() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return x + 1

    def constant(graph: torch.fx.GraphModule, example: list[torch.Tensor]) -> Any:
        return lambda *args: (torch.full((3,), 42.0),)

    x = torch.ones(3)
    honest = _warm(fast_compile(function, backend="eager"), x)
    liar = _warm(fast_compile(function, backend=constant), x)
    for _ in range(2):
        assert torch.equal(honest(x), x + 1)
        assert torch.equal(liar(x), torch.full((3,), 42.0))
    assert honest.stats().hits == 3


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: nn.Linear(4, 4), "a frame of its own"),
        (lambda: nn.LazyLinear(4), "lazy"),
        (lambda: torch.jit.trace(Scaled(), torch.ones(2, 4)), "is not a plain function"),
    ],
    ids=["skipped file", "lazy module", "traced module"],
)
@pytest.mark.filterwarnings("ignore")
def test_what_cannot_be_served_says_why_and_works(make: Callable[[], Any], why: str) -> None:
    model, x = make(), torch.ones(2, 4)
    compiled = fast_compile(model, backend="eager")
    for _ in range(3):
        result = compiled(x)
    assert torch.equal(result, model(x))
    stats = compiled.stats()
    assert stats.hits == 0
    assert stats.unsupported is not None
    assert why in stats.unsupported


def test_a_torch_without_the_private_names_behaves_as_torch_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(torch._C._dynamo.eval_frame, "set_guard_complete_hook")
    module, x = Scaled(), torch.randn(2, 4)
    compiled = _warm(fast_compile(module, backend="eager"), x)
    assert torch.equal(compiled(x), module(x))
    assert compiled.stats().hits == 0
    assert "set_guard_complete_hook" in compiled.stats().unsupported


def test_a_compiled_part_is_inlined_by_an_outer_fullgraph_compile(compile_: Compile) -> None:
    module, x = Scaled(), torch.randn(2, 4)
    part = _warm(compile_(module, backend="eager"), x)
    function = _warm(compile_(lambda x: x.sin(), backend="eager"), x)
    graphs: list[int] = []

    def backend(graph: torch.fx.GraphModule, example: list[torch.Tensor]) -> Any:
        graphs.append(len(list(graph.graph.nodes)))
        return graph.forward

    outer = torch.compile(lambda x: function(part(x)) + 1, backend=backend, fullgraph=True)
    torch.testing.assert_close(outer(x), module(x).sin() + 1)
    assert graphs == [10]


def test_frames_that_dynamo_sees_are_compiled_as_under_stock() -> None:
    x, module = torch.randn(2, 4), Scaled()
    graphs: dict[str, list[list[str]]] = {}
    both: tuple[tuple[str, Any], ...] = (("stock", torch.compile), ("ours", fast_compile))
    for name, how in both:
        torch._dynamo.reset()
        part = _warm(how(module, backend="eager"), x)
        function = _warm(how(lambda x: x.sin(), backend="eager"), x)
        graphs[name] = []

        def backend(graph: torch.fx.GraphModule, example: list[torch.Tensor], name: str = name) -> Any:
            graphs[name].append([node.name for node in graph.graph.nodes])
            return graph.forward

        def calls_both(x: torch.Tensor, part: Any = part, function: Any = function) -> Any:
            return part(x) + function(x)

        disable: Any = torch.compiler.disable
        skipped = disable(calls_both, recursive=False)

        def breaks(x: torch.Tensor, skipped: Any = skipped) -> Any:
            return skipped(x + 1) * 2

        outer = torch.compile(breaks, backend=backend)
        for _ in range(2):
            torch.testing.assert_close(outer(x), calls_both(x + 1) * 2)
    assert graphs["ours"] == graphs["stock"]
    reason = "called while another torch.compile region runs"
    assert part.stats().fallbacks[reason] == function.stats().fallbacks[reason] == 2


def test_a_partial_is_served_in_the_frame_that_stock_gives_it() -> None:
    x = torch.ones(3)
    plus_one, plus_two = (
        _warm(fast_compile(functools.partial(torch.add, number), backend="eager"), x) for number in (1, 2)
    )
    assert torch.equal(plus_one(x), x + 1)
    assert torch.equal(plus_two(x), x + 2)
    assert plus_one.stats().hits == plus_two.stats().hits == 2


def test_isolated_regions_do_not_serve_each_other() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return x + 1

    x = torch.ones(3)
    first = _warm(fast_compile(function, backend="eager", isolate_recompiles=True), x)
    second = _warm(fast_compile(function, backend="eager", isolate_recompiles=True), x)
    assert (first.stats().entries, second.stats().entries) == (1, 1)
    assert (second.stats().misses, second.stats().hits) == (1, 1)


def test_the_generation_that_cuda_graphs_read_advances_with_each_call() -> None:
    from torch._dynamo.mutation_guard import GenerationTracker

    x = torch.randn(2, 4)
    compiled = _warm(fast_compile(Scaled(), backend="eager"), x)
    before = GenerationTracker.generation
    compiled(x)
    assert GenerationTracker.generation == before + 1


def test_a_dropped_module_is_freed() -> None:
    module, x = Scaled(), torch.randn(2, 4)
    compiled = _warm(fast_compile(module, backend="eager"), x)
    alive, seen = weakref.ref(module), weakref.ref(x)
    assert compiled.stats().hits == 1
    del module, compiled, x
    torch._dynamo.reset()
    gc.collect()
    assert alive() is None
    assert seen() is None


@pytest.mark.skipif(shutil.which("g++") is None, reason="inductor needs g++")
@pytest.mark.filterwarnings("ignore")
def test_inductor_training_matches_eager_and_hits() -> None:
    module, x = Scaled(), torch.randn(2, 4)
    compiled = fast_compile(module)
    for _ in range(3):
        ours = torch.autograd.grad(compiled(x).sum(), list(module.parameters()))
        eager = torch.autograd.grad(module(x).sum(), list(module.parameters()))
        for left, right in zip(ours, eager, strict=True):
            torch.testing.assert_close(left, right)
    assert (compiled.stats().hits, compiled.stats().misses) == (2, 1)
