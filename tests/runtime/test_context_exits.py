"""Blocks that are left twice or without being entered, what they show of themselves, and where they warn."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from overhead_lint.native import build

from .runtime_forms import FORMS, function, native  # type: ignore[import-not-found]  # tests are no package

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
def test_arguments_that_warn_are_checked_once(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    autocast = function("autocast", form)
    _lines_of_warnings(autocast, 1)
    asked: list[str] = []

    def ask(*args: Any) -> bool:
        asked.append("asked")
        return True

    monkeypatch.setattr(torch.amp.autocast_mode, "is_autocast_available", ask)
    assert len(_lines_of_warnings(autocast, 2)) == 3
    assert asked == []
    with warnings.catch_warnings(record=True):
        made = autocast("cpu", torch.float64)
    assert (made.device, made.fast_dtype, made._enabled) == ("cpu", torch.float64, False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="In CPU autocast"):
            autocast("cpu", torch.float64)


@pytest.mark.parametrize("form", FORMS)
def test_a_warning_ends_when_a_device_comes_and_returns_when_it_goes(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    autocast = function("autocast", form)
    expected: list[Any] = []
    seen: list[Any] = []
    for make, found in ((torch.autocast, expected), (autocast, seen)):
        for is_there in (False, False, True, True, False, False):
            monkeypatch.setattr(torch.cuda, "is_available", lambda is_there=is_there: is_there)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                made = make("cuda", torch.float16)
            found.append((made._enabled, [(str(one.message), one.filename) for one in caught]))
    assert seen == expected
    assert {enabled for enabled, _ in seen} == {False, True}


def test_the_backend_of_an_extension_is_asked_each_time_and_may_change_its_mind() -> None:
    """In a process of its own, which names the backend for good."""
    native()
    environment = {**os.environ, "OVERHEAD_LINT_CACHE": str(build.cache_root().parent)}
    for form in ("", "python"):
        environment["OVERHEAD_LINT_RUNTIME"] = form
        command = [sys.executable, "-c", _OF_AN_EXTENSION]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        said, *states = done.stdout.splitlines()
        assert said.startswith(form or "native")
        assert states == [
            *["True [] True []"] * 3,
            *["False [1] False [1]"] * 3,
            *["True [] True []"] * 3,
            *["AssertionError AssertionError"] * 3,
            *["True [] True []"] * 3,
        ]


_OF_AN_EXTENSION = """
import types, warnings
import torch
import overhead_runtime as runtime

print(runtime.form())
torch.utils.rename_privateuse1_backend("mine")
both, one = [torch.bfloat16, torch.float16], [torch.bfloat16]
module = types.ModuleType("torch.mine")

def outcome(build):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            made = build("mine", torch.float16)
        except AssertionError as error:
            return type(error).__name__
        assert all(one.filename == "<string>" for one in caught)
        return f"{made._enabled} {[len(caught)] if caught else []}"

torch._register_device_module("mine", module)
for supported in (both, one, both, None, both):
    module.get_amp_supported_dtype = lambda: supported
    if supported is None:
        del module.get_amp_supported_dtype
    for _ in range(3):
        print(outcome(torch.autocast), outcome(runtime.autocast))
"""


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
