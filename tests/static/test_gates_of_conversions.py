"""A parameter that is no tensor is made one for those who have a number at hand."""

from __future__ import annotations

import pytest
from heat_cases import heat

_FORWARD = """
    import torch
    from torch import nn

    class Net(nn.Module):
        def forward(self, x, {parameter}):
            {before}
            if {test}:
                here()
                {then}
            return x
    """
_SELDOM = "cold: runs only where {} is given as no tensor (line 7)"
_STEP = "step: Net.forward runs on every call of the module"


def _heat(test: str, then: str, parameter: str = "t", before: str = "pass") -> str:
    return heat(_FORWARD.format(parameter=parameter, before=before, test=test, then=then))[0]


CONVERTED = {
    "asked of torch": ("not torch.is_tensor(t)", "t = torch.tensor([t], device=x.device)"),
    "asked by its class": ("not isinstance(t, torch.Tensor)", "t = torch.as_tensor(t).to(x.device)"),
    "an array": ("not isinstance(t, torch.Tensor)", "t = torch.from_numpy(t)"),
}


@pytest.mark.parametrize("name", CONVERTED)
def test_what_makes_a_tensor_of_a_parameter_runs_seldom(name: str) -> None:
    assert _heat(*CONVERTED[name]) == _SELDOM.format("t")


def test_it_may_have_another_name_or_be_left_out() -> None:
    then = "steps = torch.tensor([steps])"
    assert _heat("not torch.is_tensor(steps)", then, before="steps = t") == _SELDOM.format("steps")
    assert _heat(*CONVERTED["asked of torch"], parameter="t=None") == _SELDOM.format("t")


OTHERS = {
    "a default that is no tensor": (*CONVERTED["asked of torch"], "t=1.0"),
    "another name": ("not torch.is_tensor(t)", "x = torch.tensor([t])"),
    "what is no tensor stays": ("not torch.is_tensor(t)", "x = x + t"),
    "a tensor": ("torch.is_tensor(t)", "t = torch.tensor(t)"),
    "an attribute": ("not torch.is_tensor(self.t)", "self.t = torch.tensor(self.t)"),
    "another class": ("not isinstance(t, list)", "t = torch.tensor(t)"),
    "a list of tensors": ("not isinstance(t, torch.Tensor)", "t = torch.stack(t)"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_branches_by_type_run_in_steps(name: str) -> None:
    assert _heat(*OTHERS[name]) == _STEP
