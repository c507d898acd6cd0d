"""OVH403: elements of a tensor that are read one by one."""

from __future__ import annotations

from pathlib import Path

import pytest
from rule_cases import ALL, fix, forward, lint

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.rule import Heat, Tier
from overhead_lint.syntax.source import Source


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return [v.item() for v in x]", 1),
        ("return {float(v) for v in x.sum(-1)}", 1),
        ("return {i: bool(v) for i, v in enumerate(x)}", 1),
        ("return [a.item() + b.item() for a, b in zip(x, x * 2)]", 2),
        ("for i in range(3):\n    print(x[i].item())", 1),
        ("for i in range(3):\n    print(int(x[0, i]))", 1),
        ("for i, name in enumerate(self.names):\n    print(name, x[i + 1].item())", 1),
        ("for v in x:\n    print(v.item(), v.item())", 1),
        ("for v in x:\n    if v > 0:\n        break", 0),
        ("for i in range(3):\n    print(x[0].item())", 0),
        ("for i in range(3):\n    print(x[i].sum().item())", 0),
        ("for i in range(3):\n    print(self.names[i].item())", 0),
        ("for name in self.names:\n    print(self.table[name].item())", 0),
        ("i = 0\nwhile i < 3:\n    i += 1", 0),
        ("return max(x)", 1),
        ("return max(x, key=len)", 0),
        ("return max(x, x)", 0),
        ("return any(x > 0)", 1),
        ("return sum(x)", 0),
        ("return torch.tensor([x.sum(), x.mean()])", 1),
        ("return torch.as_tensor([x[i].sum() for i in range(3)], device=x.device)", 1),
        ("return x.new_tensor((x.sum(), 1.0))", 1),
        ("sums = []\nfor row in x:\n    sums.append(row.sum())\nreturn torch.tensor(sums)", 1),
        ("sums = []\nfor row in x:\n    sums.append(len(row))\nreturn torch.tensor(sums)", 0),
        ("return torch.stack([x.sum(), x.mean()])", 0),
        ("return torch.tensor([len(x), x.shape[0]]), torch.tensor(self.names)", 0),
        ("return torch.tensor([[x.sum(), 0.0], [1.0, x.mean()]])", 1),
        ("return self.names.new_tensor([x.sum()])", 0),
    ],
)
def test_elements_read_one_by_one_are_reported(body: str, found: int) -> None:
    assert len(lint("OVH403", forward(body))) == found


def test_elements_of_host_tensors_count_in_steps_only() -> None:
    rates = "self.rates = [rate.item() for rate in torch.linspace(0, 1, depth)]"
    assert len(lint("OVH403", forward(rates))) == 1
    text = "import torch\ndef rates(n, device):\n    return [r.item() for r in torch.linspace(0, 1, n)]\n"
    assert lint("OVH403", text, Heat.PRESUMED) == []
    assert len(lint("OVH403", text.replace("n)]", "n, device=device)]"), Heat.PRESUMED)) == 1


def test_elements_that_are_read_once_are_left_alone() -> None:
    read = "self.rates = [rate.item() for rate in torch.linspace(0, 1, depth, device=device)]"
    assert lint("OVH403", forward("pass", init=read)) == []
    text = "import torch\ndef plot(x: torch.Tensor):\n    return [x[i].item() for i in range(5)]\n"
    assert lint("OVH403", text) == []
    assert len(lint("OVH403", text.replace("plot", "listed"))) == 1


def test_elements_that_only_an_error_shows_are_left_alone() -> None:
    body = "if x.dim() != 3:\n    text = f'{sorted(x)}'\n    raise ValueError(text)"
    assert lint("OVH403", forward(body)) == []
    assert len(lint("OVH403", forward(body.replace("raise ValueError", "print")))) == 1
    body = "if x.dim() != 3:\n    seen = [x[i].item() for i in range(3)]\n    raise ValueError(seen)"
    assert lint("OVH403", forward(body)) == []
    assert len(lint("OVH403", forward(body.replace("raise ValueError", "print")))) == 1


@pytest.mark.parametrize("code", ["OVH403", "OVH704"])
def test_rules_without_a_least_heat_may_still_leave_tests_alone(code: str) -> None:
    source = Source.from_bytes(
        Path("test_model.py"),
        forward("y = x\nfor row in x:\n    y = torch.cat([y, row[None]])\n    row.item()\nreturn y").encode(),
    )
    linter = Linter(packs.select(ALL, [code], []), Settings())
    assert [found.code for found in linter.lint(source)] == [code]
    assert linter.lint(source, cold="tests/ is no production code") == []


@pytest.mark.parametrize(
    ("body", "fixed"),
    [
        ("return [v.item() for v in x]", "return x.tolist()"),
        ("return [v.item() for v in x if v.item()]", "return [v for v in x.tolist() if v]"),
        ("return [float(v) for v in x + 1]", "return [float(v) for v in (x + 1).tolist()]"),
        (
            "return [a.item() + b for a, b in zip(x, self.names)]",
            "return [a + b for a, b in zip(x.tolist(), self.names)]",
        ),
    ],
)
def test_loop_over_elements_reads_them_at_once(body: str, fixed: str) -> None:
    assert fixed in fix("OVH403", forward(body))
    assert fix("OVH403", forward(body), unsafe=False) == forward(body)


@pytest.mark.parametrize(
    "body",
    [
        "for v in x:\n    print(v.item(), v)",
        "for v in x:\n    print(v.item())\nreturn v",
        "for v in x:\n    print(v.item())\n    v = 1",
        "for i in range(3):\n    print(x[i, 0].item())",
    ],
)
def test_elements_that_are_used_otherwise_get_no_fix(body: str) -> None:
    assert [finding.fix for finding in lint("OVH403", forward(body))] == [None]


def test_what_data_sets_read_lies_on_the_host_and_is_no_stall() -> None:
    text = """
import torch


class Pictures(torch.utils.data.Dataset):
    def __getitem__(self, at):
        boxes = torch.zeros(4)
        count = torch.tensor([boxes.sum()])
        return [box.item() for box in boxes], count
"""
    (finding,) = lint("OVH403", text)
    assert (finding.tier, finding.span.line) == (Tier.HOST, 9)
    assert "waits" not in finding.message
    assert lint("OVH403", forward("return [v.item() for v in x]"))[0].tier is Tier.STALL
