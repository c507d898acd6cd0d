"""Global state that compiled code is guarded on: toggled in steps, and stored for another process."""

from __future__ import annotations

from .replay import Program, over_budget

BUDGETS = """
import main
import pytest
import torch


@pytest.mark.overhead_budget(recompiles=0)
def test_training():
    torch._dynamo.reset()
    torch.set_num_threads(2)
    main.train(4)
"""
CAPTURE = """
import torch
from overhead_lint.runtime import GlobalState
torch.set_num_threads(2)
print(GlobalState.capture().to_json())
"""
COMPARE = """
import torch
from overhead_lint.runtime import GlobalState
torch.set_num_threads(2)
state = GlobalState.from_json({text!r})
print(state.check(), *state.compare())
{change}
print(state.check(), *state.compare())
"""
SAVE = """
import torch
from overhead_lint.probes.guards_saved import save
from saved import scaled
torch.set_num_threads(2)
save(scaled, "scaled.bin", (torch.ones(2), 3))
"""
LOAD = """
import torch
from overhead_lint.probes.guards_saved import GuardsFailed, load
torch.set_num_threads(2)
scaled = load("scaled.bin")
print(scaled(torch.ones(2), 3).tolist())
for dtype, factor in ((torch.float64, 3), (torch.float32, 4)):
    torch.set_default_dtype(dtype)
    try:
        scaled(torch.ones(2, dtype=torch.float32), factor)
    except GuardsFailed as error:
        print(str(error))
"""


def test_toggled_setting_compiles_once_more(program: Program) -> None:
    origin = program("state")
    places = {("main.py", line) for line in (42, 45)}
    found = origin.findings("OVH310")
    assert found.keys() == places
    assert {finding["fix"] for finding in found.values()} == {None}
    printed = origin.run()
    assert origin.executed("OVH310").keys() == places
    assert min(origin.costs("OVH310").values()) > 0
    (complaint,) = over_budget(origin, BUDGETS)
    assert complaint.startswith("recompiles 1 > 0")

    # By hand, as the help says: it is set once at the start.
    origin.write("main.py", "        if number % 2:\n            torch.set_num_threads(1)\n", "")
    origin.write("main.py", "optimizer, x)\n        torch.set_num_threads(2)\n", "optimizer, x)\n")
    assert origin.findings("OVH310") == {}
    assert over_budget(origin, BUDGETS) == []
    assert origin.run() == printed


def test_state_of_another_process_differs_by_one_field_by_name(program: Program) -> None:
    origin = program("state")
    text = origin.script(CAPTURE, fresh=True).strip()
    changes = (
        ("torch.set_num_threads(3)", "num_threads: 2 -> 3"),
        ("torch.set_grad_enabled(False)", "grad_mode: True -> False"),
        ("torch.set_default_dtype(torch.float64)", "default_dtype: float32 -> float64"),
    )
    for change, told in changes:
        assert origin.script(COMPARE.format(text=text, change=change)) == f"True\nFalse {told}\n"


def test_saved_guards_name_what_does_not_hold_in_another_process(program: Program) -> None:
    origin = program("state")
    origin.script(SAVE, fresh=True)
    results = origin.script(LOAD).splitlines()
    assert results[0] == "[3.0, 3.0]"
    assert "default_dtype" in results[1]
    assert "factor" in results[2]
