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
    ("body", "count"),
    [
        ("self.w = torch.rand(4)\nself.w = self.w.to(x.device)\nreturn x * self.w", 0),
        (
            "for i in range(3):\n    self.w = torch.rand(i)\n    self.w = self.w.to(x.device)\n"
            "    x = x * self.w\nreturn x",
            0,
        ),
        ("self.w = torch.rand(4)\nfor _ in x:\n    self.w = self.w.to(x.device)\nreturn x * self.w", 0),
        ("self.w = self.w + 0\nself.w = self.w.to(x.device)\nreturn x * self.w", 1),
        ("self.w = self.w.to(x.device)\nself.w = torch.rand(4)\nreturn x * self.w", 1),
    ],
)
def test_what_the_same_call_made_is_converted_anew_each_time(body: str, count: int) -> None:
    assert len(lint("OVH304", forward(body, init="self.w = torch.ones(4)"))) == count


@pytest.mark.parametrize(
    "body",
    [
        "y = self._h\nself._h = x\nreturn self._h + y",
        "self._h = x\nself._h = self._h + 1\nreturn self._h",
        "self._h = x\nreturn x",
        "if x is None:\n    self._h = x\nreturn self._h",
        "self._h = x\nreturn getattr(self, '_h')",
        "self._h = x\nreturn self._h + x._h",
        "self._h = x\nreturn (lambda: self._h)()",
        "for self._h in x:\n    pass\nreturn self._h",
        "self._h = x\nyield self._h",
        "self._h, y = x, x\nreturn self._h",
        "self._h: torch.Tensor = x\nreturn self._h",
        "self._h = x\ndel self._h\nreturn x",
    ],
)
def test_attribute_that_may_be_read_elsewhere_is_left_alone(body: str) -> None:
    assert lint("OVH304", forward(body)) == []


@pytest.mark.parametrize(
    ("attribute", "name"),
    [("_hidden", "hidden"), ("_x", "x_"), ("_torch", "torch_"), ("_sum", "sum_"), ("__h", "h")],
)
def test_local_variable_has_a_name_of_its_own(attribute: str, name: str) -> None:
    fixed = fix("OVH304", forward(f"self.{attribute} = x * 2\nreturn self.{attribute} + 1"))
    assert f"        {name} = x * 2\n        return {name} + 1" in fixed


def test_comments_stay() -> None:
    text = forward("self._h = x  # kept\nreturn self._h  # given")
    assert "        h = x  # kept\n        return h  # given" in fix("OVH304", text)
    assert fix("OVH304", text, unsafe=False) == text


def test_a_public_attribute_may_be_read_by_a_base_class_or_by_who_holds_the_module() -> None:
    assert lint("OVH304", forward("self.emb = x * 2\nreturn self.emb")) == []
    assert lint("OVH304", forward("self._emb = x * 2\nreturn self._emb")) != []
