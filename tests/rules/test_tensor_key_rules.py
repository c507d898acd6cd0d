"""Rules about texts and copies of what tensors and configs are, and about cached tensors."""

from __future__ import annotations

import pytest
from rule_cases import fix, forward, lines, lint

from overhead_lint.rule import Applicability

SAFE, UNSAFE = Applicability.SAFE, Applicability.UNSAFE


@pytest.mark.parametrize(
    ("before", "after", "applicability"),
    [
        ('str(x.device) == "cpu"', "x.is_cpu", SAFE),
        ('"cpu" != str(x.device)', "not x.is_cpu", SAFE),
        ('"cuda" in str(x.device)', "x.is_cuda", SAFE),
        ('"cuda:" not in repr(x.device)', "not x.is_cuda", SAFE),
        ('str(x.device).startswith("mps")', "x.is_mps", SAFE),
        ('"cuda" in str(self.device)', 'self.device.type == "cuda"', UNSAFE),
        ('str(x.dtype) == "torch.bfloat16"', "x.dtype == torch.bfloat16", SAFE),
        ('str(self.dtype) != "torch.int8"', "self.dtype != torch.int8", UNSAFE),
        ("self.cache[str(x.shape)]", "self.cache[x.shape]", UNSAFE),
        ('self.cache[f"{x.shape}{x.device}"]', "self.cache[(x.shape, x.device)]", UNSAFE),
    ],
)
def test_traits_are_compared_without_text(before: str, after: str, applicability: Applicability) -> None:
    text = forward(f"y = {before}")
    (finding,) = lint("OVH203", text)
    assert finding.fix is not None and finding.fix.applicability is applicability
    fixed = fix("OVH203", text)
    assert f"y = {after}\n" in fixed and lines("OVH203", fixed) == []


@pytest.mark.parametrize(
    "expression",
    [
        'str(x.device) == "cuda:0"',
        'str(x.device) in ("cpu", "meta")',
        '"float16" in str(x.dtype)',
        'f"{x.device}" == "meta"',
        'f"{x.device}".startswith("cuda")',
        'str(x.dtype) == "torch.half"',
        'str(x.dtype).startswith("torch.int")',
        'self.cache[f"{x.shape}-{self.name}"]',
        'self.cache.get(f"{x.shape!r}-{x.dtype}")',
        "self.cache.get(str(x.shape))",
    ],
)
def test_texts_without_a_plain_form_are_told_of_only(expression: str) -> None:
    (finding,) = lint("OVH203", forward(f"y = {expression}"))
    assert finding.fix is None


@pytest.mark.parametrize(
    "body",
    [
        'y = str(self.name) == "cuda"',
        "y = str(x.device)",
        'y = f"{x.shape}"',
        "y = x.is_cuda",
        'y = torch.device == "cpu"',
        'str = self.text\ny = str(x.device) == "cpu"',
        'y = self.cache[f"{self.layer}-{self.step}"]',
        'y = x.device.type == "cpu"',
    ],
)
def test_other_texts_are_silent(body: str) -> None:
    assert lines("OVH203", forward(body)) == []
