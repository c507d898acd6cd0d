"""The time of guards with cold caches stands beside that with warm ones."""

from __future__ import annotations

import json
from typing import Any

from .replay import Origin, Program, over_budget

BUDGETS = """
import main
import pytest
import torch

MODEL = torch.compile(main.Model(64), backend="eager")


@pytest.mark.overhead_budget(guards=100, warmup=3)
def test_call():
    MODEL(torch.ones(2))
"""


def test_cold_time_is_told_beside_the_hot_one(program: Program) -> None:
    origin = program("cold")
    line = origin.line("main.py", "torch.compile(Model(64)")
    (finding,) = origin.findings("OVH307").values()
    assert (finding["line"], finding["fix"]["applicability"]) == (line, "unsafe")
    report = reported(origin)
    assert report["guards"] == 17 + 4 * 64
    assert min(report["hot_seconds"], report["cold_seconds"]) > 0
    printed = origin.run()
    (compiled,) = origin.evidence["compiled"]
    assert (compiled["file"], compiled["guards"]) == ("main.py", report["guards"])
    assert min(compiled["hot_seconds"], compiled["cold_seconds"]) > 0
    (complaint,) = over_budget(origin, BUDGETS)
    assert complaint.startswith("guards 273 > 100")

    # By hand: numbers that never change are the product that they make.
    origin.write("main.py", "[Block(1 + k % 2) for k in range(depth)]", "[Block(2 ** (depth // 2))]")
    assert origin.run() == printed
    assert over_budget(origin, BUDGETS) == []
    assert reported(origin)["guards"] < 40


def reported(origin: Origin) -> dict[str, Any]:
    """Return what ``guards report`` says of the one compiled frame of the program."""
    done = origin.python(
        *("-m", "overhead_lint", "guards", "report", "--no-advice", "--output-format", "json", "main.py")
    )
    assert done.returncode == 0, done.stderr
    (frame,) = json.loads(done.stdout[done.stdout.index("{") :])["entries"]
    return dict(frame)
