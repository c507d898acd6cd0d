"""context-instance-in-compiled says what torch does with contexts made in the function and outside of it."""

from __future__ import annotations

import importlib
import linecache
import re

import pytest
import torch
from rule_cases import RUNNING, fix, lint
from torch._dynamo.utils import counters

from overhead_lint.rule import Applicability

RELEASES = importlib.import_module("overhead_lint.rules._releases")
HEADER = """\
import contextlib
import threading
import torch
from torch import nn

class Own:
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        return None

"""
GLOBAL = (
    HEADER + "KEPT = {made}\n@torch.compile\ndef step(x):\n    x = x * 2\n    with KEPT:\n        x = x + 1\n"
)
GLOBAL += "    return x * 3\n"
FRESH = (
    HEADER
    + "@torch.compile\ndef step(x):\n    x = x * 2\n    with {made}:\n        x = x + 1\n    return x * 3\n"
)
ATTRIBUTE = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.{name} = {made}
    def forward(self, x):
        x = x * 2
        with self.{name}:
            x = x + 1
        return x * 3
step = torch.compile(Net())
"""
TRACED_WHEN_FRESH = [
    "torch.no_grad()",
    "torch.enable_grad()",
    "torch.inference_mode()",
    "torch.set_grad_enabled(False)",
]
TRACED_SINCE = {
    RELEASES.OWN_CLASS: "Own()",
    "contextlib.suppress": "contextlib.suppress(ValueError)",
    "contextlib.ExitStack": "contextlib.ExitStack()",
}
NEVER_TRACED = ["threading.Lock()", "threading.RLock()", "torch.device('cpu')"]
ALWAYS_TRACED = ["torch.autocast('cpu')", "contextlib.nullcontext()", "torch.profiler.record_function('a')"]
# The rule tells what torch 2.13 and later do; before, these broke the graph.
BROKE_UNTIL = {"torch.profiler.record_function('a')": (2, 13)}


def breaks(text: str) -> int:
    torch._dynamo.reset()
    counters.clear()
    name = "context_module"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, object] = {"__name__": name}
    exec(compile(text.replace("@torch.compile", "@torch.compile(backend='eager')"), name, "exec"), space)
    function = space["step"]
    assert callable(function)
    function(torch.ones(2))
    return sum(counters["graph_break"].values()) + sum(counters["unimplemented"].values())


@pytest.mark.parametrize("made", TRACED_WHEN_FRESH)
def test_context_that_is_traced_only_where_it_is_made_is_reported(made: str) -> None:
    assert breaks(GLOBAL.format(made=made)) > 0
    assert breaks(FRESH.format(made=made)) == 0
    assert len(lint("OVH312", GLOBAL.format(made=made))) == 1
    assert lint("OVH312", FRESH.format(made=made)) == []


@pytest.mark.parametrize("name", RELEASES.KEPT_SINCE)
def test_context_that_is_traced_since_a_release_is_reported_for_older_ones(name: str) -> None:
    text, since = GLOBAL.format(made=TRACED_SINCE[name]), RELEASES.KEPT_SINCE[name]
    assert breaks(FRESH.format(made=TRACED_SINCE[name])) == 0
    assert bool(lint("OVH312", text, target_torch=RUNNING)) == (breaks(text) > 0)
    (finding,) = lint("OVH312", text, target_torch=(since[0], since[1] - 1))
    assert f"before torch {since[0]}.{since[1]} Dynamo" in finding.message
    assert lint("OVH312", text, target_torch=since) == lint("OVH312", text) == []


@pytest.mark.parametrize("made", NEVER_TRACED)
def test_context_that_is_never_traced_has_a_message(made: str) -> None:
    assert breaks(GLOBAL.format(made=made)) > 0
    (finding,) = lint("OVH312", GLOBAL.format(made=made))
    assert finding.fix is None and "outside" in finding.help


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("made", ALWAYS_TRACED)
def test_context_that_is_traced_anyway_is_not(made: str) -> None:
    assert (breaks(GLOBAL.format(made=made)) > 0) == (BROKE_UNTIL.get(made, RUNNING) > RUNNING)
    assert lint("OVH312", GLOBAL.format(made=made)) == []


@pytest.mark.parametrize(
    ("name", "made"),
    [("_kept", "torch.no_grad()"), ("kept", "torch.no_grad()"), ("_kept", "Own()")],
)
def test_fix_of_an_attribute_is_unsafe(name: str, made: str) -> None:
    text = HEADER + ATTRIBUTE.format(name=name, made=made)
    (finding,) = lint("OVH312", text, target_torch=(2, 13))
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE
    assert f"with {made}:" in fix("OVH312", text, target_torch=(2, 13))


@pytest.mark.parametrize(
    ("made", "applicability"),
    [
        ("torch.no_grad()", Applicability.SAFE),
        ("torch.set_grad_enabled(False)", Applicability.UNSAFE),
        ("Own()", Applicability.UNSAFE),
    ],
)
def test_fix_is_safe_for_modes_of_the_module(made: str, applicability: Applicability) -> None:
    (finding,) = lint("OVH312", GLOBAL.format(made=made), target_torch=(2, 13))
    assert finding.fix is not None and finding.fix.applicability is applicability


@pytest.mark.parametrize("made", ["torch.set_grad_enabled(flag)", "torch.set_grad_enabled(*flags)"])
def test_context_made_with_a_value_has_no_fix(made: str) -> None:
    (finding,) = lint("OVH312", GLOBAL.format(made=made))
    assert finding.fix is None


def test_context_has_no_fix_where_its_name_is_another_one() -> None:
    text = GLOBAL.format(made="torch.no_grad()")
    (finding,) = lint("OVH312", text)
    assert finding.fix is not None
    for shadow in ("torch = 1", "import numpy as torch", "for torch in (1, 2): pass"):
        shadowed = re.sub(r"(\ndef \w+\(.*\):\n)", rf"\1    {shadow}\n", text)
        assert shadowed != text
        (finding,) = lint("OVH312", shadowed)
        assert finding.fix is None


@pytest.mark.parametrize(
    ("does", "applicability"),
    [
        ("x = x + 1", Applicability.SAFE),
        ("x = torch.relu(x)", Applicability.SAFE),
        ("x = step(x)", Applicability.UNSAFE),
        ("x = again(x)", Applicability.UNSAFE),
        ("x = x.apply(step)", Applicability.UNSAFE),
    ],
)
def test_fix_is_unsafe_where_the_block_may_enter_itself(does: str, applicability: Applicability) -> None:
    text = GLOBAL.format(made="torch.no_grad()").replace("x = x + 1", does) + "def again(x): return step(x)\n"
    (finding,) = lint("OVH312", text, target_torch=(2, 13))
    assert finding.fix is not None and finding.fix.applicability is applicability
