"""Time on the simulated device: a tick a kernel, on the clock of its stream."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

TICK = 1e-3
"""Milliseconds that a kernel takes."""


def ones(*shape: int) -> torch.Tensor:
    return torch.ones(*shape, device="cuda")


def timed() -> torch.cuda.Event:
    return torch.cuda.Event(enable_timing=True)


def work(kernels: int) -> None:
    x = torch.empty(2, device="cuda")
    for _ in range(kernels):
        x.add_(1)


def ticks(start: torch.cuda.Event, end: torch.cuda.Event) -> int:
    start.synchronize()
    end.synchronize()
    return round(float(start.elapsed_time(end)) / TICK)


def test_time_between_two_events_is_the_number_of_kernels(one_device: None) -> None:
    start, end = timed(), timed()
    start.record()
    work(7)
    end.record()
    work(3)
    assert ticks(start, end) == 7


def test_times_are_the_same_in_every_run(one_device: None) -> None:
    seen = set()
    for _ in range(3):
        start, end = timed(), timed()
        start.record()
        torch.nn.functional.softmax(ones(3, 4) @ ones(4, 3), -1).sum().item()
        end.record()
        seen.add(ticks(start, end))
    assert len(seen) == 1


def test_streams_that_do_not_wait_overlap(one_device: None) -> None:
    start, end, side = timed(), timed(), torch.cuda.Stream()
    torch.cuda.synchronize()
    start.record()
    with torch.cuda.stream(side):
        work(10)
    work(4)
    torch.cuda.current_stream().wait_stream(side)
    end.record()
    assert ticks(start, end) == 10


def test_stream_that_waits_comes_after(one_device: None) -> None:
    start, end, side = timed(), timed(), torch.cuda.Stream()
    torch.cuda.synchronize()
    start.record()
    work(4)
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        work(10)
        end.record()
    assert ticks(start, end) == 14


def test_work_asked_for_after_a_synchronisation_begins_after_it(one_device: None) -> None:
    start, end, side = timed(), timed(), torch.cuda.Stream()
    torch.cuda.synchronize()
    start.record()
    work(5)
    torch.cuda.current_stream().synchronize()
    with torch.cuda.stream(side):
        work(2)
        end.record()
    assert ticks(start, end) == 7


@pytest.mark.parametrize("read", [torch.Tensor.tolist, torch.Tensor.sum, torch.Tensor.nonzero])
def test_reading_waits_for_the_device_of_what_is_read(
    two_devices: None, read: Callable[[torch.Tensor], torch.Tensor]
) -> None:
    x = torch.ones(2, device="cuda:1")
    with torch.cuda.device(1):
        event = torch.cuda.Event()
        x.mul_(2)
        event.record()
    float(read(x)) if read is torch.Tensor.sum else read(x)
    assert event.query()


def test_event_is_pending_until_the_host_waits_or_asks_again(one_device: None) -> None:
    torch.cuda.synchronize()
    event = torch.cuda.Event()
    work(3)
    event.record()
    assert not event.query()
    assert event.query()
    work(3)
    event.record()
    event.synchronize()
    assert event.query()


@pytest.mark.parametrize("wait", ["stream", "device", "item"])
def test_stream_is_done_after_a_wait(one_device: None, wait: str) -> None:
    stream = torch.cuda.current_stream()
    x = ones(2)
    work(3)
    if wait == "stream":
        stream.synchronize()
    elif wait == "device":
        torch.cuda.synchronize()
    else:
        x.sum().item()
    assert stream.query()


def test_two_devices_have_clocks_of_their_own(two_devices: None) -> None:
    torch.cuda.synchronize()
    start, end = timed(), timed()
    start.record()
    with torch.cuda.device(1):
        work(9)
    work(2)
    end.record()
    assert ticks(start, end) == 2
