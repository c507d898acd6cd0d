"""attribute-write-in-forward: which writes could be local variables, and what its fix leaves alone."""

from __future__ import annotations

import pytest
from rule_cases import fix, forward, lint


@pytest.mark.parametrize(
    "value", ["self.freqs.to(x.device)", "self.freqs.cuda()", "self.freqs.to(x.device).to(x.dtype)"]
)
def test_attribute_that_is_converted_and_written_back_has_a_message(value: str) -> None:
    text = forward(f"self.freqs = {value}\nreturn x * self.freqs", init="self.freqs = torch.ones(4)")
    (finding,) = lint("OVH304", text)
    assert "written back" in finding.message
    assert finding.fix is None


def test_conversion_under_a_condition_is_left_alone() -> None:
    body = "if self.f.device != x.device:\n    self.f = self.f.to(x.device)\nreturn x * self.f"
    assert lint("OVH304", forward(body, init="self.f = torch.ones(4)")) == []


@pytest.mark.parametrize(
    "body",
    [
        "y = self.h\nself.h = x\nreturn self.h + y",
        "self.h = x\nself.h = self.h + 1\nreturn self.h",
        "self.h = x\nreturn x",
        "if x is None:\n    self.h = x\nreturn self.h",
        "self.h = x\nreturn getattr(self, 'h')",
        "self.h = x\nreturn self.h + x.h",
        "self.h = x\nreturn (lambda: self.h)()",
        "for self.h in x:\n    pass\nreturn self.h",
        "self.h = x\nyield self.h",
        "self.h, y = x, x\nreturn self.h",
        "self.h: torch.Tensor = x\nreturn self.h",
        "self.h = x\ndel self.h\nreturn x",
    ],
)
def test_attribute_that_may_be_read_elsewhere_is_left_alone(body: str) -> None:
    assert lint("OVH304", forward(body)) == []


@pytest.mark.parametrize(
    ("attribute", "name"),
    [("hidden", "hidden"), ("_hidden", "hidden"), ("x", "x_"), ("torch", "torch_"), ("sum", "sum_")],
)
def test_local_variable_has_a_name_of_its_own(attribute: str, name: str) -> None:
    fixed = fix("OVH304", forward(f"self.{attribute} = x * 2\nreturn self.{attribute} + 1"))
    assert f"        {name} = x * 2\n        return {name} + 1" in fixed


def test_comments_stay() -> None:
    text = forward("self.h = x  # kept\nreturn self.h  # given")
    assert "        h = x  # kept\n        return h  # given" in fix("OVH304", text)
    assert fix("OVH304", text, unsafe=False) == text
