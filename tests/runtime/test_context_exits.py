"""Blocks that are left twice or without being entered, what they show of themselves, and where they warn."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from .runtime_forms import FORMS, function  # type: ignore[import-not-found]  # tests are no package

BLOCKS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "no_grad": (torch.no_grad, ()),
    "enable_grad": (torch.enable_grad, ()),
    "inference_mode": (torch.inference_mode, ()),
    "autocast": (torch.autocast, ("cpu",)),
    "record": (torch.profiler.record_function, ("range",)),
}


@pytest.fixture(autouse=True)
def _nesting() -> Iterator[None]:
    yield
    while torch.autocast_increment_nesting() < 1:
        pass  # Stock counted down in each exit.
    torch.autocast_decrement_nesting()


def _leave(block: Any) -> Any:
    return block.__exit__(None, None, None)


def _leave_twice(block: Any) -> Any:
    block.__enter__()
    _leave(block)
    return _leave(block)


def _leave_twice_inside(block: Any) -> Any:
    with torch.autocast("cpu", torch.float16), torch.no_grad():
        return _leave_twice(block), _state()


def _use_again(block: Any) -> Any:
    _leave_twice(block)
    with block:
        inside = _state()
    return inside, _leave(block)


def _state() -> tuple[Any, ...]:
    return (
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch.is_autocast_enabled("cpu"),
        torch.get_autocast_dtype("cpu"),
    )


def _outcome(make: Callable[[], Any], use: Callable[[Any], Any], grad: bool) -> Any:
    with torch.set_grad_enabled(grad), torch.autocast("cpu", enabled=False):
        try:
            result: Any = use(make())
        except AttributeError:
            result = AttributeError
        return result, _state()


@pytest.mark.parametrize("grad", [True, False])
@pytest.mark.parametrize("use", [_leave, _leave_twice, _leave_twice_inside, _use_again])
@pytest.mark.parametrize("name", [name for name in BLOCKS if name != "record"])
@pytest.mark.parametrize("form", FORMS)
def test_exits_without_an_entry_are_as_in_stock(
    form: str, name: str, use: Callable[[Any], Any], grad: bool
) -> None:
    stock, args = BLOCKS[name]
    ours = function(name, form)
    expected = _outcome(lambda: stock(*args), use, grad)
    assert _outcome(lambda: ours(*args), use, grad) == expected


@pytest.mark.parametrize("form", FORMS)
def test_a_range_may_be_left_twice_or_without_an_entry(form: str) -> None:
    record = function("record", form)
    assert _leave(record("range")) is None
    assert _leave_twice(record("range")) is None


@pytest.mark.parametrize("form", FORMS)
def test_the_cache_of_weights_is_cleared_after_a_second_exit_too(form: str) -> None:
    block = function("autocast", form)("cpu")
    _leave_twice(block)
    assert torch.autocast_increment_nesting() == 1
    assert torch.autocast_decrement_nesting() == 0


@pytest.mark.parametrize("form", FORMS)
def test_autocast_has_the_attributes_of_stock(form: str) -> None:
    autocast = function("autocast", form)
    for _ in range(2):  # built with checks, and without
        made, stock = autocast("cpu"), torch.autocast("cpu")
        for name, value in vars(stock).items():
            assert getattr(made, name) == value, name
    made.custom_backend_name = "mine"
    assert made.custom_backend_name == "mine"


def _lines_of_warnings(make: Callable[..., Any], times: int) -> list[tuple[str, int]]:
    """Where three lines warn, each of which runs some times."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        globals().pop("__warningregistry__", None)
        for _ in range(times):
            make("cpu", torch.float64)
            make("cpu", dtype=torch.float64)
            make("cpu", torch.float32)
    return [(one.filename, one.lineno) for one in caught]


@pytest.mark.parametrize("form", FORMS)
def test_warnings_come_once_at_each_line_that_asks(form: str) -> None:
    found = _lines_of_warnings(function("autocast", form), 3)
    assert found == _lines_of_warnings(torch.autocast, 3)
    assert len({line for _, line in found}) == 3
    assert {file for file, _ in found} == {__file__}


@pytest.mark.parametrize("form", FORMS)
def test_a_block_that_is_off_is_built_without_checks_where_there_is_no_device(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    autocast = function("autocast", form)
    autocast("cuda", enabled=False)
    asked: list[str] = []

    def ask(*args: Any) -> bool:
        asked.append("asked")
        return True

    monkeypatch.setattr(torch.cuda, "is_available", ask)
    monkeypatch.setattr(torch.amp.autocast_mode, "is_autocast_available", ask)
    for _ in range(3):
        made = autocast("cuda", enabled=False)
    assert asked == []
    assert made._enabled is False
