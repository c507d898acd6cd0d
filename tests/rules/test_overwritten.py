"""OVH707: what overwrites a tensor whole, and what only seems to."""

from __future__ import annotations

import pytest
import torch
from rule_cases import fix, forward, lines, lint

from overhead_lint.rule import Applicability

HEADER = "import torch\nimport torch.distributed as dist\nfrom torch import nn"
KERNEL = """
import torch
import triton
import triton.language as tl
from torch import nn


@triton.jit
def kernel(a, b, stride, n, SIZE: tl.constexpr):
    {body}


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        y = torch.zeros_like(x)
        n = x.shape[0]
        kernel[(n,)](x, y, y.stride(0), n, SIZE=128)
        return y
"""


@pytest.mark.parametrize(
    ("body", "over"),
    [
        ("y = torch.zeros(3, 4)\ny.copy_(x)", "copy_()"),
        ("y = torch.zeros(3, 4).normal_()", "normal_()"),
        ("y = x.new_ones(3).uniform_(0, 1)", "uniform_()"),
        ("y = torch.full((3,), 0.5)\nz = y.copy_(x)", "copy_()"),
        ("y = torch.zeros(3, 4).fill_(2)", "fill_()"),
        ("y = torch.zeros_like(x)\ny[...] = x", "line 11"),
        ("y = torch.zeros_like(x)\nz = x + 1\ny[:, :] = z", "line 12"),
        ("y = torch.zeros_like(x)\ntorch.mul(x, x, out=y)", "mul()"),
        ("y = torch.zeros_like(x)\nreturn torch.mul(x, x, out=y)", "mul()"),
        ("y = torch.zeros_like(x)\ndist.all_gather_into_tensor(y, x)", "all_gather_into_tensor()"),
        (
            "y = torch.zeros_like(x)\nwork = dist.reduce_scatter_tensor(output=y, input=x)",
            "reduce_scatter_tensor()",
        ),
        ("y = [torch.zeros_like(x) for _ in range(n)]\ndist.all_gather(y, x)", "all_gather()"),
        ("y = [torch.zeros_like(x) for _ in range(n)]\ndist.gather(x, y)", "gather()"),
        ("y = torch.zeros_like(x)\ndist.recv(y, 0)", "recv()"),
        ("y = torch.zeros((n, 4))\nfor i in range(n):\n    y[i] = x", "the loop at line 11"),
        (
            "y = torch.zeros(len(x), 4)\nfor i, row in enumerate(x):\n    z = row * 2\n    y[i] = z",
            "the loop at",
        ),
    ],
)
def test_tensor_that_is_overwritten_whole(body: str, over: str) -> None:
    (finding,) = lint("OVH707", forward(body, header=HEADER))
    assert over in finding.message
    assert finding.help is not None and ("torch.full" in finding.help) is (over == "fill_()")
    assert finding.fix is None or finding.fix.applicability is Applicability.UNSAFE


@pytest.mark.parametrize(
    "body",
    [
        "y = torch.zeros(3)\ny.add_(x)",
        "y = torch.zeros(3)\ny += x",
        "y = torch.zeros(3)\ny[0] = x",
        "y = torch.zeros(3)\ny[:2] = x",
        "y = torch.zeros(3)\ny[x > 0] = 1",
        "y = torch.zeros(3)\nprint(y)\ny.copy_(x)",
        "y = torch.zeros(3)\nif x.sum() > 0:\n    y.copy_(x)",
        "y = torch.zeros(3)\nwith self.lock:\n    y.copy_(x)",
        "y = torch.zeros(3)\ny.copy_(y + x)",
        "y = torch.zeros(3)\ntorch.add(y, x, out=y)",
        "y = torch.zeros(3)\nother(x, out=y)",
        "y = torch.zeros(3)\ndist.broadcast(y, 0)",
        "y = torch.zeros(3)\ndist.all_reduce(y)",
        "y = torch.zeros(3)\ndist.all_gather_into_tensor(x, y)",
        "y = torch.zeros(3)\ndist.gather(y, x)",
        "y = torch.zeros(3, requires_grad=True).normal_()",
        "y = torch.empty(3)\ny.copy_(x)",
        "y = self.y = torch.zeros(3)\ny.copy_(x)",
        "y = torch.zeros(n, 4)\nfor i in range(n):\n    if i:\n        y[i] = x",
        "y = torch.zeros(n, 4)\nfor i in range(n):\n    if i:\n        continue\n    y[i] = x",
        "y = torch.zeros(n, 4)\nfor i in range(n - 1):\n    y[i] = x",
        "y = torch.zeros(n, 4)\nfor i in range(1, n):\n    y[i] = x",
        "y = torch.zeros(n, 4)\nfor i in range(n):\n    y[i, 0] = x",
        "y = torch.zeros(n, 4)\nfor i in range(n):\n    y[i] = y[i - 1] + x",
        "y = torch.zeros(n, 4)\nfor i in range(n):\n    i = 0\n    y[i] = x",
        "y = torch.zeros(len(x), 4)\nfor i, row in enumerate(x[1:]):\n    y[i] = row",
        "y = torch.zeros_like(x)\nfor i in range(n):\n    y[i] = x",
    ],
)
def test_tensor_of_which_something_may_be_left(body: str) -> None:
    assert lines("OVH707", forward(body, header=HEADER)) == []


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("tl.store(b + tl.arange(0, SIZE), tl.load(a + tl.arange(0, SIZE)))", True),
        ("b += tl.program_id(0) * stride\n    tl.store(b, tl.load(a), mask=n > 0)", True),
        ("p = b + n\n    for i in range(n):\n        tl.store(p + i, tl.load(a + i))", True),
        ("tl.atomic_add(b, tl.load(a))", False),
        ("tl.store(b, tl.load(b) + tl.load(a))", False),
        ("p = b + n\n    tl.store(p, tl.load(p))", False),
        ("if n > 3:\n        tl.store(b, tl.load(a))", False),
        ("if n > 3:\n        return\n    tl.store(b, tl.load(a))", False),
        ("helper(b)\n    tl.store(b, tl.load(a))", False),
        ("tl.store(a, tl.load(a))", False),
    ],
)
def test_output_of_a_triton_kernel(body: str, found: bool) -> None:
    assert bool(lint("OVH707", KERNEL.format(body=body))) is found


@pytest.mark.parametrize(
    ("made", "after"),
    [
        ("torch.zeros(2, 3, dtype=torch.int64)", "torch.empty(2, 3, dtype=torch.int64)"),
        ("torch.ones_like(x)", "torch.empty_like(x)"),
        ("x.new_zeros((2, 3))", "x.new_empty((2, 3))"),
    ],
)
def test_unfilled_tensor_holds_the_same_afterwards(made: str, after: str) -> None:
    before = forward(f"y = {made}\ny.copy_(x)\nreturn y")
    fixed = fix("OVH707", before)
    assert after in fixed and lines("OVH707", fixed) == []
    results = []
    for text in (before, fixed):
        names: dict[str, object] = {}
        exec(text, names)
        results.append(names["Net"].forward(None, torch.arange(6.0).reshape(2, 3)))  # type: ignore[attr-defined]
    assert torch.equal(results[0], results[1]) and results[0].dtype is results[1].dtype
