"""Each counted thing is laid to a source line: in backward that of the forward operator."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from overhead_lint.probes import measure
from overhead_lint.probes.api import Cause, Reading
from overhead_lint.probes.events_probe import METRICS, EventsProbe

from .device_cases import line_of

ALL = frozenset(metric.name for metric in METRICS)


def measured(block: Callable[[], object]) -> Reading:
    probe = EventsProbe()
    probe.start(ALL)
    block()
    return probe.stop()


def test_item_is_one_stream_sync_at_its_line(one_device: None) -> None:
    x = torch.ones(4, device="cuda")

    def block() -> None:
        y = x * 2
        y.sum().item()

    reading = measured(block)
    assert reading.values["stream_sync"] == 1
    at = line_of(block, ".item()")
    assert reading.causes["stream_sync"] == (Cause(1, __file__, at, "forward", (("item", 1),)),)
    assert reading.causes["stream_sync"][0].told() == "forward (item)"


def test_what_waits_is_the_operator_that_python_called(one_device: None) -> None:
    x = torch.ones(4, device="cuda", requires_grad=True)

    def block() -> None:
        y = x[x > 0].relu() if x.sum() > 0 else x
        with contextlib.suppress(RuntimeError):
            torch.mm(x, x)  # an operator that throws is left, too
        torch.cuda.current_stream().synchronize()
        y.sum().backward()

    reading = measured(block)
    found = {(c.line, c.label): c for c in reading.causes["stream_sync"]}
    first = line_of(block, "x.sum() > 0")
    assert found[first, "forward"].operators == (("index", 1), ("is_nonzero", 1))
    assert found[first, "forward"].told() == "forward (1 index, 1 is_nonzero)"
    assert found[line_of(block, ".synchronize()"), "forward"].operators == ()
    assert found[first, "backward of IndexBackward0"].operators == (("_index_put_impl_", 1),)


def test_of_many_operators_the_commonest_are_told() -> None:
    operators = (("add", 5), ("mul", 3), ("t", 2), ("mm", 1), ("relu", 1), ("sum", 1))
    assert Cause(13, "x.py", 1, "forward", operators).told() == "forward (5 add, 3 mul, 2 t, 1 mm, 2 more)"
    assert Cause(2, "x.py", 1, "forward", (("add", 1),)).told() == "forward (1 add)"


def test_moments_come_in_the_order_of_time_and_only_those_of_the_block(one_device: None) -> None:
    x = torch.ones(4, device="cuda")

    def block() -> None:
        event = torch.cuda.Event()
        event.record()
        x.sum().item()
        event.synchronize()

    outer = EventsProbe()
    outer.start(ALL)
    x.sum().item()
    reading = measured(block)
    whole = outer.stop()
    lines = [line_of(block, text) for text in ("event.record()", ".item()", "event.synchronize()")]
    moments = [one for one in reading.moments if one.metric != "device_sync"]
    assert [(one.metric, one.path, one.line) for one in moments] == [
        ("event_record", __file__, lines[0]),
        ("stream_sync", __file__, lines[1]),
        ("event_sync", __file__, lines[2]),
    ]
    assert 0 <= moments[0].at <= moments[1].at <= moments[2].at
    assert [one.metric for one in whole.moments].count("stream_sync") == 2


def test_moments_are_bounded(one_device: None) -> None:
    event = torch.cuda.Event()
    reading = measured(lambda: [event.record() for _ in range(2100)])
    assert reading.values["event_record"] == 2100
    assert len(reading.moments) == 2000


def test_backward_events_lie_at_the_forward_lines(one_device: None) -> None:
    w = torch.ones(4, device="cuda", requires_grad=True)

    def block() -> None:
        h = w * 2
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            y = h.relu()
        torch.cuda.current_stream().wait_stream(side)
        y.sum().backward()

    reading = measured(block)
    assert reading.values["event_wait"] == 4
    assert {(c.label, c.line, c.amount) for c in reading.causes["event_wait"]} == {
        ("forward", line_of(block, "side.wait_stream"), 1),
        ("forward", line_of(block, ").wait_stream(side)"), 1),
        ("backward of ReluBackward0", line_of(block, "h.relu()"), 1),
        ("backward of MulBackward0", line_of(block, "w * 2"), 1),
    }
    assert all(c.path == __file__ for c in reading.causes["event_wait"])


@pytest.mark.filterwarnings("ignore:The AccumulateGrad node's stream")
def test_accumulated_gradient_is_named_after_its_parameter_and_the_end_after_the_engine(
    one_device: None,
) -> None:
    layer = torch.nn.Linear(4, 2, bias=False)
    model = torch.nn.Sequential(layer).cuda()
    x = torch.randn(3, 4, device="cuda")
    with torch.cuda.stream(torch.cuda.Stream()):
        keep = layer.weight.view_as(layer.weight).grad_fn

    def block() -> None:
        model(x).sum().backward()

    reading = measured(block)
    assert keep is not None
    assert reading.values["event_wait"] == 2
    assert {(c.label, c.line) for c in reading.causes["event_wait"]} == {
        ("gradient of 0.weight", line_of(block, ".backward()")),
        ("engine", line_of(block, ".backward()")),
    }


def test_modules_that_cannot_name_their_parameters_are_passed_over(one_device: None) -> None:
    class Begun(torch.nn.Module):
        def __init__(self) -> None:
            self.layer = torch.nn.Linear(4, 2)  # before super().__init__(): raises

    class Refusing(torch.nn.Module):
        def named_parameters(self, *args: Any, **kwargs: Any) -> Iterator[tuple[str, torch.nn.Parameter]]:
            raise RuntimeError("not here yet")

    with pytest.raises(AttributeError) as kept_by_its_error:
        Begun()
    refusing, layer = Refusing(), torch.nn.Linear(4, 2, bias=False)
    with measure(["autograd_nodes"]) as m:
        layer(torch.ones(3, 4)).sum().backward()
    assert refusing is not None
    assert kept_by_its_error is not None
    assert "gradient of weight" in {cause.label for cause in m.causes["autograd_nodes"]}


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_every_node_of_a_graph_from_before_lies_at_the_line_of_backward(
    one_device: None, device: str
) -> None:
    w = torch.ones(4, device=device, requires_grad=True)
    loss = (w * 2).sum()

    def block() -> None:
        loss.backward()

    with measure(["autograd_nodes"]) as m:
        block()
    assert m.values == {"autograd_nodes": 3}
    line = line_of(block, ".backward()")
    assert {(c.path, c.line, c.label) for c in m.causes["autograd_nodes"]} == {
        (__file__, line, "backward of SumBackward0, whose forward line is not known"),
        (__file__, line, "backward of MulBackward0, whose forward line is not known"),
        (__file__, line, "gradient of a leaf tensor of shape (4,)"),
    }


def test_python_code_in_backward_has_its_own_line(one_device: None) -> None:
    class Reads(torch.autograd.Function):
        @staticmethod
        def forward(ctx: object, x: torch.Tensor) -> torch.Tensor:
            return x.clone()

        @staticmethod
        def backward(ctx: object, *grads: torch.Tensor) -> torch.Tensor:
            grads[0].sum().item()
            return grads[0]

    w = torch.ones(4, device="cuda", requires_grad=True)

    def block() -> None:
        y: torch.Tensor = Reads.apply(w)  # type: ignore[no-untyped-call]
        y.sum().backward()

    reading = measured(block)
    (cause,) = reading.causes["stream_sync"]
    assert cause.line == line_of(Reads.backward, ".item()")
    assert cause.label == "Python code in backward of ReadsBackward"


def test_causes_add_up_to_the_value_and_repeat(one_device: None) -> None:
    def block() -> None:
        w = torch.ones(4, device="cuda", requires_grad=True)
        side = torch.cuda.Stream()
        for _ in range(3):
            with torch.cuda.stream(side):
                h = (w * 2).relu()
            torch.cuda.current_stream().wait_stream(side)
            h.sum().backward()
        torch.cuda.synchronize()

    first, second = measured(block), measured(block)
    assert (first.values, first.causes) == (second.values, second.causes)
    for metric, value in first.values.items():
        assert sum(c.amount for c in first.causes[metric]) == value, metric


def test_nested_probes_count_for_themselves(one_device: None) -> None:
    x = torch.ones(2, device="cuda")
    outer = EventsProbe()
    outer.start(ALL)
    x.sum().item()
    inner = EventsProbe()
    inner.start(frozenset({"stream_sync"}))
    x.sum().item()
    read = inner.stop()
    assert read.values == {"stream_sync": 1}
    assert [c.amount for c in read.causes["stream_sync"]] == [1]
    x.sum().item()
    whole = outer.stop()
    assert whole.values["stream_sync"] == 3
    assert sum(c.amount for c in whole.causes["stream_sync"]) == 3


def test_attribution_leaves_counts_as_they_are(one_device: None) -> None:
    def counts(attribute: bool) -> dict[str, float]:
        torch.manual_seed(0)
        model = torch.nn.Linear(4, 2).cuda()
        probe = EventsProbe(attribute=attribute)
        probe.start(ALL)
        with torch.cuda.stream(torch.cuda.Stream()):
            model(torch.ones(1, 4, device="cuda")).sum().backward()
        return dict(probe.stop().values)

    assert counts(True) == counts(False)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_torch_compile_is_not_disturbed_by_attribution(one_device: None) -> None:
    torch._dynamo.reset()
    compiled = torch.compile(lambda x: (x * 2).relu(), backend="eager", fullgraph=True)
    x = torch.ones(4, device="cuda", requires_grad=True)
    compiled(x)
    before = dict(torch._dynamo.utils.counters["stats"])
    reading = measured(lambda: compiled(x).sum().backward())
    assert dict(torch._dynamo.utils.counters["stats"]) == before
    assert reading.values["event_record"] == 0
