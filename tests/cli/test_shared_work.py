"""What processes share besides the first look: other looks, what is compiled, edits of fixes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from overhead_lint.cache.spill import Spill
from overhead_lint.cli.main import main
from overhead_lint.workspace import processes

if sys.platform == "win32":
    pytest.skip("no processes are forked on Windows", allow_module_level=True)

LAYERS = """\
from torch import nn

class Layer{n}(nn.Module):
    def __init__(self, number):
        super().__init__()
        self.number = number

    def forward(self, x):
        return x + self.number

class Net{n}(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = nn.ModuleList([Layer{n}(number) for number in range(count)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

def scale{n}(x):
    return x.sum()
"""
USER = """\
import torch
from nets{n} import Net{n}, scale{n}

net = torch.compile(Net{n}(20))
for batch in loader:
    y = net(batch)
    if scale{n}(batch) > 1:
        table = torch.zeros(3).to("cuda")
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Users of what other files compile and give, all of which ask for a second look."""
    (tmp_path / "overhead-lint.toml").write_text("")
    for number in range(3):
        (tmp_path / f"nets{number}.py").write_text(LAYERS.replace("{n}", str(number)))
        (tmp_path / f"user{number}.py").write_text(USER.replace("{n}", str(number)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("project")
def test_all_looks_are_shared_and_find_what_one_process_does(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def report(jobs: int) -> str:
        assert main(["--no-cache", "-j", str(jobs), "--output-format", "json", "."]) == 1
        return capsys.readouterr().out

    serial = report(1)
    works = set()
    real = processes.shared

    def spy(work: Callable[[Any], Any], items: Sequence[Any], jobs: int, batch: int) -> Iterator[Any]:
        works.add(getattr(work, "func", work).__name__)
        return real(work, items, jobs, batch)

    monkeypatch.setattr(processes, "shared", spy)
    for name in "workspace.examiner", "workspace.workspace", "workspace.places_update", "cli.fix_plans":
        monkeypatch.setattr(f"overhead_lint.{name}._WORTH_PROCESSES", 1)
        if name != "workspace.places_update":
            monkeypatch.setattr(f"overhead_lint.{name}._BATCH", 1)
    assert report(2) == serial
    assert works == {"_one", "_again", "_shown", "_in_file"}
    assert "nets1.py" in serial and '"edits": [\n' in serial


def test_other_processes_read_spilled_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """They share one file with this one, and what one of them reads must not move the others."""
    monkeypatch.setattr("overhead_lint.cache.spill._MOST_HELD", 0)
    spill = Spill()
    records = [bytes([number]) * 50_000 for number in range(200)]
    places = [spill.put(record) for record in records]
    found = processes.shared(lambda one: (one, spill.get(places[one])), range(200), 4, 1)
    assert dict(found) == dict(enumerate(records))
    spill.close()
