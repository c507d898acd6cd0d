"""``measure`` itself, with probes that need no torch."""

from __future__ import annotations

from pathlib import Path

import pytest

from overhead_lint.probes import METRICS, Cause, ProbeUnavailable, UnknownMetric, measure, metrics
from overhead_lint.probes.api import Metric, MetricKind, Reading

LOG: list[str] = []


class Recording:
    """Logs when it starts and stops, and cannot measure ``missing``."""

    def __init__(self, *, attribute: bool) -> None:
        self.attribute = attribute

    def start(self, metrics: frozenset[str]) -> None:
        if "missing" in metrics:
            raise ProbeUnavailable("missing", "not here")
        self.metrics = metrics
        LOG.append(f"start {' '.join(sorted(metrics))}")

    def stop(self) -> Reading:
        LOG.append(f"stop {' '.join(sorted(self.metrics))}")
        if "late" in self.metrics:
            raise ProbeUnavailable("late", "gone")
        causes = {name: (Cause(1, "", 0, "x"),) for name in self.metrics} if self.attribute else {}
        return Reading(dict.fromkeys(self.metrics, 1), causes)


class Other(Recording):
    """A second probe."""


@pytest.fixture(autouse=True)
def _probes(monkeypatch: pytest.MonkeyPatch) -> None:
    def some(*names: str) -> tuple[Metric, ...]:
        return tuple(Metric(name, MetricKind.COUNT, "") for name in names)

    probes = ((Recording, some("guards", "missing")), (Other, some("event_record", "late")))
    monkeypatch.setattr(metrics, "_PROBES", probes)
    known = {metric.name: metric for _, group in probes for metric in group}
    monkeypatch.setattr(metrics, "METRICS", known)
    LOG.clear()


def test_probes_are_chosen_by_metric_and_stopped_in_reverse() -> None:
    with measure(["event_record", "guards"]) as m:
        assert m.values == {}
        LOG.append("block")
    assert LOG == ["start guards", "start event_record", "block", "stop event_record", "stop guards"]
    assert m.values == {"guards": 1, "event_record": 1}
    assert m.causes["guards"] == (Cause(1, "", 0, "x"),)


def test_probes_stop_after_an_exception_too() -> None:
    with pytest.raises(KeyError), measure(["event_record", "guards"]) as m:
        raise KeyError
    assert LOG[2:] == ["stop event_record", "stop guards"]
    assert m.values == {"guards": 1, "event_record": 1}


def test_lines_are_left_out_where_nobody_wants_them() -> None:
    with measure(["guards"], attribute=False) as m:
        pass
    assert (m.values, m.causes) == ({"guards": 1}, {})


def test_one_text_is_not_taken_for_names_of_one_letter() -> None:
    with (
        pytest.raises(TypeError, match=r"must be names, such as \['guards'\], not one str"),
        measure("guards"),
    ):
        pass


def test_the_nearest_right_name_is_offered() -> None:
    with (
        pytest.raises(UnknownMetric, match="unknown metric 'gaurds'; did you mean 'guards'"),
        measure(["gaurds"]),
    ):
        pass
    with pytest.raises(UnknownMetric, match="known: event_record, guards, late, missing"), measure(["zzz"]):
        pass
    assert LOG == []


def test_what_cannot_be_measured_raises_and_stops_what_had_started() -> None:
    with (
        pytest.raises(ProbeUnavailable, match="missing: cannot be measured here: not here"),
        measure(["missing"]),
    ):
        LOG.append("block")
    assert LOG == []
    with (
        pytest.raises(ProbeUnavailable, match="late: cannot be measured here: gone"),
        measure(["guards", "late"]),
    ):
        LOG.append("block")
    assert LOG == ["start guards", "start late", "block", "stop late", "stop guards"]


def test_without_strict_the_rest_is_measured() -> None:
    with measure(["guards", "missing", "late"], strict=False) as m:
        pass
    assert m.values == {"guards": 1}
    assert m.unavailable == {"missing": "not here", "late": "gone"}


def test_every_metric_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "budgets.md").read_text()
    assert [name for name in METRICS if f"`{name}`" not in text] == []


def test_no_two_probes_measure_a_metric_of_one_name() -> None:
    names = [metric.name for _, some in metrics._found() for metric in some]
    assert sorted(names) == sorted(METRICS)
