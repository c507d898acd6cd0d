"""`no_grad`, `enable_grad`, `inference_mode`, beside torch's: one scenario, both, the same."""

from __future__ import annotations

import asyncio
import copy
import functools
import warnings
from collections.abc import AsyncGenerator, Callable, Generator
from typing import Any

import pytest
import torch
from runtime_forms import FORMS, function

Build = Callable[..., Any]
State = tuple[bool, bool]


def state() -> State:
    return torch.is_grad_enabled(), torch.is_inference_mode_enabled()


class House:
    """Where the functions of one form are from."""

    def __init__(self, form: str) -> None:
        self.form = form

    def __getattr__(self, name: str) -> Build:
        return function(name, self.form)


@pytest.fixture(params=FORMS)
def runtime(request: pytest.FixtureRequest) -> House:
    house = House(request.param)
    function("no_grad", request.param)  # Skips where it cannot be had.
    return house


def same_way(build: Build) -> Build:
    """The block that undoes `build`, from the same house."""
    forms: Any = {"torch": torch, "contexts": House("native")}
    house: Any = forms.get(build.__module__.partition(".")[0], House("python"))
    other: Build = house.enable_grad if build.__name__ == "no_grad" else house.no_grad
    return other


def block(build: Build) -> list[Any]:
    seen: list[Any] = []
    with build() as entered:
        seen += [entered, state()]
        with same_way(build)():
            seen.append(state())
            with build():
                seen.append(state())
            seen.append(state())
        seen.append(state())
    return [*seen, state()]


def exception(build: Build) -> list[Any]:
    seen: list[Any] = []
    try:
        with build():
            raise KeyError("inside")
    except KeyError as error:
        seen.append(error.args)
    return [*seen, state()]


def raw_setter_inside(build: Build) -> list[Any]:
    seen: list[Any] = []
    with build():
        torch._C._set_grad_enabled(not torch.is_grad_enabled())
        seen.append(state())
    return [*seen, state()]


def results(build: Build) -> list[Any]:
    x = torch.ones(2, requires_grad=True)
    with build():
        y = x * 2
    return [y.requires_grad, y.is_inference(), y.grad_fn is None]


def plain_functions(build: Build) -> list[Any]:
    def inside(x: int, *, y: int = 2) -> Any:
        """Say what is in force."""
        torch._C._set_grad_enabled(x > 1)
        return x, y, state()

    class Owner:
        @build()  # type: ignore[untyped-decorator]
        def method(self) -> Any:
            return type(self).__name__, state()

        @staticmethod
        @build
        def static() -> Any:
            return state()

    with_parentheses, without = build()(inside), build(inside)
    seen = [wrapped(1, y=3) for wrapped in (with_parentheses, without)]
    seen += [with_parentheses(2), build(functools.partial(inside, 1))(), build()(lambda: state())()]
    seen += [with_parentheses.__name__, with_parentheses.__doc__, without.__wrapped__ is inside]
    return [*seen, Owner().method(), Owner.static(), state()]


def recursive_function(build: Build) -> list[Any]:
    @build()  # type: ignore[untyped-decorator]
    def down(n: int) -> list[State]:
        return [state(), *(down(n - 1) if n else []), state()]

    return [down(2), state()]


def raising_function(build: Build) -> list[Any]:
    @build()  # type: ignore[untyped-decorator]
    def fail() -> None:
        raise KeyError(state())

    try:
        fail()
    except KeyError as error:
        return [error.args, state()]
    return []


def generators(build: Build) -> list[Any]:
    @build()  # type: ignore[untyped-decorator]
    def count(n: int) -> Generator[Any, Any, str]:
        for index in range(n):
            try:
                got = yield index, state()
                seen.append((got, state()))
            except ValueError:
                seen.append(("thrown", state()))
        return "done"

    seen: list[Any] = []
    generator = count(4)
    seen += [next(generator), state(), generator.send("sent"), generator.throw(ValueError()), state()]
    generator.close()
    seen.append(state())
    return [*seen, list(count(2)), state()]


def coroutines(build: Build) -> list[Any]:
    @build()  # type: ignore[untyped-decorator]
    async def task() -> Any:
        before = state()
        await asyncio.sleep(0)
        return before, state()

    @build()  # type: ignore[untyped-decorator]
    async def several() -> AsyncGenerator[State, None]:
        yield state()

    async def both() -> list[Any]:
        return [await task(), [item async for item in several()]]

    return [asyncio.run(both()), asyncio.iscoroutinefunction(task), state()]


def classes(build: Build) -> list[Any]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")

        @build()
        class Made:
            def __init__(self) -> None:
                self.state = state()

    return [Made().state, type(Made).__name__, [(w.category, str(w.message)) for w in caught], state()]


def wrong_arguments(build: Build) -> list[Any]:
    seen: list[Any] = []
    uses: tuple[Any, ...] = (
        lambda: build(3)(),
        lambda: build()(3)(),
        lambda: build(1, 2),
        lambda: build(func=3),
    )
    for use in uses:
        try:
            seen.append(use())
        except Exception as error:
            seen.append(type(error))
    return seen


def copies(build: Build) -> list[Any]:
    seen: list[Any] = []
    for twin in (copy.copy(build()), copy.deepcopy(build()), build().clone()):
        with twin:
            seen.append(state())
    return [*seen, state()]


def ended_out_of_order(build: Build) -> list[Any]:
    def held() -> Generator[State, None, None]:
        with build():
            yield state()

    first, second = held(), held()
    seen: list[Any] = [next(first), next(second)]
    for generator in (first, second):
        generator.close()
        seen.append(state())
    torch._C._set_grad_enabled(True)  # Stock's own leak: the last to end restores what it saw.
    return seen


SCENARIOS = [
    *(block, exception, raw_setter_inside, results, plain_functions, recursive_function, raising_function),
    *(generators, coroutines, classes, wrong_arguments, copies),
]


@pytest.mark.parametrize("outside", [True, False], ids=["recording", "not recording"])
@pytest.mark.parametrize("name", ["no_grad", "enable_grad", "inference_mode"])
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_same_trace_as_stock(
    runtime: House, scenario: Callable[[Build], list[Any]], name: str, outside: bool
) -> None:
    with torch.set_grad_enabled(outside):
        expected = scenario(getattr(torch, name))
        assert state() == (outside, False)
        assert scenario(getattr(runtime, name)) == expected
        assert state() == (outside, False)


@pytest.mark.parametrize("name", ["no_grad", "enable_grad"])
def test_blocks_that_end_out_of_order_do_as_stock_does(runtime: House, name: str) -> None:
    assert ended_out_of_order(getattr(runtime, name)) == ended_out_of_order(getattr(torch, name))


@pytest.mark.parametrize("name", ["no_grad", "enable_grad", "inference_mode"])
def test_an_instance_is_one_of_stock(runtime: House, name: str) -> None:
    assert isinstance(getattr(runtime, name)(), getattr(torch, name))


@pytest.mark.parametrize("mode", [True, False])
def test_inference_mode_can_be_switched_off(runtime: House, mode: bool) -> None:
    with torch.inference_mode():
        with runtime.inference_mode(mode):
            assert state() == (not mode, mode)
        assert runtime.inference_mode(mode)(state)() == torch.inference_mode(mode)(state)()
        with runtime.inference_mode(mode=mode):
            assert state() == (not mode, mode)
    assert runtime.inference_mode(mode).mode is mode
    assert runtime.inference_mode(mode).clone().mode is mode


@pytest.mark.parametrize("name", ["no_grad", "enable_grad", "inference_mode"])
def test_one_instance_entered_again_restores_each_level(runtime: House, name: str) -> None:
    shared = getattr(runtime, name)()
    before = state()
    with shared:
        inside = state()
        with torch.set_grad_enabled(not inside[0]), shared:
            assert state() == inside
        assert state() == inside
    assert state() == before


@pytest.mark.parametrize("name", ["no_grad", "enable_grad", "inference_mode"])
def test_wrong_arguments_are_told_of_by_the_function_s_own_name(runtime: House, name: str) -> None:
    with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument 'other'$"):
        getattr(runtime, name)(other=1)


@pytest.mark.parametrize("name", ["no_grad", "enable_grad"])
def test_a_function_mode_sees_what_it_sees_of_stock(runtime: House, name: str) -> None:
    seen: list[Any] = []

    class Mode(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            seen.append((torch.overrides.resolve_name(func) or repr(func), args))
            return func(*args, **(kwargs or {}))

    traces = []
    for house in (torch, runtime):
        build = getattr(house, name)
        decorated = build()(state)
        seen.clear()
        with Mode():
            with build():
                seen.append(state())
            seen.append(decorated())
        traces.append(list(seen))
    assert traces[0] == traces[1]


def using(build: Build) -> Callable[[torch.Tensor], torch.Tensor]:
    @build()  # type: ignore[untyped-decorator]
    def decorated(x: torch.Tensor) -> torch.Tensor:
        return x.cos()

    def forward(x: torch.Tensor) -> torch.Tensor:
        y = x.sin()
        with build():
            z = y * 2
        result: torch.Tensor = y + z + decorated(x)
        return result

    return forward


@pytest.mark.parametrize("name", ["no_grad", "enable_grad", "inference_mode"])
def test_traces_in_one_graph_with_stock_gradients(runtime: House, name: str) -> None:
    gradients: list[Any] = []
    for house in (torch, runtime):
        x = torch.arange(3.0, requires_grad=True)
        forward = using(getattr(house, name))
        torch.compiler.reset()
        forward = torch.compile(forward, backend="aot_eager", fullgraph=True)
        forward(x).sum().backward()
        gradients.append(x.grad)
    assert torch.equal(gradients[0], gradients[1])


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("name", ["no_grad", "enable_grad"])
def test_exports_to_the_graph_of_stock(runtime: House, name: str, strict: bool) -> None:
    class Net(torch.nn.Module):
        def __init__(self, build: Build) -> None:
            super().__init__()
            self.forward_ = using(build)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y: torch.Tensor = self.forward_(x)
            return y

    x = torch.randn(3)
    programs = [
        torch.export.export(Net(getattr(house, name)), (x,), strict=strict) for house in (torch, runtime)
    ]
    assert programs[0].graph_module.code == programs[1].graph_module.code
