"""OVH401 and OVH402: which streams may be one, and events that a pool can give."""

from __future__ import annotations

import pytest
from rule_cases import fix, lines, lint
from stream_cases import streams

from overhead_lint.rule import Applicability


@pytest.mark.parametrize(
    ("body", "applicability"),
    [
        ("torch.cuda.current_stream().wait_stream(stream)", Applicability.SAFE),
        ("stream.wait_stream(torch.cuda.default_stream())", Applicability.SAFE),
        ("now = torch.cuda.current_stream()\nnow.wait_stream(stream)", Applicability.SAFE),
        ("torch.cuda.current_stream().wait_stream(other)", Applicability.UNSAFE),
        ("stream = wrap(stream)\ntorch.cuda.current_stream().wait_stream(stream)", Applicability.UNSAFE),
        ("for stream in x:\n    torch.cuda.current_stream().wait_stream(stream)", Applicability.UNSAFE),
        ("s = other or torch.cuda.current_stream()\nstream.wait_stream(s)", Applicability.UNSAFE),
        ("torch.cuda.current_stream().wait_stream(torch.cuda.current_stream())", Applicability.SAFE),
        ("s = x[0] if x else torch.cuda.current_stream()\nstream.wait_stream(s)", Applicability.UNSAFE),
        ("s = None or torch.cuda.current_stream()\nstream.wait_stream(s)", Applicability.SAFE),
        (
            "if stream is None: stream = torch.cuda.current_stream()\n"
            "torch.cuda.current_stream().wait_stream(stream)",
            Applicability.SAFE,
        ),
        (
            "if other is None: other = torch.cuda.current_stream()\n"
            "torch.cuda.current_stream().wait_stream(other)",
            Applicability.UNSAFE,
        ),
        *(
            (
                f"s = torch.cuda.current_stream()\n{bound}\ntorch.cuda.current_stream().wait_stream(s)",
                Applicability.UNSAFE,
            )
            for bound in (
                "if (s := other): pass",
                "for s in other: pass",
                "with other as s: pass",
                "s, t = other",
                "s: object = other",
                "import other as s",
                "try: pass\nexcept OSError as s: pass",
            )
        ),
    ],
)
def test_wait_between_streams_that_may_be_one_is_fixed(body: str, applicability: Applicability) -> None:
    (finding,) = lint("OVH401", streams(body))
    assert finding.fix is not None
    assert finding.fix.applicability is applicability


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("self.event.record(stream)\ntorch.cuda.current_stream().wait_event(self.event)", [11]),
        ("self.event.record(torch.cuda.current_stream())\nself.event.wait(other)", [11]),
        ("self.event.record(stream)\nself.event.wait(other)", []),
        ("self.event.record()\nstream.wait_event(self.event)", [11]),
        ("self.event.record(stream)\nself.event.wait()", [11]),
        ("self.event.record()\nself.event.wait()", [11]),
        ("self.timer.record()\nself.timer.wait()", []),
        ("self.event.record(stream)\nself.event.synchronize()", []),
        ("self.event.record(stream)\nif stream != other:\n    other.wait_event(self.event)", []),
        ("self.event.record(stream)\nself.second.wait(other)", []),
        ("with torch.cuda.stream(stream):\n    self.event.record()\nself.event.wait()", []),
    ],
)
def test_recorded_event_is_seen_where_the_waiting_stream_may_be_the_same(body: str, found: list[int]) -> None:
    result = lint("OVH401", streams(body))
    assert [finding.span.line for finding in result] == found
    assert all(finding.fix is None for finding in result)


def test_streams_that_wait_for_each_other_are_reported_once() -> None:
    text = streams("self.side.wait_stream(other)\nother.wait_stream(self.side)\nreturn x")
    assert lines("OVH401", text) == [11]
    apart = streams("self.side.wait_stream(other)\nx = x + 1\nother.wait_stream(self.side)\nreturn x")
    assert lines("OVH401", apart) == []
    others = streams("stream.wait_stream(self.side)\nother.wait_stream(stream)\nreturn x")
    assert lines("OVH401", others) == []


def test_event_between_parameters_is_reported_where_a_call_gives_them_one_stream() -> None:
    order = """\
import torch

def order(consumer, producer):
    event = torch.cuda.Event()
    event.record(producer)
    consumer.wait_event(event)

class Net(torch.nn.Module):
    def forward(self, x):
        order(torch.cuda.current_stream(), GIVEN)
        return x
"""
    assert lines("OVH401", order.replace("GIVEN", "torch.cuda.current_stream()")) == [6]
    assert lines("OVH401", order.replace("GIVEN", "torch.cuda.Stream()")) == []


def test_two_streams_that_callers_give_are_not_reported() -> None:
    assert lint("OVH401", streams("other.wait_stream(stream)")) == []


def test_attribute_that_is_the_current_stream_in_one_branch_is_reported() -> None:
    text = streams(
        "self.copy.wait_stream(torch.cuda.current_stream())",
        init="self.copy = torch.cuda.current_stream()\nif make():\n    self.copy = torch.cuda.Stream()",
    )
    (finding,) = lint("OVH401", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.SAFE


@pytest.mark.parametrize(
    ("init", "after", "applicability"),
    [
        ("", "", Applicability.SAFE),
        ("self.copy, self.other = make()", "", Applicability.UNSAFE),
        ("", "def give(net): net.copy = make()", Applicability.UNSAFE),
        ("", "setattr(Net(), 'copy', make())", Applicability.UNSAFE),
        ("", "class Own(Net):\n    def __init__(self): self.copy = make()", Applicability.UNSAFE),
        ("", "class Other:\n    def __init__(self): self.copy = make()", Applicability.SAFE),
        ("", "class Own(torch.cuda.Stream): pass", Applicability.UNSAFE),
    ],
)
def test_fix_is_unsafe_where_the_file_may_put_something_else_into_an_attribute(
    init: str, after: str, applicability: Applicability
) -> None:
    text = streams(
        "self.copy.wait_stream(torch.cuda.current_stream())",
        init=f"self.copy = torch.cuda.current_stream()\n{init}",
    )
    (finding,) = lint("OVH401", f"{text}\n{after}\n")
    assert finding.fix is not None and finding.fix.applicability is applicability


def test_names_bound_in_a_circle_do_not_hang() -> None:
    circle = "if x:\n    s = t\nelse:\n    s = u\nif x:\n    t = s\nelse:\n    t = u\n"
    assert lint("OVH401", streams(circle + "s.wait_stream(torch.cuda.current_stream())")) == []


def test_stream_that_waits_for_itself_in_its_own_block_gets_a_message() -> None:
    text = streams("with torch.cuda.stream(stream):\n    stream.wait_stream(torch.cuda.current_stream())")
    (finding,) = lint("OVH401", text)
    assert "waits for itself" in finding.message
    assert finding.fix is None


def test_own_stream_that_is_entered_and_waits_for_the_current_one_is_reported() -> None:
    text = streams(
        "with torch.cuda.stream(self.side):\n    self.side.wait_stream(torch.cuda.current_stream())",
        init="self.side = torch.cuda.Stream()",
    )
    assert lines("OVH401", text) == [11]


def test_wait_in_compiled_code_is_not_fixed_safely() -> None:
    text = streams("torch.cuda.current_stream().wait_stream(stream)")
    (finding,) = lint("OVH401", text.replace("    def forward", "    @torch.compile\n    def forward"))
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE


@pytest.mark.parametrize(
    ("body", "found", "fixed"),
    [
        ("e = torch.cuda.Event()\ne.record(stream)\ne.wait(other)", 1, True),
        ("e = torch.cuda.Event()\ne.record(stream)\nother.wait_event(e)\ny = x\nreturn y", 1, True),
        ("e = torch.cuda.Event()\ne.record(stream)\nother.wait_event(e)\nreturn e", 1, False),
        ("e = torch.cuda.Event()\ne.record(stream)\nif x is None:\n    e.wait()", 1, False),
        ("e = torch.cuda.Event()\ne.record(stream)\nif x is None:\n    return x\ne.wait()", 1, False),
        ("e = torch.cuda.Event()\ne.record(stream)\ne.synchronize()", 1, False),
        ("e = torch.cuda.Event()", 1, False),
        ("e = torch.cuda.Event(False)\ne.record(stream)\ne.wait()", 1, False),
        ("e = torch.cuda.Event(**x)\ne.record(stream)\ne.wait()", 1, False),
        ("e = torch.cuda.Event(blocking=True)\ne.record(stream)\ne.wait()", 0, False),
        ("e = torch.Event()\ne.record(stream)\ne.wait()", 1, False),
        ("_EVENTS = []\ne = torch.cuda.Event()\ne.record(stream)\ne.wait()", 1, False),
        ("global e\ne = torch.cuda.Event()\ne.record(stream)\ne.wait()", 1, False),
        ("self.last = torch.cuda.Event()", 1, False),
        ("side = torch.cuda.Stream()", 1, False),
        ("e = torch.cuda.Event(enable_timing=True)", 0, False),
        ("e = torch.cuda.Event()\nt = e.elapsed_time(other)", 0, False),
    ],
)
def test_event_of_a_step_comes_from_a_pool_if_it_stays_in_its_block(
    body: str, found: int, fixed: bool
) -> None:
    result = lint("OVH402", streams(body))
    assert len(result) == found
    assert [item.fix is not None for item in result] == [fixed] * found


def test_two_events_share_one_pool() -> None:
    body = "{e} = torch.cuda.Event()\n{e}.record(stream)\n{e}.wait(other)\n"
    after = fix("OVH402", streams(body.format(e="first") + body.format(e="second")))
    assert after.count("runtime.EventPool()") == 1
    assert after.count("_EVENTS.acquire()") == after.count("_EVENTS.release(") == 2


HANDED_ON = """
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, size, alt_stream: torch.cuda.Stream | None = None):
        super().__init__()
        self.alt_stream = alt_stream
        self.lin = nn.Linear(size, size)

    def forward(self, x):
        if self.alt_stream is not None:
            now = torch.cuda.current_stream()
            self.alt_stream.wait_stream(now)
            with torch.cuda.stream(self.alt_stream):
                y = self.lin(x)
            now.wait_stream(self.alt_stream)
            return y
        return self.lin(x)

class Layer(nn.Module):
    def __init__(self, size, alt_stream=None):
        super().__init__()
        self.block = Block(size, {given})

    def forward(self, x):
        return self.block(x)

class Model(nn.Module):
    def __init__(self, size, on):
        super().__init__()
        self.alt_stream = {made}
        self.layers = nn.ModuleList([Layer(size, alt_stream=self.alt_stream) for _ in range(3)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
"""


@pytest.mark.parametrize("given", ["alt_stream", "alt_stream=alt_stream"])
@pytest.mark.parametrize(
    ("made", "found"),
    [
        ("torch.cuda.Stream()", 0),
        ("torch.cuda.Stream() if on else None", 0),
        ("torch.cuda.current_stream()", 2),
        ("on or torch.cuda.current_stream()", 2),
        ("on", 2),
    ],
)
def test_stream_that_a_model_makes_for_its_layers_is_no_other(given: str, made: str, found: int) -> None:
    assert len(lint("OVH401", HANDED_ON.format(given=given, made=made))) == found


@pytest.mark.parametrize(("made", "found"), [("torch.cuda.Stream()", 0), ("torch.cuda.current_stream()", 2)])
def test_stream_that_a_model_makes_where_it_is_given_none_is_its_own(made: str, found: int) -> None:
    default = f"if alt_stream is None:\n            alt_stream = {made}\n        self.alt_stream = alt_stream"
    text = HANDED_ON.replace("(self, size, on)", "(self, size, alt_stream=None)")
    text = text.replace("self.alt_stream = {made}", default)
    assert default in text and len(lint("OVH401", text.format(given="alt_stream=alt_stream"))) == found


@pytest.mark.parametrize(
    "block",
    [
        "self.block = (lambda width: Block(width, alt_stream=alt_stream))(size)",
        "self.alt_stream = alt_stream\n        self.block = Block(size, alt_stream=self.alt_stream)",
    ],
)
def test_stream_is_handed_on_by_lambdas_and_attributes_too(block: str) -> None:
    text = HANDED_ON.replace("self.block = Block(size, {given})", block)
    assert block in text
    assert lint("OVH401", text.format(made="torch.cuda.Stream()")) == []
    assert len(lint("OVH401", text.format(made="torch.cuda.current_stream()"))) == 2


def test_stream_that_other_files_hand_on_under_its_name_is_told_by_who_makes_it() -> None:
    layers = HANDED_ON[: HANDED_ON.index("class Layer")]
    made = "class Model(Base):\n    def __init__(self, size):\n        alt_stream = {}\n"
    made += "        super().__init__(size, layer=Block, alt_stream=alt_stream)\n"
    assert lint("OVH401", layers + made.format("torch.cuda.Stream()")) == []
    assert len(lint("OVH401", layers + made.format("torch.cuda.current_stream()"))) == 2


SIDE = """
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, PARAMETER):
        super().__init__()
        self.side = side
        self.first, self.second = nn.Linear(2, 2), nn.Linear(2, 2)

    def forward(self, x, overlap: bool):
        if TEST:
            current = torch.cuda.current_stream()
            self.side.wait_stream(current)
            y = self.first(x)
            with torch.cuda.stream(self.side):
                x = self.second(x)
            current.wait_stream(self.side)
            return x + y
        return x
"""


@pytest.mark.parametrize(
    ("parameter", "test", "number"),
    [
        ("side: torch.cuda.Stream | None = None", "self.side is not None", 0),
        ("side=None", "overlap and self.side is not None", 0),
        ("*, side=None", "self.side is not None", 0),
        ("side=None", "overlap", 2),
        ("side=None", "self.side is None", 2),
        ("side", "self.side is not None", 2),
        ("side: torch.cuda.Stream", "overlap", 2),
    ],
)
def test_who_has_no_side_stream_gives_none_where_the_code_asks(
    parameter: str, test: str, number: int
) -> None:
    assert len(lint("OVH401", SIDE.replace("PARAMETER", parameter).replace("TEST", test))) == number
