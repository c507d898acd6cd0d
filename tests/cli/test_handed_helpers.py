"""Objects of libraries that helpers of other files make: what their names tell, where nobody else does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from overhead_lint.cli.main import main

TRAIN = """\
from setting import {made}

def train(model, loader, optimizer, options):
    accelerator = {made}(options)
    for batch in loader:
        with accelerator.autocast():
            loss = model(batch)
        accelerator.backward(loss)
        optimizer.step()
"""
HELPER = """\
from accelerate import Accelerator

def make(options):
    return Accelerator(mixed_precision=options.precision)
"""
OWN = """\
class Accelerator:
    def __init__(self, options):
        self.mixed = options.mixed
    def autocast(self):
        return self.mixed
"""


@pytest.mark.parametrize(
    ("made", "setup", "expected"), [("make", HELPER, [6]), ("Accelerator", OWN, [])], ids=["helper", "own"]
)
def test_an_accelerator_of_another_file(
    tmp_path: Path, made: str, setup: str, expected: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "setting.py").write_text(setup, encoding="utf-8")
    (tmp_path / "train.py").write_text(TRAIN.format(made=made), encoding="utf-8")
    main(["check", "--no-cache", "--select=OVH101", "--output-format=json", str(tmp_path)])
    assert [one["line"] for one in json.loads(capsys.readouterr().out)] == expected
