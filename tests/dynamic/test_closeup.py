"""Which metrics are measured in single steps, and the rule of each: both said by the metric itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from overhead_lint.dynamic.closeup import CloseUp
from overhead_lint.engine import packs
from overhead_lint.probes import METRICS, Metric, MetricKind
from overhead_lint.probes.api import Cause, Reading
from overhead_lint.probes.metrics import register

pytest.importorskip("torch")


@pytest.mark.parametrize(
    ("metric", "label", "code"),
    [
        ("contexts", "autocast", "OVH101"),
        ("contexts", "generator-based", ""),
        ("stream_sync", "forward", "OVH404"),
        ("guards", "global state", "OVH307"),
        ("dispatches", "forward", ""),
    ],
)
def test_what_was_measured_has_the_code_of_its_rule(metric: str, label: str, code: str) -> None:
    assert METRICS[metric].code_of(label) == code


def test_every_code_is_a_rule() -> None:
    known = {loaded.rule.code for loaded in packs.load()}
    named = {metric.code for metric in METRICS.values()}
    named.update(code for metric in METRICS.values() for _, code in metric.codes)
    assert named - {""} <= known


class Lookups:
    """A probe that finds one line with as many look-ups as there were steps before, and one more."""

    steps = 0

    def __init__(self, *, attribute: bool) -> None:
        assert attribute

    def start(self, metrics: frozenset[str]) -> None:
        assert metrics == {"lookups"}
        Lookups.steps += 1

    def stop(self) -> Reading:
        return Reading({"lookups": self.steps}, {"lookups": (Cause(self.steps, "a.py", 3, "lookup"),)})


@pytest.fixture
def lookups() -> Iterator[None]:
    counted = Metric("lookups", MetricKind.COUNT, "look-ups", per_step=True)
    left_out = Metric("hidden_lookups", MetricKind.COUNT, "look-ups that no step is asked for")
    Lookups.steps = 0
    undo = register(Lookups, [counted, left_out])
    yield
    undo()


@pytest.mark.usefixtures("lookups")
def test_a_metric_says_itself_that_steps_are_measured_for_it() -> None:
    close_up = CloseUp(lambda: False)
    for step in (0, 2):
        assert close_up.begin(step)
        close_up.end()
    assert close_up.metrics()["lookups"] == 1.5
    assert close_up.causes()["lookups"] == [Cause(1.5, "a.py", 3, "lookup")]
    assert "hidden_lookups" not in close_up.metrics()


@pytest.mark.usefixtures("lookups")
def test_a_step_in_which_something_compiled_is_left_out_and_counted() -> None:
    compiled = 0
    close_up = CloseUp(lambda: False, lambda: compiled)
    assert close_up.begin(0)
    compiled = 2
    close_up.end()
    assert close_up.metrics() == {} and close_up.left_out == 1
    assert close_up.begin(1)
    close_up.end()
    assert (close_up.metrics()["lookups"], close_up.left_out) == (2, 1)
