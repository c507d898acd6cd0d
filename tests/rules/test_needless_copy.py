"""OVH708: copies that nobody writes to, and those that are needed."""

from __future__ import annotations

import pytest
from rule_cases import fix, forward, lines, lint

from overhead_lint.rule import Applicability

INIT = "self.layer = nn.Linear(4, 4)\nself.block = Block()"


@pytest.mark.parametrize(
    "body",
    [
        "y = x.clone()\nreturn y + 1",
        "y = x.clone()\nout = self.layer(x)\nreturn out + y",
        "y = x.detach().clone()\nz = y[:, 0]\nreturn z * 2",
        "y = torch.clone(x)\nreturn torch.cat([y, x * 2])",
        "y = x.clone()\nfor i in range(3):\n    z = y * i\nreturn z",
        "y = x.view(2, 2).clone()\nreturn y + 1",
        "return (x + 1).clone()",
        "return torch.stack([x, x]).detach().clone()",
        "return x.unsqueeze(0).repeat(3, 1, 1) * 2",
        "y = x[:, None]\nreturn y.repeat(1, 3, 1) * 2",
        "y = x.clone()\nz = y + 1\ny = z * 2\ny[0] = 1\nreturn y",
    ],
)
def test_copy_that_nobody_writes_to(body: str) -> None:
    assert len(lint("OVH708", forward(body, init=INIT))) == 1


@pytest.mark.parametrize(
    "body",
    [
        "return x.clone()",
        "y = x.clone()\nreturn y",
        "y = x.clone()\ny[0] = 1\nreturn y + 1",
        "y = x.clone()\nx[0] = 1\nreturn y + x",
        "y = x.clone()\nx += 1\nreturn y + x",
        "y = x.clone()\nx.relu_()\nreturn y + x",
        "y = x.clone()\nz = x[0]\nz.add_(1)\nreturn y + x",
        "y = x.clone()\nout = self.block(x)\nreturn y + out",
        "y = x.clone()\nv = y.view(-1)\nv[0] = 1\nreturn y + 1",
        "y = x.clone()\nself.kept = y\nreturn y + 1",
        "y = x.clone()\nitems.append(y)\nreturn y + 1",
        "y = x.clone()\nfor i in range(3):\n    z = y + i\n    x.add_(1)\nreturn z",
        "for i in range(3):\n    y = x.clone()\n    z = y + i\n    x.add_(1)\nreturn z",
        "y = x.clone()\ndef f():\n    y.add_(1)\nf()\nreturn y + 1",
        "y = x.clone()\nF.relu(x, inplace=True)\nreturn y + 1",
        "y = x.clone()\ntorch.add(x, 1, out=x)\nreturn y + 1",
        "y = x.expand(4, 4).clone()\nreturn y + 1",
        "y = x * 2\nif self.training:\n    y = x.clone()\ny[0] = 1\nreturn y + 1",
        "y = x.clone()\nfor i in range(3):\n    z = y + 1\n    y += 1\nreturn z",
        "return x.clone(memory_format=torch.channels_last) + 1",
        "return x.exp().clone()",
        "return self.block(x).clone()",
        "return x.repeat(3, 1) * 2",
        "return self.kept.repeat(3, 1, 1) * 2",
        "return x.unsqueeze(0).repeat(3, 2, 1) * 2",
        "return x.unsqueeze(1).repeat(3, 1, 1) * 2",
        "return x.unsqueeze(0).repeat(3, 1, 1).view(-1)",
        "y = x.clone()\nz = y * self.layer.weight\nx[0] = 1\nreturn z",
        "y = x.clone()\nz = torch.einsum('ij,jk->ik', [w, y.detach()])\nx.data.add_(1)\nreturn z",
    ],
)
def test_copy_that_is_needed_or_may_be(body: str) -> None:
    assert lines("OVH708", forward(body, init=INIT, header=HEADER)) == []


HEADER = "import torch\nfrom torch import nn\nimport torch.nn.functional as F"


def test_what_is_detached_late_is_fixed_safely() -> None:
    text = forward("y = x.clone().detach()\ny[0] = 1\nreturn y")
    (finding,) = lint("OVH708", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.SAFE
    assert "y = x.detach().clone()\n" in fix("OVH708", text, unsafe=False)


def test_an_autograd_function_records_no_copies() -> None:
    text = (
        HEADER
        + """

class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor):
        ctx.x = x.clone().detach()
        return x * 2
"""
    )
    assert lines("OVH708", text) == []


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("y = torch.from_numpy(self.read())\ny = y.clone().detach()\nreturn x + y.fill_(0)", False),
        ("y = (x * 2).detach()\nself.keep(y)\nreturn x + y.clone().detach().fill_(0)", False),
        ("return x + self.table.clone().detach().fill_(0)", False),
        ("return x + self.grown.clone().detach().fill_(0)", True),
        ("return x + self.places[:, : x.size(1)].clone().detach().fill_(0)", False),
        ("return x + torch.arange(8).unfold(0, 2, 1).clone().detach().fill_(0)", False),
        ("return x + torch.ones(8, requires_grad=True)[0].clone().detach().fill_(0)", True),
        ("return x + self.other.clone().detach().fill_(0)", True),
    ],
)
def test_what_has_no_record_throws_none_away(body: str, found: bool) -> None:
    init = "self.table = None\nself.other = nn.Parameter(torch.zeros(3))\n"
    text = forward(body, init=init + "self.register_buffer('places', torch.zeros(1, 8))", header=HEADER)
    text += """
    def set_up(self, x: torch.Tensor):
        self.table = x.detach()
        self.grown = x.detach()
        self.grown += x
"""
    assert bool(lines("OVH708", text)) is found


def test_copy_is_left_out_by_an_unsafe_fix_only() -> None:
    text = forward("y = x.clone()\nreturn y + 1")
    (finding,) = lint("OVH708", text)
    assert finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE
    assert "y = x\n" in fix("OVH708", text)


QUEUE = """
import torch
from torch import nn


class Contrast(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.register_buffer("queue", torch.randn(8, 16))
        self.queue[0] = 0

    def forward(self, x: torch.Tensor):
        query = self.layer(x)
        logits = {read}
        self.push(query.detach())
        return logits

    def push(self, keys):
        {write}
"""
READS = [
    "torch.einsum('nc,ck->nk', [query, self.queue.clone().detach()])",
    "query @ self.queue.detach().clone()",
]


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize(
    "write", ["self.queue[:, :4] = keys.T", "self.queue.copy_(keys)", "self.queue.data[0].zero_()"]
)
def test_copy_that_the_backward_pass_reads_after_a_method_wrote_to_what_was_copied(
    read: str, write: str
) -> None:
    assert not lint("OVH708", QUEUE.format(read=read, write=write))


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("write", ["self.queue = keys", "return self.queue[0]"])
def test_copy_of_what_only_init_writes_to_in_place(read: str, write: str) -> None:
    assert len(lint("OVH708", QUEUE.format(read=read, write=write))) == 1


def test_copy_that_autograd_does_not_keep() -> None:
    read = "torch.cat([query.T, self.queue.clone().detach()], dim=1)"
    assert len(lint("OVH708", QUEUE.format(read=read, write="self.queue[:, :4] = keys.T"))) == 1
