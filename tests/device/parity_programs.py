"""Programs that cost the same events, waits and copies on a GPU and on the simulated device.

A program builds what it needs, and returns the step that is measured. Its numbers are what torch's sources
say that CUDA does; `test_parity` holds either device to them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import nn

__all__ = ["METRICS", "PROGRAMS", "Program"]

METRICS = (
    "event_record",
    "event_wait",
    "event_sync",
    "stream_sync",
    "device_sync",
    "copies_h2d",
    "copies_d2h",
    "copies_pageable",
)
Step = Callable[[], object]


class Program(NamedTuple):
    """A program and its counts; what it does not name is 0."""

    build: Callable[[], Step]
    counts: dict[str, int]


PROGRAMS: list[Program] = []


def counts(**expected: int) -> Callable[[Callable[[], Step]], Callable[[], Step]]:
    """Register a program with its counts of one step."""

    def register(build: Callable[[], Step]) -> Callable[[], Step]:
        PROGRAMS.append(Program(build, {**dict.fromkeys(METRICS, 0), **expected}))
        return build

    return register


def data(*shape: int) -> torch.Tensor:
    return torch.ones(*shape, device="cuda")


@counts(stream_sync=1, copies_d2h=1)
def item() -> Step:
    return data(1).item


@counts(stream_sync=1, copies_d2h=1)
def truth_of_a_comparison() -> Step:
    x = data(4)
    return lambda: bool((x > 0).all())


@counts(stream_sync=1, copies_d2h=1)
def to_a_list() -> Step:
    return data(4).tolist


@counts(stream_sync=1, copies_d2h=1)
def to_the_host() -> Step:
    return data(4).cpu


@counts(stream_sync=1, copies_h2d=1, copies_pageable=1)
def from_pageable_memory() -> Step:
    x = torch.ones(4)
    return lambda: x.to("cuda")


@counts(copies_h2d=1)
def from_pinned_memory_without_waiting() -> Step:
    x, y = torch.ones(4).pin_memory(), data(4)
    return lambda: y.copy_(x, non_blocking=True)


@counts(copies_h2d=1, event_record=1)
def from_pinned_memory_that_is_freed() -> Step:
    x = torch.ones(4)
    return lambda: x.pin_memory().to("cuda", non_blocking=True)


@counts(copies_h2d=2, event_record=1)
def from_pinned_memory_twice() -> Step:
    x, y = torch.ones(4), data(4)

    def step() -> None:
        pinned = x.pin_memory()
        y.copy_(pinned, non_blocking=True)
        y[1:].copy_(pinned[1:], non_blocking=True)

    return step


@counts(copies_d2h=1, event_record=1)
def to_pinned_memory_that_is_freed() -> Step:
    x = data(4)
    return lambda: torch.empty(4, pin_memory=True).copy_(x, non_blocking=True)


@counts(stream_sync=1, copies_h2d=1)
def from_pinned_memory_with_a_wait() -> Step:
    x = torch.ones(4)
    return lambda: x.pin_memory().to("cuda")


@counts(copies_h2d=1, copies_pageable=1)
def from_pageable_memory_without_waiting() -> Step:
    x, y = torch.ones(4), data(4)
    return lambda: y.copy_(x, non_blocking=True)


@counts(copies_h2d=1)
def from_pinned_memory_to_another_type_without_waiting() -> Step:
    x, y = torch.ones(4).pin_memory(), torch.ones(4, dtype=torch.float16, device="cuda")
    return lambda: y.copy_(x, non_blocking=True)  # converted on the device


@counts(stream_sync=1, copies_h2d=1, copies_pageable=1)
def from_pinned_memory_to_another_type_with_a_wait() -> Step:
    x, y = torch.ones(4).pin_memory(), torch.ones(4, dtype=torch.float16, device="cuda")
    return lambda: y.copy_(x)  # converted on the host, in memory that is not pinned


@counts(copies_h2d=1, copies_pageable=1)
def from_pinned_memory_in_another_layout() -> Step:
    x, y = torch.ones(4, 4).pin_memory(), data(4, 4)
    return lambda: y.copy_(x.t(), non_blocking=True)


@counts(copies_h2d=1)
def from_pinned_memory_in_the_same_layout() -> Step:
    x, y = torch.ones(4, 4).pin_memory(), data(4, 4)
    return lambda: y.t().copy_(x.t(), non_blocking=True)


@counts(copies_h2d=1)
def part_of_pinned_memory() -> Step:
    x, y = torch.ones(8).pin_memory(), data(4)
    return lambda: y.copy_(x[4:], non_blocking=True)


@counts(stream_sync=1, copies_d2h=1)
def to_the_host_in_another_type() -> Step:
    x = data(4)
    return lambda: x.to("cpu", torch.float64)


@counts(stream_sync=1, copies_d2h=1)
def to_the_host_in_another_layout() -> Step:
    x, y = data(4, 4), torch.ones(4, 4)
    return lambda: y.t().copy_(x)


@counts(stream_sync=1, copies_h2d=1, copies_pageable=1)
def from_the_host_in_another_type_and_layout() -> Step:
    x, y = torch.ones(4, 4), torch.ones(4, 4, dtype=torch.float16, device="cuda")
    return lambda: y.copy_(x.t())


@counts(stream_sync=1, copies_h2d=1, copies_pageable=1)
def constant_from_a_list() -> Step:
    return lambda: torch.tensor([1.0, 2.0], device="cuda")


@counts()
def constant_made_there() -> Step:
    return lambda: torch.full((4,), 2.0, device="cuda")


@counts()
def on_the_device_alone() -> Step:
    x = data(4)
    return lambda: (x * 2).to(torch.float16).relu().sum()


@counts()
def assignment_by_a_mask() -> Step:
    x = data(4)

    def step() -> None:
        x[x > 2] = 0

    return step


@counts(device_sync=1)
def wait_for_the_device() -> Step:
    return torch.cuda.synchronize


@counts(stream_sync=1)
def wait_for_a_stream() -> Step:
    return torch.cuda.Stream().synchronize


@counts(event_record=1, event_sync=1)
def wait_for_an_event() -> Step:
    event = torch.cuda.Event()
    event.record()  # CUDA makes an event when it is first recorded

    def step() -> None:
        event.record()
        event.synchronize()

    return step


@counts(event_record=2, event_wait=2)
def side_stream() -> Step:
    x, side = data(4), torch.cuda.Stream()

    def step() -> None:
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            x.mul(2)
        torch.cuda.current_stream().wait_stream(side)

    return step


@counts()
def linear_step() -> Step:
    net, x = nn.Linear(4, 2, device="cuda"), data(3, 4)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)

    def step() -> None:
        optimizer.zero_grad()
        net(x).square().mean().backward()
        optimizer.step()

    return step


@counts(stream_sync=1, copies_d2h=1)
def step_that_prints_its_loss() -> Step:
    net, x = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 2)).cuda(), data(3, 4)
    optimizer = torch.optim.AdamW(net.parameters())

    def step() -> object:
        optimizer.zero_grad()
        loss = net(x).square().mean()
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


@counts()
def clipped_step() -> Step:
    net, x = nn.Linear(4, 2, device="cuda"), data(3, 4)

    def step() -> None:
        net.zero_grad()
        net(x).sum().backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)

    return step


@counts(stream_sync=1, copies_d2h=1)
def scaled_step() -> Step:
    net, x = nn.Linear(4, 2, device="cuda"), data(3, 4)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")

    def step() -> None:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = net(x).float().sum()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()

    return step


@counts()
def words_and_loss() -> Step:
    net, words = nn.Embedding(8, 4, device="cuda"), torch.arange(6, device="cuda") % 4
    return lambda: nn.functional.cross_entropy(net(words), words).backward()


@counts()
def transformer_layer() -> Step:
    net = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True, device="cuda")
    x = data(2, 3, 8)
    return lambda: net(x).sum().backward()


@counts(event_record=4, event_wait=4)
def layer_on_a_side_stream() -> Step:
    w = data(4).requires_grad_()
    side = torch.cuda.Stream()

    def step() -> None:
        h = w * 2
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            y = h.relu()
        torch.cuda.current_stream().wait_stream(side)
        y.sum().backward()

    return step


@counts(stream_sync=1)
def places_of_nonzeros() -> Step:
    return data(4).nonzero


@counts(stream_sync=1)
def choice_by_a_mask() -> Step:
    x = data(4)
    mask = x > 0
    return lambda: x[mask]


@counts(stream_sync=1)
def selection_by_a_mask() -> Step:
    x = data(4)
    mask = x > 0
    return lambda: torch.masked_select(x, mask)


@counts(stream_sync=1, copies_d2h=1)
def equality_of_tensors() -> Step:
    x, y = data(4), data(4)
    return lambda: torch.equal(x, y)


@counts()
def equality_with_itself() -> Step:
    x = data(4)
    return lambda: torch.equal(x, x.view(4))


@counts(stream_sync=1, copies_d2h=1)
def distinct_values() -> Step:
    return data(4).unique


@counts(stream_sync=2, copies_d2h=2)
def repeats_that_a_tensor_says() -> Step:
    x, times = data(4), torch.arange(4, device="cuda")
    return lambda: x.repeat_interleave(times)


@counts(stream_sync=1, copies_h2d=1, copies_pageable=1)
def choice_by_places_on_the_host() -> Step:
    x, places = data(4), torch.tensor([0, 2])
    return lambda: x[places]


@counts(stream_sync=1, copies_h2d=1, copies_pageable=1)
def number_at_places() -> Step:
    x, places = data(4), torch.arange(2, device="cuda")

    def step() -> None:
        x[places] = 0

    return step


@counts(copies_h2d=1, event_record=1)
def choice_by_a_mask_on_the_host() -> Step:
    x, mask = data(4), torch.tensor([True, False, True, False])
    return lambda: x[mask]


@counts(copies_h2d=1, event_record=1)
def chunks_joined() -> Step:
    x, y = data(4, 2), data(4, 3)
    return lambda: torch._chunk_cat([x, y], dim=0, num_chunks=2)
