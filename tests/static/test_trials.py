"""Loops below ``if __name__ == "__main__":`` that try out what their file defines are no steps."""

from __future__ import annotations

import pytest
from heat_cases import heat

_LOOP = """
if __name__ == "__main__":
    x = torch.randn(3)
    for t in range(500):
        Part()(x).sum().backward()
        here()
"""
_PART = """
class Part(nn.Module):
    def forward(self, x):
        return x
"""
_HOT = "step: m.py:{} loop that calls Part()(x).sum().backward()"


def test_what_a_file_tries_out_with_what_it_makes_up_is_no_step() -> None:
    assert heat(_PART + _LOOP) == ["cold: runs at import"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (_PART + _LOOP.replace('if __name__ == "__main__":', "if True:"), 7),
        (_PART + _LOOP.replace("torch.randn(3)", "torch.load(path)"), 7),
        ("import argparse\n" + _PART + _LOOP, 9),
        (_PART + _LOOP.replace("500", "int(sys.argv[1])"), 7),
        (_LOOP, 3),
    ],
)
def test_a_program_takes_steps(text: str, line: int) -> None:
    assert heat(text) == [_HOT.format(line)]


def test_what_a_trial_calls_is_judged_as_before() -> None:
    text = _PART.replace("return x", "here()\n        return x") + _LOOP
    assert heat(text)[0] == "step: Part.forward runs on every call of the module"
