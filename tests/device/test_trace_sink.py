"""The trace sink and the probe on it, where there is no device."""

from __future__ import annotations

import pytest

from overhead_lint.native import load
from overhead_lint.probes.api import MetricKind, ProbeUnavailable
from overhead_lint.probes.events_probe import METRICS, EventsProbe


def test_sink_starts_and_stops_nested() -> None:
    sink = load("counters")
    for _ in range(3):
        sink.start()
        sink.start()
        assert sink.stop() is True
        assert sink.stop() is True
    with pytest.raises(RuntimeError, match="stopped more often than started"):
        sink.stop()


def test_attribution_of_an_unknown_kind_is_refused() -> None:
    sink = load("counters")
    with pytest.raises(ValueError, match="nothing of the name evnt_record"):
        sink.attribute(["evnt_record"], [], [])
    with pytest.raises(RuntimeError, match="stopped more often than started"):
        sink.stop_attributing()


def test_probe_without_a_device_is_unavailable_and_never_zero() -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device")
    for_gpus = torch.version.cuda is not None or torch.version.hip is not None
    advice = ": this torch is built for GPUs" if for_gpus else "; ask for the simulated_cuda fixture"
    with pytest.raises(ProbeUnavailable, match=f"no CUDA device{advice}"):
        EventsProbe().start(frozenset({"event_record"}))


def test_no_simulated_device_is_advised_where_torch_cannot_have_one(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device")
    monkeypatch.setattr(torch.version, "cuda", "13.0")
    with pytest.raises(ProbeUnavailable, match="no CUDA device: this torch is built for GPUs and finds none"):
        EventsProbe().start(frozenset({"event_record"}))


def test_every_event_metric_is_a_count_with_a_summary() -> None:
    assert {m.name for m in METRICS} >= {"event_record", "event_wait", "stream_sync", "device_sync"}
    assert all(m.kind is MetricKind.COUNT and m.summary for m in METRICS)


def test_allocations_of_device_memory_are_counted(one_device: None) -> None:
    torch = pytest.importorskip("torch")
    probe = EventsProbe()
    probe.start(frozenset({"alloc"}))
    x = torch.ones(4, device="cuda")
    x.add_(1)
    (x * 2).view(2, 2)
    assert probe.stop().values == {"alloc": 2}
