"""A wrapper that asks Dynamo's configuration for settings in each call."""

from __future__ import annotations

from .replay import Program, over_budget

# How often the configuration's own look-up in Python runs.
LOOKUPS = """
import torch._dynamo
from torch.utils._config_module import ConfigModule

class Counter:
    def start(self):
        self.count, self.kept = 0, ConfigModule.__getattr__
        ConfigModule.__getattr__ = self.counted
    @property
    def counted(self):
        counter, kept = self, self.kept
        def __getattr__(module, name):
            counter.count += name in ("suppress_errors", "recompile_limit")
            return kept(module, name)
        return __getattr__
    def stop(self):
        ConfigModule.__getattr__ = self.kept
        return self.count
"""
BUDGETS = """
import main
import pytest
import torch

MODEL = main.Dispatcher(torch.nn.Linear(4, 4))


@pytest.mark.overhead_budget(counted=0, warmup=2)
def test_call():
    MODEL(torch.ones(2, 4))
"""


def test_setting_is_read_once(program: Program) -> None:
    origin = program("flag")
    places = origin.places("main.py", "config.suppress_errors", "config.recompile_limit")
    found = origin.findings("OVH308")
    assert found.keys() == places
    assert {finding["fix"]["applicability"] for finding in found.values()} == {"unsafe"}
    printed = origin.run()
    assert origin.executed("OVH308") == dict.fromkeys(places, 1)
    assert min(origin.costs("OVH308").values()) > 0
    assert over_budget(origin, BUDGETS, metric=LOOKUPS) == ["counted 2 > 0"]

    origin.fix("--unsafe-fixes")
    assert origin.findings("OVH308") == {}
    assert over_budget(origin, BUDGETS, metric=LOOKUPS) == []
    assert origin.run() == printed
