"""Findings beside which the host waits anyway: they are minor, and say where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .conftest import Run


LAYER = """\
import torch
from torch import nn

class Layer(nn.Module):
    def forward(self, x: torch.Tensor):
        scale = torch.tensor([1.0, 2.0]).to(x.device)
        {more}
        return x * scale
"""


def found(text: str, folder: Path, run_here: Run) -> dict[int, tuple[str, int | None]]:
    """By lines the tiers of findings, and the lines of waits that stay."""
    path = folder / "layer.py"
    path.write_text(text, "utf-8")
    done = run_here(".", "--no-cache", "--output-format=json")
    return {
        one["line"]: (one["tier"], stays["line"] if (stays := one["cost"]["stays"]) is not None else None)
        for one in json.loads(done.stdout)
        if one["cost"] is not None and one["cost"]["waits"]
    }


def test_a_mend_beside_a_wait_that_stays_is_minor(tmp_path: Path, run_here: Run) -> None:
    assert found(LAYER.format(more="x = x[x > 0]"), tmp_path, run_here)[6] == ("minor", 7)


def test_waits_that_may_all_be_mended_stay_stalls(tmp_path: Path, run_here: Run) -> None:
    more = "shift = torch.tensor([3.0]).to(x.device)\n        x = x + shift"
    tiers = found(LAYER.format(more=more), tmp_path, run_here)
    assert {line: tiers[line] for line in (6, 7)} == {6: ("stall", None), 7: ("stall", None)}


def test_loops_of_waits_that_may_be_mended_stay_stalls(tmp_path: Path, run_here: Run) -> None:
    more = "x = x[x > 0]\n        for i in range(4):\n            x = x + torch.tensor([1.0]).to(x.device)"
    tiers = found(LAYER.format(more=more), tmp_path, run_here)
    assert tiers[9] == ("stall", None)


def test_a_size_that_is_needed_is_minor_once_a_pass_alone(tmp_path: Path, run_here: Run) -> None:
    assert found(LAYER.format(more="x = x[x > 0]"), tmp_path, run_here)[7] == ("minor", 7)
    more = "for i in range(4):\n            x = x[x > i]"
    assert found(LAYER.format(more=more), tmp_path, run_here)[8] == ("stall", None)


def test_the_full_report_says_where_the_host_waits_anyway(tmp_path: Path, run_here: Run) -> None:
    (tmp_path / "layer.py").write_text(LAYER.format(more="x = x[x > 0]"), "utf-8")
    shown = run_here(".", "--no-cache", "--tier", "minor").stdout
    assert "= stays: the CPU waits in the same pass anyway: layer.py:7\n" in shown
    assert "= stays: the program needs the size that the CPU waits for\n" in shown


def test_the_cache_keeps_where_the_host_waits_anyway(tmp_path: Path, run_here: Run) -> None:
    (tmp_path / "layer.py").write_text(LAYER.format(more="x = x[x > 0]"), "utf-8")
    cold, warm = (run_here(".", "--output-format=json").stdout for _ in range(2))
    assert warm == cold
    assert '"stays": {' in warm
