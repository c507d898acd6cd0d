"""An autograd function that is given ten settings one by one."""

from __future__ import annotations

from .replay import Program, over_budget

# Objects that cross between Python and the engine: what forward and backward are given, and what they return.
CROSSING = """
import functools
import main

class Counter:
    def start(self):
        self.crossed = 0
        self.kept = {name: main.Scaled.__dict__[name] for name in ("forward", "backward")}
        for name, method in self.kept.items():
            setattr(main.Scaled, name, staticmethod(functools.partial(self.call, method.__func__)))
    def call(self, method, *args):
        result = method(*args)
        self.crossed += len(args) + (len(result) if isinstance(result, tuple) else 1)
        return result
    def stop(self):
        for name, method in self.kept.items():
            setattr(main.Scaled, name, method)
        return self.crossed
"""
BUDGETS = """
import main
import pytest
import torch


@pytest.mark.overhead_budget(counted=12)
def test_objects_that_cross():
    main.Layer(4)(torch.ones(2, 4)).sum().backward()
"""


def test_settings_become_one_tuple(program: Program) -> None:
    origin = program("packed")
    place = origin.places("main.py", "        scale: float,")
    found = origin.findings("OVH801")
    assert found.keys() == place
    (finding,) = found.values()
    assert "10 arguments that are not tensors" in finding["message"]
    assert finding["fix"]["applicability"] == "unsafe"
    printed = origin.run()
    assert origin.executed("OVH801") == dict.fromkeys(place, 1)
    assert min(origin.costs("OVH801").values()) > 0
    assert over_budget(origin, BUDGETS, metric=CROSSING) == ["counted 30 > 12"]

    origin.fix("--unsafe-fixes")
    assert origin.findings("OVH801") == {}
    assert origin.run() == printed
    assert over_budget(origin, BUDGETS, metric=CROSSING) == []
