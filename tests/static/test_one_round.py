"""Loops that go round once by default repeat nothing, until somebody asks for more."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_cases import heat

MODEL = """
    from torch import nn

    class Net(nn.Module):
        def __init__(self, config, parts=1, more=2):
            super().__init__()
            self.config = config
            self.parts = parts
            self.more = more

        def forward(self, x):
            {loop}
                here()
                self.work(x)
            return x

        def work(self, x):
            here()
    """
CONFIG = "class Config:\n    layers: int = 1\n    heads: int = 8\n"
STEP = "Net.forward runs on every call of the module"


def _heat(folder: Path, loop: str, **sources: str) -> list[str]:
    return heat(folder, {"m.py": MODEL.format(loop=loop), "config.py": CONFIG, **sources})


ONCE = {
    "an argument": "for _ in range(self.parts):",
    "a number of settings": "for _ in range(self.config.layers):",
    "a number within a bar": "for _ in tqdm(range(self.parts)):",
    "a number behind a condition": "for _ in range(self.parts):\n              if x.shape:",
}


@pytest.mark.parametrize("name", ONCE)
def test_one_round_by_default_is_no_loop(tmp_path: Path, name: str) -> None:
    assert _heat(tmp_path, ONCE[name]) == [f"m.py: step: {STEP}", f"m.py: step: {STEP} -> Net.work"]


OFTEN = {
    "another default": "for _ in range(self.more):",
    "another number of settings": "for _ in range(self.config.heads):",
    "what nobody knows": "for _ in range(x.shape[0]):",
    "a loop within": "for _ in range(self.parts):\n              for _ in x:",
    "a loop around": "for _ in x:\n              for _ in range(self.parts):",
    "the end of a range": "for _ in range(self.more, self.parts):",
}


@pytest.mark.parametrize("name", OFTEN)
def test_what_may_go_round_often_is_a_loop(tmp_path: Path, name: str) -> None:
    found = _heat(tmp_path, OFTEN[name])
    assert [one.split(":")[1] for one in found] == [" loop", " loop"]


@pytest.mark.parametrize("passed", ["parts=4", "parts=found"])
def test_a_call_that_asks_for_more_rounds_makes_it_a_loop(tmp_path: Path, passed: str) -> None:
    found = _heat(tmp_path, ONCE["an argument"], **{"main.py": f"net = Net(config, {passed})"})
    assert [one.split(":")[1] for one in found] == [" loop", " loop"]


def test_settings_that_ship_and_ask_for_more_rounds_make_it_a_loop(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("layers: 12\n", encoding="utf-8")
    found = _heat(tmp_path, ONCE["a number of settings"])
    assert [one.split(":")[1] for one in found] == [" loop", " loop"]
