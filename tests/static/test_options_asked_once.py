"""What tests of a file ask of options is worked out once, and by calls only where calls may tell."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any

import pytest

from overhead_lint.analysis.graph.option import PASSED
from overhead_lint.analysis.options.defaults import Defaults
from overhead_lint.analysis.options.owners import class_of
from overhead_lint.project.flow import FileFlow
from overhead_lint.project.options import Options
from overhead_lint.project.scan import scan
from overhead_lint.support.compiled_form import is_compiled

pytestmark = pytest.mark.skipif(is_compiled(), reason="what is compiled calls its own functions at once")

OF_SETTINGS = """
class Trainer:
    def step(self, loss):
        if self.config.clip and self.config.norm > 0:
            loss.clip(loss.grad)
"""
OF_PARAMETERS = """
def step(loss, mode):
    if mode == "clip":
        loss.clip()
"""
KEPT = """
class Trainer:
    def __init__(self, mode="slow"):
        self.mode = mode

    def log(self, loss):
        if self.mode == "clip":
            loss.log()

    def step(self, loss):
        if not (self.mode == "clip"):
            loss.clip()
"""


def options_of(text: str) -> Options:
    return Options(FileFlow(scan(ast.parse(text))), "m", is_package=False)


def worked_out_by_calls(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many operations are worked out by what calls pass, and not by defaults."""
    asked: Counter[bool] = Counter()
    worked_out = Defaults._worked_out

    def counted(self: Defaults, *site: Any) -> Any:
        asked[self._by_calls] += 1
        return worked_out(self, *site)

    monkeypatch.setattr(Defaults, "_worked_out", counted)
    options = options_of(text)
    assert options.asked is not None
    assert options.called()
    assert asked[False]
    return asked[True]


def test_what_hangs_on_no_parameter_is_not_worked_out_by_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not worked_out_by_calls(OF_SETTINGS, monkeypatch)
    assert worked_out_by_calls(OF_PARAMETERS, monkeypatch)


def test_each_test_of_an_attribute_hangs_on_what_calls_pass_for_it() -> None:
    # The second one finds what the first one worked out.
    flow = FileFlow(scan(ast.parse(KEPT)))
    options = Options(flow, "m", is_package=False).records
    asking = [
        record.name
        for place, record in enumerate(flow.names.functions)
        for guard in record.guards
        for option in options.shut(place, guard.condition, guard.outcome)
        if option.kind == PASSED
    ]
    assert asking == ["log", "step"]


def test_an_attribute_is_named_once_whatever_it_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    named: list[object] = []

    def counted(*site: Any) -> str:
        named.append(site[1:])
        return class_of(*site)

    monkeypatch.setattr("overhead_lint.analysis.options.defaults.class_of", counted)
    assert options_of(OF_SETTINGS).asked
    assert len(named) == len(set(named)) == 2
