"""What people write with the classes of torch's, written with the names of drop-ins."""

from __future__ import annotations

import abc
import contextlib
import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any, Optional, get_type_hints

import pytest
import torch
from runtime_forms import FORMS, function

NAMES = ("autocast", "no_grad", "enable_grad", "inference_mode")
PARAMETERS = {
    "autocast": ["device_type", "dtype", "enabled", "cache_enabled"],
    "no_grad": ["orig_func"],
    "enable_grad": ["orig_func"],
    "inference_mode": ["mode"],
}
ARGUMENTS: dict[str, tuple[Any, ...]] = {"autocast": ("cpu", torch.bfloat16)}


def _state() -> tuple[Any, ...]:
    grad = torch.is_grad_enabled(), torch.is_inference_mode_enabled()
    return *grad, torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")


def _name(name: str, form: str) -> Any:
    """One of the names, which the tests use as a class."""
    return function(name, form)


@pytest.fixture(params=FORMS)
def form(request: pytest.FixtureRequest) -> str:
    _name("autocast", request.param)  # Skips where it cannot be had.
    return str(request.param)


@pytest.mark.parametrize("name", NAMES)
def test_blocks_of_both_and_of_subclasses_are_instances_of_both(form: str, name: str) -> None:
    ours, stock = _name(name, form), getattr(torch, name)

    class Mine(ours):  # type: ignore[valid-type,misc]
        pass

    class Theirs(stock):  # type: ignore[valid-type,misc]
        pass

    args = ARGUMENTS.get(name, ())
    for block in (ours(*args), stock(*args), Mine(*args), Theirs(*args)):
        assert isinstance(block, ours)
        assert isinstance(block, (int, ours))
        assert isinstance(block, stock)
    others = [other for other in NAMES if other != name]
    for other in others:
        assert not isinstance(ours(*args), _name(other, form))
    assert not isinstance(3, ours)
    assert isinstance(Mine(*args), Mine)
    assert not isinstance(ours(*args), Mine)
    assert issubclass(Mine, ours)
    assert issubclass(stock, ours)
    assert not issubclass(contextlib.nullcontext, ours)


def _counting(base: Any, args: tuple[Any, ...]) -> list[Any]:
    """What a subclass does that people write: its own state, `super`, decoration."""
    seen: list[Any] = []

    class Counting(base):  # type: ignore[misc]
        entries = 0

        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            self.note = "noted"

        def __enter__(self) -> Any:
            self.entries += 1
            return super().__enter__()

        def __exit__(self, *details: Any) -> Any:
            seen.append(_state())
            return super().__exit__(*details)

    block = Counting(*args)
    for _ in range(2):
        with block as entered:
            seen += [entered is block, entered is None, _state()]
    seen += [block.entries, block.note, _state()]

    @Counting(*args)
    def inside(x: int) -> Any:
        return x, _state()

    class Abstract(base, abc.ABC):  # type: ignore[misc]
        """Beside a base with a metaclass."""

    with Abstract(*args):
        seen.append(_state())
    return [*seen, inside(2), _state(), [cls.__name__ for cls in Counting.__mro__]]


@pytest.mark.parametrize("name", NAMES)
def test_a_subclass_is_one_of_stock(form: str, name: str) -> None:
    args = ARGUMENTS.get(name, ())
    assert _counting(_name(name, form), args) == _counting(getattr(torch, name), args)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_has_the_attributes_of_the_class(form: str, name: str) -> None:
    ours, stock = _name(name, form), getattr(torch, name)
    assert ours.__name__ == name
    assert ours.__mro__ == stock.__mro__
    block, before = stock(*ARGUMENTS.get(name, ())), _state()
    ours.__enter__(block)
    ours.__exit__(block, None, None, None)
    assert _state() == before
    with pytest.raises(AttributeError, match="no_such_thing"):
        _ = ours.no_such_thing


@pytest.mark.parametrize("name", NAMES)
def test_a_name_serves_in_annotations(form: str, name: str) -> None:
    ours = _name(name, form)
    names = {"ours": ours, "Optional": Optional}

    def take(block: Any, other: Any, third: Any) -> None: ...

    take.__annotations__ = {"block": "ours", "other": "Optional[ours]", "third": "ours | None"}
    assert get_type_hints(take, names)["third"] == getattr(torch, name) | None
    assert isinstance(None, ours | None)
    assert isinstance(ours(*ARGUMENTS.get(name, ())), None | ours)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_one_object_that_can_be_looked_at(form: str, name: str) -> None:
    ours = _name(name, form)
    assert copy.deepcopy(ours) is copy.copy(ours) is ours
    assert len({ours, ours, getattr(torch, name)}) == 2
    assert name in repr(ours)
    assert list(inspect.signature(ours).parameters) == PARAMETERS[name]
    assert "torch." in (inspect.getdoc(ours) or "")


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_python_is_pickled_as_it_was(name: str) -> None:
    ours = _name(name, "python")
    assert pickle.loads(pickle.dumps(ours)) is ours
    module = "amp" if name == "autocast" else "grad"
    old = f"coverhead_lint.runtime.{module}\n{name}\n.".encode()
    assert pickle.loads(old) is ours


def _asking(build: Any, kind: Any, args: tuple[Any, ...]) -> Callable[[torch.Tensor], torch.Tensor]:
    def forward(x: torch.Tensor) -> torch.Tensor:
        block = build(*args)
        with block:
            y = x + 1
        return y * 2 if isinstance(block, kind) else y

    return forward


@pytest.mark.parametrize("name", NAMES)
def test_compiled_code_may_ask(form: str, name: str) -> None:
    ours, args = _name(name, form), ARGUMENTS.get(name, ())
    stock = getattr(torch, name)

    def answer(build: Any, kind: Any) -> Any:
        torch.compiler.reset()
        compiled = torch.compile(_asking(build, kind, args), backend="eager", fullgraph=True)
        return compiled(torch.ones(2)).tolist()

    try:
        answers = [answer(stock, stock)]
    except torch._dynamo.exc.Unsupported:
        pytest.skip("this torch compiles no such question of stock")
    answers += [answer(build, kind) for build, kind in ((ours, ours), (stock, ours), (ours, stock))]
    assert answers == answers[:1] * 4  # Dynamo's blocks of gradient modes are of yet another class.


@pytest.mark.parametrize("name", NAMES)
def test_compiled_code_may_use_a_subclass_where_it_may_one_of_stock(form: str, name: str) -> None:
    args = ARGUMENTS.get(name, ())
    outcomes: list[Any] = []
    for base in (getattr(torch, name), _name(name, form)):

        class Mine(base):  # type: ignore[misc,valid-type]
            def __enter__(self) -> Any:
                return super().__enter__()

        def forward(x: torch.Tensor, build: Any = Mine) -> Any:
            with build(*args):
                return x @ x, torch.is_grad_enabled()

        torch.compiler.reset()
        compiled = torch.compile(forward, backend="eager", fullgraph=True)
        try:
            y, recording = compiled(torch.ones(2, 2))
            outcomes.append((y.dtype, recording))
        except torch._dynamo.exc.Unsupported as error:
            outcomes.append(type(error))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("call", [lambda f, *a, **k: f(*a, **k), lambda f, *a, **k: f.__call__(*a, **k)])
def test_each_way_to_call_builds_the_same(form: str, call: Callable[..., Any]) -> None:
    autocast, no_grad = _name("autocast", form), _name("no_grad", form)
    for enabled in (True, False):
        autocast("cpu", enabled=enabled)  # Checked once, in Python.
    kinds = {type(call(autocast, "cpu")), type(call(autocast, device_type="cpu", enabled=False))}
    assert kinds <= {type(autocast("cpu")), type(_name("autocast", "python")("cpu"))}
    assert len(kinds) == 1
    assert call(no_grad, _state)()[0] is False
