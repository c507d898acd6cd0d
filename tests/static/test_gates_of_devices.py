"""Branches that run where there is no device: nothing waits in them."""

from __future__ import annotations

import pytest
from heat_cases import heat

_FORWARD = """
    import torch
    from torch import nn

    class Net(nn.Module):
        def forward(self, x, fast):
            if {test}:
                {then}
            else:
                {otherwise}
            return x
    """
_STEP = "step: Net.forward runs on every call of the module"
_HOST = {
    "x.is_cpu": "x.is_cpu",
    "not x.is_cuda": "x.is_cuda",
    "not torch.cuda.is_available()": "torch.cuda.is_available()",
    "not (torch.cuda.is_available() and x.is_cuda)": "torch.cuda.is_available()",
    'x.device.type != "cuda"': "x.device.type",
    'x.device.type == "cpu"': "x.device.type",
    'x.device == torch.device("cpu")': "x.device",
}


def _heat(test: str, then: str = "here()", otherwise: str = "pass") -> str:
    return heat(_FORWARD.format(test=test, then=then, otherwise=otherwise))[0]


@pytest.mark.parametrize("test", _HOST)
def test_what_runs_without_a_device_is_cold(test: str) -> None:
    assert _heat(test) == f"cold: runs only without a GPU, by {_HOST[test]} (line 6)"


def test_so_is_what_stands_behind_else() -> None:
    assert _heat("x.is_cuda", "pass", "here()") == "cold: runs only without a GPU, by x.is_cuda (line 6)"


@pytest.mark.parametrize(
    "test",
    [
        "x.is_cuda",
        "not (x.is_cuda and fast)",
        "not x.is_sparse",
        'x.device.type != "mps"',
        'x.device.type == "cuda"',
        'fast != "cuda"',
        "torch.cuda.is_available()",
    ],
)
def test_what_runs_with_one_is_not(test: str) -> None:
    assert _heat(test) == _STEP


@pytest.mark.parametrize("brought", ["x = x.cuda()", "x = x.to(self.device)", "x = torch.stack([x]).to(0)"])
def test_what_brings_something_to_a_device_is_not(brought: str) -> None:
    assert _heat("not x.is_cuda", f"here(); {brought}") == _STEP
