"""Hooks and a prefetcher that make events between a stream and itself."""

from __future__ import annotations

from .replay import Program, over_budget

SIMULATED = ("--device", "simulated")
BUDGETS = """
import pytest
import torch
from main import Prefetcher, Reducer, build, step


@pytest.mark.parametrize("own", [False, True])
def test_step(simulated_cuda, overhead_budget, own):
    lane = torch.cuda.Stream() if own else None
    model, optimizer = build()
    Reducer(model, lane)
    prefetcher = Prefetcher([torch.ones(2, 4) for _ in range(3)], lane)
    with overhead_budget(event_record=LEAST if own else 0):
        step(model, optimizer, prefetcher.next())
"""


def test_one_stream_needs_no_event(program: Program) -> None:
    origin = program("hooks")
    places = origin.places(
        "main.py",
        "current_stream().wait_stream(self.lane)",
        "self.stream.wait_stream(current)",
        "current.wait_stream(self.stream)",
    )
    found = origin.findings("OVH401")
    assert found.keys() == places
    assert {finding["fix"]["applicability"] for finding in found.values()} == {"unsafe"}
    printed = origin.run(*SIMULATED)
    executed = origin.executed("OVH401")
    assert executed.keys() == places
    # Hooks run in the engine's own thread, of which the recorded step has no times.
    (waiting,) = origin.places("main.py", "current_stream().wait_stream(self.lane)")
    assert origin.costs("OVH401")[waiting] > 0
    events = {
        (entry["path"], entry["line"])
        for entry in origin.evidence["causes"]
        if entry["metric"] == "event_record"
    }
    assert places == events
    # Four parameters, two events each, and one for the batch.
    complaints = over_budget(origin, BUDGETS.replace("LEAST", "100"))
    assert [complaint.split(",")[0] for complaint in complaints] == ["event_record 9 > 0"]

    origin.fix("--unsafe-fixes")
    assert origin.findings("OVH401") == {}
    assert origin.run(*SIMULATED) == printed
    assert over_budget(origin, BUDGETS.replace("LEAST", "100")) == []
    assert over_budget(origin, BUDGETS.replace("LEAST", "8")) != [], "a stream of one's own is waited for"
