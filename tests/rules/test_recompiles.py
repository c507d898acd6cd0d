"""counter-in-forward says what torch does: 12 calls of each forward are compiled, counted, and linted."""

from __future__ import annotations

import linecache
import textwrap

import pytest
import torch
from rule_cases import forward, lint

CALLS = 12
INIT = """\
self.n = 0
self.x = 0.0
self.s = ""
self.flag = False
self.items = []
self.counts = {"calls": 0}
self.more = {**self.counts, "more": 0}
self.kept = None
self.register_buffer("buffer", torch.zeros(()))"""

EACH_CALL = [
    "self.n += 1",
    "self.n = self.n + 1",
    "self.n = 1 + self.n",
    "self.n -= 2",
    "self.s += 'a'",
    "self.s = self.s + 'a'",
    "self.items.append(1)",
    "self.items.append(x)",
    "self.counts['calls'] += 1",
    "self.more['more'] += 1",
]
SELDOM = [
    "self.x += 0.5",
    "self.flag = not self.flag",
    "self.flag = True",
    "self.n = x.shape[0]",
    "self.n += 0",
    "self.kept = x * 2",
    "self.kept = x.shape",
    "self.buffer += 1",
    "self.buffer.add_(1)",
    "self.items = []\nself.items.append(x)",
    "self.items.append(1)\nself.items.clear()",
    "n = 0\nn += 1",
]


def module(line: str) -> str:
    return forward(f"{line}\nreturn x + 1", init=INIT) + "\n\nnet = Net()\ncompiled = torch.compile(net)\n"


def compilations(text: str) -> int:
    """How often calling what the module calls `net`, compiled, compiles it."""
    torch._dynamo.reset()
    compiled = []

    def backend(graph: torch.fx.GraphModule, example_inputs: list[torch.Tensor]) -> torch.fx.GraphModule:
        compiled.append(graph)
        return graph

    name = "recompiles_module"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, object] = {"__name__": name}
    exec(compile(text, name, "exec"), space)
    net = space["net"]
    assert callable(net)
    function = torch.compile(net, backend=backend)
    with torch._dynamo.config.patch(recompile_limit=2 * CALLS):
        for _ in range(CALLS):
            function(torch.ones(4))
    return len(compiled)


@pytest.mark.parametrize("line", EACH_CALL)
def test_what_compiles_on_each_call_is_reported(line: str) -> None:
    text = module(line)
    assert compilations(text) == CALLS
    assert len(lint("OVH303", text)) == 1


@pytest.mark.parametrize("line", SELDOM)
def test_what_compiles_once_or_twice_is_not_reported(line: str) -> None:
    text = module(line)
    assert compilations(text) <= 2
    assert lint("OVH303", text) == []


@pytest.mark.parametrize(("first", "step", "is_found"), [("0", "1", False), ("''", "'a'", True)])
def test_of_objects_that_are_no_modules_only_texts_are_constants(
    first: str, step: str, is_found: bool
) -> None:
    text = textwrap.dedent(f"""
        import torch

        class Steps:
            def __init__(self):
                self.n = {first}

            def step(self, x):
                self.n += {step}
                return x + 1

        steps = Steps()
        net = steps.step
        compiled = torch.compile(steps.step)
        """)
    assert (compilations(text) > 2) is is_found
    assert bool(lint("OVH303", text)) is is_found


def test_counters_behind_calls_are_seen_and_those_of_eager_code_are_not() -> None:
    text = textwrap.dedent("""
        import torch
        from torch import nn

        N = 0

        def count():
            global N
            N += 1

        def apart():
            global N
            N += 1

        @torch.compile
        def step(x):
            count()
            return x
        """)
    assert [finding.span.line for finding in lint("OVH303", text)] == [9]


def test_lists_of_objects_that_compiled_code_makes_are_new_on_each_call() -> None:
    text = textwrap.dedent("""
        import torch

        class Stream:
            def __init__(self):
                self.seen = []

            def add(self, x):
                self.seen.append(x)

        kept = Stream()

        @torch.compile
        def step(x):
            stream = Stream()
            stream.add(x)
            return x
        """)
    assert lint("OVH303", text) == []
    assert len(lint("OVH303", text.replace("stream = Stream()", "stream = kept"))) == 1
