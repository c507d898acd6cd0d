"""`wait_stream`, beside `Stream.wait_stream`."""

from __future__ import annotations

from typing import Any, cast

import pytest
import torch

from overhead_runtime import wait_stream


class RecordedStream:
    """Stands for a stream where there is no device: identity as a stream's, and the calls made."""

    def __init__(self, device: str, stream_id: int, calls: list[tuple[Any, Any]]) -> None:
        self.device = torch.device(device)
        self.stream_id = stream_id
        self.calls = calls

    def wait_stream(self, other: RecordedStream) -> None:
        """Record the wait."""
        self.calls.append((self, other))


XPU = 12
"""Of c10's device types; one that no test simulates."""


def stream_on(device_index: int, stream_id: int) -> torch.Stream:
    """A real stream object; without that device, any use of it raises."""
    return torch.Stream(stream_id=stream_id, device_index=device_index, device_type=XPU)


def test_two_objects_for_one_stream_touch_no_device() -> None:
    if torch.xpu.is_available():
        pytest.skip("counted by the event probe where there is a device")
    consumer, producer = stream_on(0, 3), stream_on(0, 3)
    assert consumer is not producer
    with pytest.raises(RuntimeError):
        consumer.wait_stream(producer)  # The stock call goes to the device, which is not there.
    wait_stream(consumer, producer)


@pytest.mark.parametrize(
    ("consumer", "producer", "waits"),
    [
        (("cuda:0", 0), ("cuda:0", 0), 0),
        (("cuda:0", 7), ("cuda:0", 0), 1),
        (("cuda:0", 0), ("cuda:1", 0), 1),
        (("cuda:0", 7), ("cuda:1", 7), 1),
        (("xpu:0", 0), ("cuda:0", 0), 1),
    ],
)
def test_waits_exactly_once_unless_device_and_id_are_equal(
    consumer: tuple[str, int], producer: tuple[str, int], waits: int
) -> None:
    calls: list[tuple[Any, Any]] = []
    first, second = RecordedStream(*consumer, calls), RecordedStream(*producer, calls)
    wait_stream(cast("Any", first), cast("Any", second))
    assert calls == [(first, second)] * waits


def test_different_streams_raise_what_the_stock_call_raises() -> None:
    if torch.xpu.is_available():
        pytest.skip("needs a device that is missing")
    consumer, producer = stream_on(0, 3), stream_on(0, 4)
    with pytest.raises(RuntimeError) as stock:
        consumer.wait_stream(producer)
    with pytest.raises(RuntimeError) as ours:
        wait_stream(consumer, producer)
    assert str(ours.value) == str(stock.value)


@pytest.mark.parametrize("bad", [None, 3, "default"])
def test_what_is_no_stream_is_named(bad: Any) -> None:
    good = stream_on(0, 3)
    with pytest.raises(AttributeError, match="consumer"):
        wait_stream(bad, good)
    with pytest.raises(AttributeError, match="producer"):
        wait_stream(good, bad)
