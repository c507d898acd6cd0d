"""`env_flag`, `cached_signature`, `device_properties`, beside what they replace."""

from __future__ import annotations

import functools
import gc
import inspect
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import pytest
import torch
from runtime_forms import FORMS, function, native_module

from overhead_runtime import (
    cached_signature,
    device_properties,
    env_flag,
    queries,
    refresh_env_flags,
)

VARIABLE = "OVERHEAD_LINT_TEST_FLAG"


@pytest.fixture(autouse=True, params=FORMS)
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Runs each test with the functions of Python, and with the compiled ones."""
    for name in ("env_flag", "refresh_env_flags", "cached_signature", "device_properties"):
        monkeypatch.setattr(request.module, name, function(name, request.param))
    chosen: str = request.param
    return chosen


@pytest.fixture(autouse=True)
def _fresh(form: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(VARIABLE, raising=False)
    refresh_env_flags()
    yield
    refresh_env_flags()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((word, True) for word in ("1", "true", "YES", " on ")),
        *((word, False) for word in ("0", "False", "no", "off", "")),
    ],
)
def test_a_flag_is_read_as_people_write_it(monkeypatch: pytest.MonkeyPatch, text: str, value: bool) -> None:
    monkeypatch.setenv(VARIABLE, text)
    assert env_flag(VARIABLE) is value
    assert env_flag(VARIABLE, not value) is value


def test_a_missing_flag_is_the_default() -> None:
    assert env_flag(VARIABLE) is False
    assert env_flag(VARIABLE, True) is True


def test_a_changed_environment_is_seen_after_a_refresh(monkeypatch: pytest.MonkeyPatch) -> None:
    assert env_flag(VARIABLE) is False
    monkeypatch.setenv(VARIABLE, "1")
    assert env_flag(VARIABLE) is False
    refresh_env_flags()
    assert env_flag(VARIABLE) is True


def test_a_flag_that_is_neither_is_named_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "maybe")
    for _ in range(2):
        with pytest.raises(ValueError, match=f"{VARIABLE}='maybe'"):
            env_flag(VARIABLE)


@pytest.mark.parametrize("name", [None, 3, b"X", ["X"]])
def test_a_name_that_is_no_text_raises_as_stock(name: Any) -> None:
    with pytest.raises(TypeError):
        env_flag(name)


def plain(a: int, b: str = "x", *args: int, c: float = 1.0, **kwargs: Any) -> None:
    """Have every kind of parameter."""


class Owner:
    """Have methods."""

    def __init__(self, a: int) -> None:
        self.a = a

    def method(self, b: int) -> None:
        """Take one more."""

    def __call__(self, c: int) -> None:
        """Be callable."""


CALLABLES: list[Any] = [
    *(plain, lambda: None, Owner, Owner(1).method, Owner.method, Owner(1), functools.partial(plain, 1)),
    *(functools.wraps(plain)(lambda *args: None), len, torch.nn.Linear(1, 1), torch.nn.functional.relu),
]


@pytest.mark.parametrize("func", CALLABLES, ids=lambda func: getattr(func, "__name__", type(func).__name__))
def test_the_signature_is_that_of_stock(func: Any) -> None:
    for _ in range(2):
        assert cached_signature(func) == inspect.signature(func)


def test_the_signature_of_a_function_is_made_once() -> None:
    assert cached_signature(plain) is cached_signature(plain)


CHANGES: list[Callable[[Any, Any], None]] = [
    lambda func, other: setattr(func, "__code__", other.__code__),
    lambda func, other: setattr(func, "__defaults__", (1, 2)),
    lambda func, other: setattr(func, "__kwdefaults__", {"c": 5}),
    lambda func, other: setattr(func, "__annotations__", {"a": float}),
    lambda func, other: setattr(func, "__signature__", inspect.signature(other)),
    lambda func, other: setattr(func, "__wrapped__", other),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_function_has_a_changed_signature(change: Callable[[Any, Any], None]) -> None:
    def func(a: int, b: int = 0, *, c: int = 1) -> None:
        pass

    def other(a: int, x: int, *, c: int) -> None:
        pass

    before = cached_signature(func)
    change(func, other)
    assert cached_signature(func) == inspect.signature(func) != before


def kept_signatures(form: str) -> int:
    return native_module().count_signatures() if form == "native" else len(queries._signatures)


def test_a_dead_function_leaves_nothing_behind(form: str) -> None:
    gc.collect()
    before = kept_signatures(form)
    functions = [eval("lambda a: a") for _ in range(20)]
    for func in functions:
        cached_signature(func)
    assert kept_signatures(form) == before + 20
    del functions, func
    gc.collect()
    assert kept_signatures(form) == before


@pytest.mark.parametrize("func", [None, 3, "text"])
def test_what_is_not_callable_raises_as_stock(func: Any) -> None:
    for ask in (inspect.signature, cached_signature):
        with pytest.raises(TypeError, match="is not a callable object"):
            ask(func)


def test_without_a_device_it_raises_as_stock() -> None:
    if torch.cuda.is_available():
        pytest.skip("needs a torch without a device")
    raised = []
    for ask in (torch.cuda.get_device_properties, device_properties):
        with pytest.raises((AssertionError, RuntimeError)) as caught:
            ask(0)
        raised.append((caught.type, str(caught.value)))
    assert raised[0] == raised[1]


@pytest.fixture
def devices(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Two devices, without a device: what is asked, and which one is current."""

    class State:
        current = 0
        initialized = True
        asked: ClassVar[list[Any]] = []

    def ask(device: Any = None) -> str:
        State.asked.append(device)
        if device in (9, "cpu"):
            raise AssertionError("Invalid device id")
        return f"properties of {State.current if device is None else device}"

    State.asked = []
    monkeypatch.setattr(queries, "kept_properties", {})
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: State.initialized)
    monkeypatch.setattr(torch.cuda, "current_device", lambda: State.current)
    monkeypatch.setattr(torch.cuda, "get_device_properties", ask)
    return State


def test_each_device_is_asked_once(devices: Any) -> None:
    for device in (0, 1, "cuda:1", torch.device("cuda", 1)):
        for _ in range(3):
            assert device_properties(device) == f"properties of {device}"
    assert devices.asked == [0, 1, "cuda:1", torch.device("cuda", 1)]


def test_the_current_device_is_followed(devices: Any) -> None:
    for devices.current in (0, 1, 0):
        assert device_properties() == f"properties of {devices.current}"
        assert device_properties(torch.device("cuda")) == "properties of cuda"
    assert devices.asked.count(torch.device("cuda")) == 3  # It means another one each time.
    assert devices.asked.count(None) == 2


def test_a_process_that_may_not_use_the_device_is_not_answered_from_memory(devices: Any) -> None:
    device_properties(0)
    devices.initialized = False  # What a forked child sees.
    device_properties(0)
    assert devices.asked == [0, 0]


def test_a_wrong_device_raises_each_time(devices: Any) -> None:
    for device in (9, "cpu", 9):
        with pytest.raises(AssertionError, match="Invalid device id"):
            device_properties(device)
    assert devices.asked == [9, "cpu", 9]
    device_properties(1)
    device_properties(1.0)  # type: ignore[arg-type]
    assert devices.asked[-1] == 1.0
