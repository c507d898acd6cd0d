"""Whether the host waits again behind a place: methods that wait, in the same pass."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter, facts_of
from overhead_lint.engine.next_wait import waits_again
from overhead_lint.syntax.source import Source

AGAIN = {
    "the next statement": "here()\nlog(x.item())",
    "the same statement": "log(here().item())",
    "behind a branch": "if a:\n    x = here()\nelse:\n    x = 1\ny = x.tolist()",
    "in the branch that the place is in": "if a:\n    here()\n    x.nonzero()",
    "in the same round": "for one in many:\n    here()\n    one.cpu()",
}
NOT_AGAIN = {
    "before": "log(x.item())\nhere()",
    "in a branch": "here()\nif a:\n    x.item()",
    "in the other branch": "if a:\n    here()\nelse:\n    x.item()",
    "behind an early return": "here()\nif a:\n    return\nx.item()",
    "once behind all rounds": "for one in many:\n    here()\nx.item()",
    "in a loop behind it": "here()\nfor one in many:\n    one.item()",
    "in another function": "here()\ndef g():\n    x.item()",
    "a copy that does not wait": "here()\nx.to('cpu', non_blocking=True)",
    "a method that is told more": "here()\nx.item(0)",
    "what waits for nothing": "here()\nx.sum()",
}


def waits(text: str) -> bool:
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    source = Source.from_bytes(Path("a.py"), f"def f(x, a, many):\n{lines}".encode())
    facts = facts_of(source)
    (place,) = (call for call in facts.scan.of_class(ast.Call) if getattr(call.func, "id", "") == "here")
    return waits_again(place, facts)


_TRAIN = """
import torch
from torch.nn import functional as F

def train(loader, model):
    for batch in loader:
        loss, norm = F.mse_loss(model(batch.cuda()), batch.cuda()), torch.linalg.norm(model.weight)
        loss.backward()
        a = loss.item()
        b = norm.item()
"""


@pytest.mark.parametrize(
    ("more", "expected"), [("", [False, False]), ("        c = norm.sum().item()\n", [True, True, False])]
)
def test_what_a_fix_takes_away_as_well_is_no_next_wait(more: str, expected: list[bool]) -> None:
    linter = Linter(packs.select(packs.load(), ["OVH404"], []), Settings())
    found = linter.lint(Source.from_bytes(Path("train.py"), (_TRAIN + more).encode()))
    assert [one.waits_again for one in found] == expected


@pytest.mark.parametrize("name", AGAIN)
def test_the_host_waits_again(name: str) -> None:
    assert waits(AGAIN[name])


@pytest.mark.parametrize("name", NOT_AGAIN)
def test_the_host_may_not_wait_again(name: str) -> None:
    assert not waits(NOT_AGAIN[name])
