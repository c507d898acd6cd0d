"""Context managers that turn eight-bit layers on: generators, one a method, one an old name of another."""

from __future__ import annotations

from .replay import Program, over_budget

BUDGETS = """
import pytest
import torch
import precision
from precision import State, scaled


@pytest.mark.overhead_budget(contexts=0, warmup=1)
def test_blocks():
    for manager in (scaled, precision.eight_bits, State.calibration):
        with manager():
            torch.ones(1)
"""


def test_generators_become_classes_that_do_the_same(program: Program) -> None:
    origin = program("autocast")
    decorators = {("precision.py", line) for line in (49, 67, 79)}
    found = origin.findings("OVH104")
    assert found.keys() == decorators
    assert {finding["heat"] for finding in found.values()} == {"step"}
    assert {finding["fix"]["applicability"] for finding in found.values()} == {"unsafe"}
    printed = origin.run()
    assert origin.executed("OVH104") == {
        ("precision.py", 49): 1,
        ("precision.py", 67): 1,
        ("precision.py", 79): 2,
    }
    assert min(origin.costs("OVH104").values()) > 0
    (complaint,) = over_budget(origin, BUDGETS)
    assert complaint.startswith("contexts 4 > 0")

    origin.fix()
    assert origin.findings("OVH104").keys() == decorators, "no safe fix rewrites a generator"
    origin.fix("--unsafe-fixes")
    assert origin.findings("OVH104") == {}
    fixed = origin.text("precision.py")
    assert "@contextmanager" not in fixed and fixed.count("__slots__") == 3
    assert "# Keep the state, so that it is put back however the block ends." in fixed
    assert over_budget(origin, BUDGETS) == []
    assert origin.run() == printed


def test_class_refuses_to_be_entered_while_it_is_active(program: Program) -> None:
    origin = program("autocast")
    origin.fix("--unsafe-fixes")
    script = (
        "from precision import scaled\nblock = scaled()\nwith block:\n    try:\n        block.__enter__()\n"
        "    except RuntimeError as error:\n        print(error)\nwith block:\n    pass\n"
    )
    assert origin.script(script) == "scaled is entered while it is active\n"
