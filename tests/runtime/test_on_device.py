"""The runtime on a ``cuda`` device, a simulated one where there is no other."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
import torch
from runtime_forms import FORMS, function

from overhead_runtime import autocast, clear_const_tensors, const_tensor, device_properties


@pytest.fixture(autouse=True, params=FORMS)
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs each test with the functions of Python, and with the compiled ones."""
    for name in ("autocast", "clear_const_tensors", "const_tensor", "device_properties"):
        monkeypatch.setattr(request.module, name, function(name, request.param))


def build(make: Any, **arguments: Any) -> tuple[Any, ...]:
    """What a construction makes and says."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        context = make("cuda", **arguments)
    with context:
        inside = torch.is_autocast_enabled("cuda"), torch.get_autocast_dtype("cuda")
    return context.fast_dtype, context._enabled, inside, [str(w.message) for w in caught]


ARGUMENTS: list[dict[str, Any]] = [
    {},
    {"dtype": torch.bfloat16},
    {"dtype": torch.float16},
    {"enabled": False},
]


@pytest.mark.usefixtures("simulated_cuda")
@pytest.mark.parametrize("arguments", ARGUMENTS, ids=str)
def test_autocast_on_a_device_is_that_of_stock(arguments: dict[str, Any]) -> None:
    expected = build(torch.autocast, **arguments)
    assert expected[1] is arguments.get("enabled", True)
    for _ in range(2):
        assert build(autocast, **arguments) == expected
    x = torch.ones(2, 2, device="cuda")
    with autocast("cuda", **arguments):
        ours = (x @ x).dtype
    with torch.autocast("cuda", **arguments):
        assert (x @ x).dtype is ours


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=str)
def test_autocast_notices_that_the_device_is_gone(arguments: dict[str, Any]) -> None:
    # After the tests above the arguments are known; the simulated device has been taken away.
    for _ in range(2):
        assert build(autocast, **arguments) == build(torch.autocast, **arguments)


@pytest.mark.usefixtures("simulated_cuda")
def test_a_constant_is_copied_to_the_device_once() -> None:
    first = const_tensor([1.0, 2.0], device="cuda")
    assert first.device == torch.device("cuda", torch.cuda.current_device())
    assert first.tolist() == [1.0, 2.0]
    for device in ("cuda", torch.device("cuda"), first.device, "cuda:0"):
        assert const_tensor([1.0, 2.0], device=device) is first
    assert const_tensor([1.0, 2.0]) is not first
    first.add_(1)
    assert const_tensor([1.0, 2.0], device="cuda").tolist() == [1.0, 2.0]
    clear_const_tensors()  # No tensor may outlive the simulated device.


@pytest.mark.usefixtures("simulated_cuda")
def test_a_constant_is_made_anew_while_a_graph_is_captured(monkeypatch: pytest.MonkeyPatch) -> None:
    first = const_tensor([1.0, 2.0], device="cuda")
    with monkeypatch.context() as patch:
        patch.setattr(torch.cuda, "is_current_stream_capturing", lambda: True)
        assert const_tensor([1.0, 2.0], device="cuda") is not first
    assert const_tensor([1.0, 2.0], device="cuda") is first
    clear_const_tensors()


@pytest.mark.usefixtures("simulated_cuda")
def test_the_properties_are_those_of_stock() -> None:
    torch.cuda.init()
    for device in (None, 0, "cuda", "cuda:0", torch.device("cuda")):
        for _ in range(2):
            assert device_properties(device).name == torch.cuda.get_device_properties(device).name
