"""Waits that stay in the same pass as a place, whatever is mended there."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from overhead_lint.analysis.ir.records import position
from overhead_lint.engine.linter import facts_of
from overhead_lint.syntax.source import Source

HEAD = """\
import torch
from scipy.optimize import linear_sum_assignment
from torch import Tensor
from torchvision.ops import nms

def select(y: Tensor):
    return y[y > 0]

def f(self, x: Tensor, y: Tensor, many, flag):
"""
STAYS = {
    "a mask selects": "here()\ny = y[x > 0]",
    "a mask of which nothing is known": "here()\nreturn x[~flag].reshape(3, -1)",
    "before the place": "kept = torch.nonzero(x)\nhere()\nreturn kept",
    "a method selects": "places = x.nonzero()\nhere()\nreturn places",
    "what differs is looked for": "names = torch.unique(x)\nhere()\nreturn names",
    "boxes are suppressed": "kept = nms(x, y, 0.5)\nhere()\nreturn kept",
    "a library of the host": "here()\ncost = x.cpu()\nreturn linear_sum_assignment(cost)",
    "the same for parts": "here()\nx = x.cpu()\nz = [linear_sum_assignment(c[i]) for i, c in enumerate(x)]",
    "a decision": "here()\nif x.sum().item() > 3:\n    y = y + 1",
    "a decision on what only tensors have": "here()\nif many.item() > 3:\n    y = y + 1",
    "behind a backward pass": "for one in many:\n    x.sum().backward()\n    y = y[x > one]\n    here()",
    "a decision on a tensor": "here()\nif (x > 0).any():\n    y = y + 1",
    "a decomposition": "here()\nreturn torch.linalg.lstsq(x, y)",
    "an assertion": "assert (x > 0).all()\nhere()",
    "an assertion that is read": "assert (x > 0).all().item()\nhere()",
    "an environment": "here()\nenv.step(x.cpu().numpy())",
    "what a lambda reads for it": "here()\ndone = env.step(act(x, lambda one: one.to('cpu').numpy()))",
    "a number of rounds": "here()\nfor i in range(x.sum().item()):\n    y = y + i",
    "in a loop beside": "here()\nfor one in many:\n    y = y[y > 0]",
    "in the same rounds": "for one in many:\n    here()\n    y = y[x > one]",
    "in a loop in the rounds": "for one in many:\n    here()\n    for two in one:\n        y = y[x > two]",
    "in a function that rounds call": "for one in many:\n    here()\n    y = select(x)",
    "in the branch of the place": "if flag > 3:\n    here()\n    y = y[x > 0]",
    "behind a question that steps ask": "here()\nif len(many):\n    y = y[x > 0]",
}
GOES = {
    "a value that is logged": "here()\nlog(x.sum().item())",
    "what an environment on the device takes": "here()\nenv.step(x.exp())",
    "what is read for another step": "here()\nmeters.step(x.cpu().numpy())",
    "a read that nothing takes": "here()\nx.sum().item()",
    "a mask that sums": "here()\nreturn x[x > 0].sum()",
    "a mask that torch sums": "here()\nreturn torch.mean(x[x > 0])",
    "a mask that fills": "here()\nx[x > 0] = 0",
    "what is put back": "here()\nm = x > 0\nx[m] = y[m].exp()",
    "places that are filled": "here()\nx[torch.where(x > 0)] = 0",
    "a decomposition with another form": "here()\nreturn torch.linalg.inv(x)",
    "three arguments": "here()\nreturn torch.where(x > 0, x, y)",
    "a mask of the host": "here()\nm = x.cpu() > 0\nlog(m[m])",
    "what may be an array": "here()\nreturn many[~flag]",
    "an index": "here()\ny = y[x.argmax(0)]",
    "once beside rounds": "for one in many:\n    here()\ny = y[x > 0]",
    "before a backward pass": "for one in many:\n    y = y[x > one]\n    x.sum().backward()\n    here()",
    "in other rounds": "for one in many:\n    here()\nfor one in many:\n    y = y[x > one]",
    "in another branch": "if len(many):\n    here()\nelse:\n    y = y[x > 0]",
    "by the mode": "here()\nif self.training:\n    y = y[x > 0]",
    "by an argument": "here()\nif flag:\n    y = y[x > 0]",
    "if something is given": "here()\nif many is not None:\n    y = y[x > 0]",
    "only for an error": "here()\nif len(many):\n    raise ValueError(y[x > 0])",
    "in another function": "here()\ndef g():\n    return y[x > 0]",
    "where a function is called once": "for one in many:\n    here()\ny = select(x)",
}


def line_beside(body: str) -> int:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    facts = facts_of(Source.from_bytes(Path("a.py"), (HEAD + lines).encode()))
    (call,) = (one for one in facts.scan.of_class(ast.Call) if getattr(one.func, "id", "") == "here")
    place, block, _ = facts.flow.point(call)
    span = position(call.lineno, call.col_offset), position(call.end_lineno or 0, call.end_col_offset or 0)
    return facts.needed_waits.beside(place, block, span)[0]


@pytest.mark.parametrize("name", STAYS)
def test_it_stays(name: str) -> None:
    assert line_beside(STAYS[name])


@pytest.mark.parametrize("name", GOES)
def test_it_may_go(name: str) -> None:
    assert not line_beside(GOES[name])


def test_its_line_is_told() -> None:
    first = HEAD.count("\n")
    assert line_beside("here()\ny = y[x > 0]") == first + 2
    assert line_beside("for one in many:\n    here()\n    y = select(x)") == 7
