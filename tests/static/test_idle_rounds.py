"""Loops that queue nothing for the device: what waits in each round waits for work once."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from overhead_lint.analysis.ir.records import position
from overhead_lint.engine.linter import facts_of
from overhead_lint.syntax.source import Source

HEAD = """\
import torch
from torch import Tensor, nn

class Net(nn.Module):
    def forward(self, x): ...

net = Net()

def f(self, x: Tensor, losses: dict[str, Tensor], many, **given):
"""
IDLE = {
    "what is logged": "for name, value in losses.items():\n    self.log(name, value.item())",
    "what is given by name": "for name, value in given.items():\n    if isinstance(value, Tensor):\n"
    "        value = value.item()\n    assert isinstance(value, float)\n    self.meters[name].update(value)",
    "a comprehension": "return {name: value.item() / count() for name, value in losses.items()}",
    "what is detached": "for value in losses.values():\n    many.append(value.detach().item())",
    "a question": "for value in many:\n    if torch.isnan(value).any().item():\n        raise ValueError",
    "two reads": "for name, value in losses.items():\n    self.log(name, value.item(), value.cpu())",
    "numbered": "for i, value in enumerate(list(many)):\n    self.log(i, value.item())",
    "one in the other": "for one in many:\n    for name in one:\n        self.log(losses[name].item())",
}
BUSY = {
    "a model": "for batch in many:\n    self.log(net(batch).mean().item())",
    "what nobody knows makes it": "for batch in many:\n    loss = self.run(batch)\n    self.log(loss.item())",
    "a sum": "for value in losses.values():\n    x = x + value\n    self.log(value.item())",
    "what torch does": "for value in losses.values():\n    many.append(torch.topk(x, value.item()))",
    "what is handed a tensor": "for value in losses.values():\n    self.use(x, value.item())",
    "what is handed a model": "for value in losses.values():\n    self.use(net, value.item())",
    "a function that makes the items": "for value in self.generate(x):\n    self.log(value.item())",
    "a part that is written": "for i, value in enumerate(many):\n    x[i] = 0\n    self.log(value.item())",
    "around it": "for one in many:\n    x = x * 2\n    for name in one:\n        self.log(name.item())",
    "what is yielded": "for value in losses.values():\n    yield value.item()",
    "no loop": "self.log(x.item())",
}


def surrounds(body: str) -> bool:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    facts = facts_of(Source.from_bytes(Path("a.py"), (HEAD + lines).encode()))
    call = next(one for one in facts.scan.of_class(ast.Call) if getattr(one.func, "attr", "") == "item")
    place, block, _ = facts.flow.point(call)
    span = position(call.lineno, call.col_offset), position(call.end_lineno or 0, call.end_col_offset or 0)
    return facts.idle_rounds.surround(place, block, span)


@pytest.mark.parametrize("name", IDLE)
def test_nothing_is_queued(name: str) -> None:
    assert surrounds(IDLE[name])


@pytest.mark.parametrize("name", BUSY)
def test_something_may_be_queued(name: str) -> None:
    assert not surrounds(BUSY[name])
