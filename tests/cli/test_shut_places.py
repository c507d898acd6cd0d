"""What no call of a project lets run is left alone by rules that ask for no heat, too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from overhead_lint.cli.main import main

NET = """\
import torch

class Runner:
    def __init__(self, model, half=False):
        self.model = model
        self.half = half

    def step(self, x):
        if self.half:
            torch.backends.cuda.matmul.allow_tf32 = True
        return self.model(x)
"""
MAIN = """\
from net import Runner

def main(model, loader):
    runner = Runner(model{})
    for x in loader:
        runner.step(x)
"""


def found(folder: Path, given: str, capsys: pytest.CaptureFixture[str], *options: str) -> list[int]:
    """Lines of the old flag that are told where a runner is made with these arguments."""
    (folder / "net.py").write_text(NET, encoding="utf-8")
    (folder / "main.py").write_text(MAIN.format(given), encoding="utf-8")
    main(["check", "--no-cache", "--select=OVH501", "--output-format=json", *options, str(folder)])
    return [one["line"] for one in json.loads(capsys.readouterr().out)]


@pytest.mark.parametrize("given", ["", ", False", ", half=False"])
def test_what_no_call_turns_on_is_left_alone(
    tmp_path: Path, given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert found(tmp_path, given, capsys) == []
    assert found(tmp_path, given, capsys, "--min-heat=presumed") == []


def test_what_a_call_turns_on_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert found(tmp_path, ", half=True", capsys) == [10]
