"""How many events the autograd engine needs for streams that meet in a backward pass.

The engine runs each node on the stream of its forward operator. The rule since
https://github.com/pytorch/pytorch/pull/157503: a gradient that passes between two streams costs one
event, recorded on the one and waited for on the other; a gradient that stays on its stream costs none.
It may pass

- from the root gradient, made on the stream that backward was called on, to the root's node;
- along an edge of the graph, from one node to the next;
- to a leaf, whose gradient is accumulated on the stream where the leaf was first used;
- at the end from each stream that leaves were accumulated on to the caller's current stream.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
import torch
from torch.utils.checkpoint import checkpoint

from overhead_lint.probes.events_probe import EventsProbe

EVENTS = frozenset({"event_create", "event_record", "event_wait"})
Backward = Callable[[], object]


class Case(NamedTuple):
    build: Callable[[], Backward]
    events: int
    why: str


CASES: list[Case] = []


def case(events: int, why: str) -> Callable[[Callable[[], Backward]], Callable[[], Backward]]:
    """Register a function that runs a forward pass and returns its backward pass."""

    def register(build: Callable[[], Backward]) -> Callable[[], Backward]:
        CASES.append(Case(build, events, why))
        return build

    return register


def leaf() -> torch.Tensor:
    return torch.ones(4, device="cuda", requires_grad=True)


def side_stream() -> torch.cuda.Stream:
    """A stream that has waited for all that the current one has been given."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    return stream


def join(stream: torch.cuda.Stream) -> None:
    torch.cuda.current_stream().wait_stream(stream)


def accumulator(tensor: torch.Tensor) -> object:
    """Make the leaf's gradient accumulator now, on the current stream; it lives while this is kept."""
    return tensor.view_as(tensor).grad_fn


def clear_gradient(w: torch.Tensor) -> None:
    assert w.grad is not None
    w.grad.zero_()


def middle_on_side(w: torch.Tensor) -> torch.Tensor:
    h = w * 2
    side = side_stream()
    with torch.cuda.stream(side):
        y = h.relu()
    join(side)
    return y.sum()


@case(0, "one stream")
def single_stream() -> Backward:
    return ((leaf() * 2).relu() ** 2).sum().backward


@case(0, "one stream, though not the default one")
def all_on_one_side_stream() -> Backward:
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        loss = (leaf() * 2).sum()

    def backward() -> None:
        with torch.cuda.stream(side):
            loss.backward()

    return backward


@case(2, "root to its node on the side stream; at the end the leaf's stream to the caller's")
def forward_on_side_backward_on_default() -> Backward:
    w, side = leaf(), side_stream()
    with torch.cuda.stream(side):
        loss = (w * 2).relu().sum()
    join(side)
    return loss.backward


@case(2, "root to its node on the default stream; at the end the leaf's stream to the caller's")
def forward_on_default_backward_on_side() -> Backward:
    loss = (leaf() * 2).relu().sum()
    side = side_stream()

    def backward() -> None:
        with torch.cuda.stream(side):
            loss.backward()

    return backward


@case(2, "sum to relu and relu to mul")
def middle_layer_on_side() -> Backward:
    return middle_on_side(leaf()).backward


@case(2, "root to sum and sum to mul")
def last_layer_on_side() -> Backward:
    h = leaf() * 2
    side = side_stream()
    with torch.cuda.stream(side):
        loss = h.sum()
    join(side)
    return loss.backward


@case(2, "sum to mul; at the end the leaf's stream to the caller's")
def first_layer_on_side() -> Backward:
    w, side = leaf(), side_stream()
    with torch.cuda.stream(side):
        h = w * 2
    join(side)
    return h.sum().backward


@case(2, "sum to mul and mul to the leaf, which was first used on the default stream")
def leaf_made_on_default_used_on_side() -> Backward:
    w = leaf()
    keep = accumulator(w)
    side = side_stream()
    with torch.cuda.stream(side):
        h = w * 2
    join(side)
    loss = h.sum()
    return lambda: (loss.backward(), keep)


@case(2, "mul to the leaf, which was first used on the side stream; at the end back")
def leaf_made_on_side_used_on_default() -> Backward:
    w = leaf()
    with torch.cuda.stream(torch.cuda.Stream()):
        keep = accumulator(w)
    loss = (w * 2).sum()
    return lambda: (loss.backward(), keep)


@case(2, "add to the side stream's sum, and its mul to the leaf")
def leaf_used_on_two_streams() -> Backward:
    w = leaf()
    keep = accumulator(w)
    side = side_stream()
    a = (w * 2).sum()
    with torch.cuda.stream(side):
        b = (w * 3).sum()
    join(side)
    loss = a + b
    return lambda: (loss.backward(), keep)


@case(2, "to the side stream's mul, and back to where both gradients are added")
def tensor_used_on_two_streams() -> Backward:
    h = leaf() * 1
    side = side_stream()
    a = h * 2
    with torch.cuda.stream(side):
        b = h * 3
    join(side)
    return (a + b).sum().backward


@case(4, "to each of two side streams and back")
def tensor_used_on_three_streams() -> Backward:
    h = leaf() * 1
    one, two = side_stream(), side_stream()
    a = h * 2
    with torch.cuda.stream(one):
        b = h * 3
    with torch.cuda.stream(two):
        c = h * 4
    join(one)
    join(two)
    return (a + b + c).sum().backward


@case(3, "sum to mul, and mul to each of two leaves")
def two_leaves_used_on_side() -> Backward:
    w, v = leaf(), leaf()
    keep = accumulator(w), accumulator(v)
    side = side_stream()
    with torch.cuda.stream(side):
        h = w * v
    join(side)
    loss = h.sum()
    return lambda: (loss.backward(), keep)


@case(3, "square to addmm, addmm to the first layer; at the end the stream of the side layer's leaves")
def two_stream_model() -> Backward:
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2)).cuda()
    h = model[0](torch.randn(3, 4, device="cuda"))
    side = side_stream()
    with torch.cuda.stream(side):
        y: torch.Tensor = model[2](model[1](h))
    join(side)
    return y.square().sum().backward


@case(4, "two for each of two backward passes over a retained graph")
def retained_graph_twice() -> Backward:
    loss = middle_on_side(leaf())
    return lambda: (loss.backward(retain_graph=True), loss.backward())


@case(2, "hooks run where their node runs")
def hooks_on_leaf_and_tensor() -> Backward:
    w = leaf()
    w.register_hook(lambda g: g * 2)
    w.register_post_accumulate_grad_hook(lambda p: None)
    h = w * 2
    h.register_hook(lambda g: g + 1)
    side = side_stream()
    with torch.cuda.stream(side):
        y = h.relu()
    join(side)
    return y.sum().backward


@case(2, "sum to relu and relu to mul; nothing is accumulated")
def gradient_without_accumulation() -> Backward:
    w = leaf()
    loss = middle_on_side(w)
    return lambda: torch.autograd.grad(loss, w)


@case(0, "one stream, twice")
def gradient_accumulation() -> Backward:
    w = leaf()
    return lambda: [(w * 2).sum().backward() for _ in range(2)]


@case(0, "one stream, also in the graph of the gradient")
def double_backward() -> Backward:
    w = leaf()
    loss = (w**3).sum()
    return lambda: torch.autograd.grad(loss, w, create_graph=True)[0].sum().backward()


@case(0, "one stream: what is recomputed runs on it too")
def checkpointed() -> Backward:
    y: torch.Tensor = checkpoint(lambda x: (x * 2).relu(), leaf(), use_reentrant=False)
    return y.sum().backward


@case(0, "one stream: what is recomputed runs on it too")
def checkpointed_reentrant() -> Backward:
    y: torch.Tensor = checkpoint(lambda x: (x * 2).relu(), leaf(), use_reentrant=True)
    return y.sum().backward


@case(0, "where a leaf was first used counts, and not where its memory comes from")
def leaf_allocated_on_side_used_on_default() -> Backward:
    with torch.cuda.stream(torch.cuda.Stream()):
        w = leaf()
    return (w * 2).sum().backward


@case(2, "root to the side stream's sum, and its mul to the leaf")
def two_roots_on_two_streams() -> Backward:
    w = leaf()
    keep = accumulator(w)
    side = side_stream()
    a = (w * 2).sum()
    with torch.cuda.stream(side):
        b = (w * 3).sum()
    join(side)

    def backward() -> object:
        torch.autograd.backward([a, b])
        return keep

    return backward


@case(4, "sum to relu and relu to mul, for each of two passes that add to the same gradient")
def gradient_accumulation_with_a_layer_on_side() -> Backward:
    w = leaf()
    losses = [middle_on_side(w), middle_on_side(w)]

    def backward() -> None:
        for loss in losses:
            loss.backward()

    return backward


@case(0, "a hook does not change streams, although it makes operators of its own")
def hooks_on_one_stream() -> Backward:
    w = leaf()
    w.register_hook(lambda g: g * 2)
    w.register_post_accumulate_grad_hook(clear_gradient)
    h = w * 2
    h.register_hook(lambda g: g + 1)
    return h.sum().backward


@case(
    4,
    "two in the first pass; in the second to the side stream, where pow's backward made its nodes, and back",
)
def double_backward_with_a_layer_on_side() -> Backward:
    w = leaf()
    h = w * 2
    side = side_stream()
    with torch.cuda.stream(side):
        y = h**3
    join(side)
    loss = y.sum()
    return lambda: torch.autograd.grad(loss, w, create_graph=True)[0].sum().backward()


@case(2, "sum to relu, and mul to the leaf that is asked for; the frozen tensor's mul has no node")
def frozen_leaf_before_a_layer_on_side() -> Backward:
    h = torch.ones(4, device="cuda") * 2
    v = leaf()
    keep = accumulator(v)
    side = side_stream()
    with torch.cuda.stream(side):
        y = (h * v).relu()
    join(side)
    loss = y.sum()
    return lambda: (torch.autograd.grad(loss, v), keep)


@case(0, "a copy to the host waits for the stream, and needs no event")
def loss_on_the_host() -> Backward:
    return (leaf() * 2).cpu().sum().backward


@case(0, "a copy from the host waits for the stream, and needs no event")
def leaf_on_the_host() -> Backward:
    return (torch.ones(4, requires_grad=True).cuda() * 2).sum().backward


@case(3, "one edge between the devices, and the copy itself makes either device wait for the other")
def two_devices_meet() -> Backward:
    return ((leaf() * 2).to("cuda:1") * 3).sum().backward


@pytest.mark.parametrize("case", CASES, ids=[c.build.__name__ for c in CASES])
def test_backward_records_one_event_for_each_gradient_between_streams(two_devices: None, case: Case) -> None:
    backward = case.build()
    probe = EventsProbe(attribute=False)
    probe.start(EVENTS)
    backward()
    counts = probe.stop().values
    assert counts == dict.fromkeys(EVENTS, case.events), case.why


def test_events_of_every_combination_of_streams_follow_from_the_rule(one_device: None) -> None:
    """A leaf, an operator on it and one on that, each on one of three streams, and backward on one, too."""
    streams = [torch.cuda.current_stream(), torch.cuda.Stream(), torch.cuda.Stream()]
    wrong = {}
    for leaf_on, producer, consumer, backward in itertools.product(range(3), repeat=4):
        w = leaf()
        with torch.cuda.stream(streams[leaf_on]):
            keep = accumulator(w)
        with torch.cuda.stream(streams[producer]):
            h = w * 2
        with torch.cuda.stream(streams[consumer]):
            loss = h.sum()
        probe = EventsProbe(attribute=False)
        with torch.cuda.stream(streams[backward]):
            probe.start(EVENTS)
            loss.backward()
            counts = probe.stop().values
        del keep
        path = (backward, consumer, producer, leaf_on, backward)
        implied = sum(one != other for one, other in itertools.pairwise(path))
        if counts != dict.fromkeys(EVENTS, implied):
            wrong[path] = counts, implied
    assert not wrong


def test_forward_on_two_streams_records_an_event_for_each_wait_stream(one_device: None) -> None:
    probe = EventsProbe(attribute=False)
    w = leaf()
    probe.start(EVENTS)
    middle_on_side(w)
    assert probe.stop().values == {"event_create": 2, "event_record": 2, "event_wait": 2}


def test_counts_are_the_same_three_hundred_times(one_device: None) -> None:
    for _ in range(300):
        loss = middle_on_side(leaf())
        probe = EventsProbe(attribute=False)
        probe.start(EVENTS)
        loss.backward()
        assert probe.stop().values == {"event_create": 2, "event_record": 2, "event_wait": 2}


def test_the_documentation_holds_the_same_table() -> None:
    page = (Path(__file__).parents[2] / "docs" / "events.md").read_text(encoding="utf-8")
    for c in CASES:
        assert f"| {c.build.__name__.replace('_', ' ')} | {c.events} | {c.why} |\n" in page
